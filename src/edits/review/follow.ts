// What came into a file beside changes that wait: it belongs to what was there before as well, so that taking them back keeps it.
import { hunksOf, textLines, typedBeside } from './hunks.ts';

export interface Followed {
  /** The text before the changes, with what came beside them since. */
  readonly base: string;
  /** Something was written into a change, which it is then a part of: taking it back takes those words along. */
  readonly mixed: boolean;
}

/** `base` and `now`: the text before the changes and with them; `current`: what it has become since. */
export function followed(base: string, now: string, current: string): Followed {
  let [before, text, mixed] = [base, now, false];
  const lines = textLines(now);
  // From the end, so that places in front stay where they are.
  for (const hunk of hunksOf(now, current).toReversed()) {
    const from = lines.slice(0, hunk.before.start).join('').length;
    const typed = { from, length: hunk.before.lines.join('').length, words: hunk.after.lines.join('') };
    const next = typedBeside(before, text, typed);
    if (next === null) mixed = true;
    else before = next;
    text = text.slice(0, from) + typed.words + text.slice(from + typed.length);
  }
  return { base: before, mixed };
}
