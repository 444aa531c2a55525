// Keeps the end of the conversation in sight while words arrive and while the view changes its size, unless the user scrolled away.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ViewState } from '../src/protocol/view.ts';
import { returnTo, rowAtTop } from './entriesTop.ts';
import { entryKey, keepTop, lookOf } from './looks.ts';

/** So many pixels above the end still count as there. */
const near = 40;

/** Milliseconds without scrolling before the place is kept. */
const rest = 100;

export function useEnd(state: ViewState | null) {
  const list = useRef<HTMLElement>(null);
  const pinned = useRef(true);
  const filled = useRef(false);
  /** Where the list was scrolled to last. */
  const top = useRef(0);
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const session = state?.session ?? '';
  const entries = useRef<ViewState['entries']>([]);
  entries.current = state?.entries ?? [];
  const from = useMemo(() => whereLeft(session, entries.current), [session]);
  // The welcome is read from its beginning.
  filled.current = entries.current.length > 0;
  const toEnd = () => {
    if (pinned.current && filled.current) list.current?.scrollTo(0, list.current.scrollHeight);
  };
  useEffect(() => {
    clearTimeout(resting.current);
    pinned.current = from === null;
    return from === null || list.current === null ? undefined : returnTo(list.current, from.at, from.above);
  }, [from, session]);
  useEffect(toEnd, [state]);
  const there = state !== null;
  useEffect(() => {
    if (list.current === null) return;
    const watcher = new ResizeObserver(toEnd);
    watcher.observe(list.current);
    // A formula or a diagram is higher than its source was.
    list.current.addEventListener('drawn', toEnd);
    return () => watcher.disconnect();
  }, [there]);
  const keepPlace = () => {
    const seen = pinned.current || list.current === null ? null : rowAtTop(list.current);
    const entry = seen === null ? undefined : entries.current[seen.at];
    if (pinned.current) keepTop(session, null);
    else if (seen !== null && entry !== undefined) keepTop(session, { row: entryKey(entry.id), above: seen.above });
  };
  const follow = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const { scrollHeight, scrollTop, clientHeight } = currentTarget;
    // Words that arrive and a view that gets lower move the end away; only who scrolls away goes up.
    if (scrollHeight - scrollTop - clientHeight < near) pinned.current = true;
    else if (scrollTop < top.current) pinned.current = false;
    top.current = scrollTop;
    clearTimeout(resting.current);
    resting.current = setTimeout(keepPlace, rest);
  };
  // Whoever sends something wants to see what comes of it.
  const followAgain = () => {
    pinned.current = true;
  };
  return { list, follow, followAgain, from: from?.at ?? null };
}

/** Null for the end. */
function whereLeft(session: string, entries: ViewState['entries']) {
  const { top } = lookOf(session);
  const at = top === null ? -1 : entries.findIndex(({ id }) => entryKey(id) === top.row);
  return top === null || at < 0 ? null : { at, above: top.above };
}
