// Keeps the end of the conversation in sight while words arrive and while the view changes its size, unless the user scrolled away.
import { useEffect, useRef } from 'preact/hooks';
import type { ViewState } from '../src/protocol/view.ts';

/** So many pixels above the end still count as there. */
const near = 40;

export function useEnd(state: ViewState | null) {
  const list = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);
  const filled = useRef(false);
  /** Where the list was scrolled to last. */
  const top = useRef(0);
  // The welcome is read from its beginning.
  filled.current = state !== null && state.entries.length > 0;
  const toEnd = () => {
    if (pinned.current && filled.current) list.current?.scrollTo(0, list.current.scrollHeight);
  };
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
  const follow = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const { scrollHeight, scrollTop, clientHeight } = currentTarget;
    // Words that arrive and a view that gets lower move the end away; only who scrolls away goes up.
    if (scrollHeight - scrollTop - clientHeight < near) pinned.current = true;
    else if (scrollTop < top.current) pinned.current = false;
    top.current = scrollTop;
  };
  // Whoever sends something wants to see what comes of it.
  const followAgain = () => {
    pinned.current = true;
  };
  return { list, follow, followAgain };
}
