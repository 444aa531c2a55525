// Makes rows only once they come near the view. Rows that were made stay, because they may be open, edited or read.
import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Pixels from the view within which something is made. */
const margin = 1000;

/**
 * `near`: made at once. The element of `place` stands for what is not made, with about its height. `size`: characters that making it draws; of
 * what comes near at the same time, each frame gets as much as does not hold it up.
 */
export function useNear(near: boolean, size = 0): readonly [made: boolean, place: Ref<HTMLDivElement>] {
  const [made, make] = useState(near);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (made || place.current === null) return;
    const job: Job = { size, make: () => make(true) };
    const watcher = new IntersectionObserver(
      (seen) => (seen.at(-1)?.isIntersecting === true ? take(job) : waiting.delete(job)),
      { root: place.current.closest('.entries'), rootMargin: `${margin}px 0px` },
    );
    watcher.observe(place.current);
    return () => {
      watcher.disconnect();
      waiting.delete(job);
    };
  }, [made]);
  return [made, place];
}

interface Job {
  readonly size: number;
  readonly make: () => void;
}

/** Characters that a frame draws. */
const most = 8000;

const waiting = new Set<Job>();
let drawn = 0;

function take(job: Job): void {
  waiting.add(job);
  if (drawn === 0) makeSome();
}

/** Makes what fits, and the rest in the next frames. */
function makeSome(): void {
  for (const job of waiting) {
    if (drawn > 0 && drawn + job.size > most) break;
    waiting.delete(job);
    job.make();
    drawn += job.size;
  }
  if (drawn > 0)
    requestAnimationFrame(() => {
      drawn = 0;
      if (waiting.size > 0) makeSome();
    });
}

/** About how high a text will be, in pixels, so that the scroll bar is near the truth. */
export function heightOfText(text: string): number {
  return 20 * Math.floor(text.length / 60);
}
