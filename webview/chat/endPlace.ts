// Tells where a list is scrolled to, and whether the user scrolled it away from its end.

/** In pixels, as an element has them. */
export interface ScrollPlace {
  readonly scrollHeight: number;
  readonly scrollTop: number;
  readonly clientHeight: number;
}

/** So many pixels above the end still count as there. */
const near = 40;

export const nowhere: ScrollPlace = { scrollHeight: 0, scrollTop: 0, clientHeight: 0 };

export function scrolledTo({ scrollHeight, scrollTop, clientHeight }: ScrollPlace): ScrollPlace {
  return { scrollHeight, scrollTop, clientHeight };
}

export function isNearEnd({ scrollHeight, scrollTop, clientHeight }: ScrollPlace): boolean {
  return scrollHeight - scrollTop - clientHeight < near;
}

/**
 * Whether somebody scrolled up since: the event of it comes with the next frame, the place tells before. What got shorter moves
 * up by itself.
 */
export function isLeft(now: ScrollPlace, before: ScrollPlace): boolean {
  return now.scrollTop < before.scrollTop && now.scrollHeight >= before.scrollHeight && !isNearEnd(now);
}
