// What came into a file beside changes that wait: it belongs to what was there before as well, so that taking them back keeps it.
import { type Hunk, hunksOf, textLines } from './hunks.ts';

export interface Followed {
  /** The text before the changes, with what came beside them since. */
  readonly base: string;
  /** Something was written into a change, or to its edge, and is a part of it then: taking it back takes those words along. */
  readonly mixed: boolean;
}

/** `base` and `now`: the text before the changes and with them; `current`: what it has become since. */
export function followed(base: string, now: string, current: string): Followed {
  const ours = hunksOf(base, now);
  const lines = [...textLines(base)];
  let mixed = false;
  // From the end, so that places in front stay where they are.
  for (const { before, after } of hunksOf(now, current).toReversed()) {
    const at = placeBefore(ours, before);
    if (at === null) mixed = true;
    else lines.splice(at, before.lines.length, ...after.lines);
  }
  return { base: lines.join(''), mixed };
}

/** The line of the text before at which lines of the text with the changes stand; null where they touch a change. */
function placeBefore(ours: readonly Hunk[], { start, lines }: Hunk['before']): number | null {
  let moved = 0;
  for (const { before, after } of ours) {
    if (after.start + after.lines.length < start) moved += before.lines.length - after.lines.length;
    else if (after.start <= start + lines.length) return null;
  }
  return start + moved;
}
