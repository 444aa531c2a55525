// Keeps the end of the conversation in sight while words arrive and while the view changes its size, unless the user scrolled away.
import { useEffect, useRef } from 'preact/hooks';
import type { ViewState } from '../src/protocol/view.ts';

/** So many pixels above the end still count as there. */
const near = 40;

export function useEnd(state: ViewState | null) {
  const list = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);
  const filled = useRef(false);
  const size = useRef('');
  // The welcome is read from its beginning.
  filled.current = state !== null && state.entries.length > 0;
  const toEnd = () => {
    if (pinned.current && filled.current) list.current?.scrollTo(0, list.current.scrollHeight);
  };
  useEffect(toEnd, [state]);
  const there = state !== null;
  useEffect(() => {
    if (list.current === null) return;
    const watcher = new ResizeObserver(() => {
      if (list.current !== null) size.current = sizeOf(list.current);
      toEnd();
    });
    watcher.observe(list.current);
    return () => watcher.disconnect();
  }, [there]);
  const follow = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    // Events of words that arrived come after a change of size, and before it is told: nobody scrolled away then.
    if (sizeOf(currentTarget) !== size.current) return;
    const { scrollHeight, scrollTop, clientHeight } = currentTarget;
    pinned.current = scrollHeight - scrollTop - clientHeight < near;
  };
  // Whoever sends something wants to see what comes of it.
  const followAgain = () => {
    pinned.current = true;
  };
  return { list, follow, followAgain };
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): string {
  return `${clientWidth} ${clientHeight}`;
}
