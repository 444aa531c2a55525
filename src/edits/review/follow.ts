// Adds what came into a file beside waiting changes to the text before them as well, so that taking the changes back keeps it.
import { type Hunk, type HunkLines, hunksOf, textLines } from './hunks.ts';

export interface Followed {
  /** The text before the changes, with what came beside them since. */
  readonly base: string;
  /** Something was written into a change, or came at its edge, and is a part of it then: taking it back takes those words along. */
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

/** The line of the text before at which lines of the text with the changes stand; null where they are a part of a change. */
function placeBefore(ours: readonly Hunk[], { start, lines }: HunkLines): number | null {
  let moved = 0;
  const end = start + lines.length;
  for (const { before, after } of ours) {
    const last = after.start + after.lines.length;
    // Lines that only come at the edge of a change could be meant as a part of it; those that stand there already are not.
    const edge = lines.length === 0 ? 1 : 0;
    if (last + edge <= start) moved += before.lines.length - after.lines.length;
    else if (after.start >= end + edge) break;
    else return null;
  }
  return start + moved;
}
