// What is far from the view is not made yet. Once made it stays: its rows may be open, edited or read.
import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Pixels from the view within which something is made. */
const margin = 1000;

/** `near`: made at once. The element of `place` stands for what is not made, with about its height. */
export function useNear(near: boolean): readonly [made: boolean, place: Ref<HTMLDivElement>] {
  const [made, make] = useState(near);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (made || place.current === null) return;
    const watcher = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && make(true),
      { root: place.current.closest('.entries'), rootMargin: `${margin}px 0px` },
    );
    watcher.observe(place.current);
    return () => watcher.disconnect();
  }, [made]);
  return [made, place];
}

/** About how high a text will be, in pixels, so that the scroll bar is near the truth. */
export function heightOfText(text: string): number {
  return 20 * Math.floor(text.length / 60);
}
