// Keeps the end of the conversation in sight while words arrive and while the view changes its size, unless the user scrolled away.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ViewState } from '../../src/protocol/view.ts';
import { entryKey, keepTop, lookOf } from '../shared/looks.ts';
import { isLeft, isNearEnd, nowhere, scrolledTo } from './endPlace.ts';
import { returnTo, rowAtTop } from './entriesTop.ts';

/** Milliseconds without scrolling before the place is kept. */
const rest = 100;

export function useEnd(state: ViewState | null) {
  const list = useRef<HTMLElement>(null);
  const pinned = useRef(true);
  const filled = useRef(false);
  /** The latest place that the list was scrolled to. */
  const place = useRef(nowhere);
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const session = state?.session ?? '';
  const entries = useRef<ViewState['entries']>([]);
  entries.current = state?.entries ?? [];
  const from = useMemo(() => whereLeft(session, entries.current), [session]);
  // An empty conversation shows the welcome text, which is not scrolled to its end.
  filled.current = entries.current.length > 0;
  const toEnd = () => {
    if (!pinned.current || !filled.current || list.current === null) return;
    // A message that is being changed stays in sight.
    if (list.current.querySelector('.editing') !== null) return;
    pinned.current = !isLeft(list.current, place.current);
    if (pinned.current) list.current.scrollTo(0, list.current.scrollHeight);
    place.current = scrolledTo(list.current);
  };
  useEffect(() => {
    clearTimeout(resting.current);
    place.current = nowhere;
    pinned.current = from === null;
    return from === null || list.current === null ? undefined : returnTo(list.current, from.at, from.above);
  }, [from, session]);
  useEffect(toEnd, [state]);
  const there = state !== null;
  useEffect(() => {
    if (list.current === null) return;
    const watcher = new ResizeObserver(toEnd);
    watcher.observe(list.current);
    // A formula is higher than its source was.
    list.current.addEventListener('drawn', toEnd);
    return () => watcher.disconnect();
  }, [there]);
  const keepPlace = () => keep(session, pinned.current, list.current, entries.current);
  const follow = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    // Words that arrive and a view that gets lower move the end away; only who scrolls away goes up.
    if (isNearEnd(currentTarget)) pinned.current = true;
    else if (currentTarget.scrollTop < place.current.scrollTop) pinned.current = false;
    place.current = scrolledTo(currentTarget);
    clearTimeout(resting.current);
    resting.current = setTimeout(keepPlace, rest);
  };
  // A user who sends a message wants to see the answer, wherever the list was scrolled to.
  const followAgain = () => {
    pinned.current = true;
  };
  return { list, follow, followAgain, from: from?.at ?? null };
}

/** Keeps which row is at the top, or that the end is in sight. */
function keep(session: string, pinned: boolean, list: HTMLElement | null, entries: ViewState['entries']): void {
  const seen = pinned || list === null ? null : rowAtTop(list);
  const entry = seen === null ? undefined : entries[seen.at];
  if (pinned) keepTop(session, null);
  else if (seen !== null && entry !== undefined) keepTop(session, { row: entryKey(entry.id), above: seen.above });
}

/** Returns the row that was at the top when the view was left; `null` where it was at the end. */
function whereLeft(session: string, entries: ViewState['entries']) {
  const { top } = lookOf(session);
  const at = top === null ? -1 : entries.findIndex(({ id }) => entryKey(id) === top.row);
  return top === null || at < 0 ? null : { at, above: top.above };
}
