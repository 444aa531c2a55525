// Fits what was found into its tokens: the most useful first, passages of one file that touch joined, none twice.
import type { TokenCounter } from '../core/counter.ts';
import { type Found, firstLine, joined, lastLine, type Passage, passageText } from '../core/found.ts';

export interface Fitted extends Found {
  /** Tokens of each passage as it is rendered, and whether they are the model's own count. */
  readonly tokens: readonly number[];
  readonly exact: boolean;
}

/** Lines between two passages of a file that are shown rather than left out. */
const NARROW = 0;

/** What fits into `room` tokens. A passage that does not fit makes way for smaller ones behind it. */
export async function fitFound(found: Found, room: number, counter: TokenCounter): Promise<Fitted> {
  let chosen: readonly Passage[] = [];
  let sizes: readonly number[] = [];
  let exact = true;
  const texts = found.passages.map(passageText);
  const alone = texts.length === 0 ? { tokens: [], exact: true } : await counter.count(texts);
  for (const [at, passage] of found.passages.entries()) {
    const next = placed(chosen, passage);
    const fresh = next.length > chosen.length;
    const sum = sizes.reduce((a, b) => a + b, 0);
    // One that stands alone costs what it costs alone; where it joins another one, both are counted anew.
    if (fresh && sum + (alone.tokens[at] ?? 0) > room) continue;
    const counted = fresh ? [...sizes, alone.tokens[at] ?? 0] : await recount(next, chosen, sizes, counter);
    if (counted.reduce((a, b) => a + b, 0) > room) continue;
    chosen = next;
    sizes = counted;
    exact &&= alone.exact;
  }
  return { passages: chosen, weak: found.weak, tokens: sizes, exact };
}

async function recount(
  next: readonly Passage[],
  before: readonly Passage[],
  sizes: readonly number[],
  counter: TokenCounter,
): Promise<readonly number[]> {
  const known = new Map(before.map((passage, at) => [passage, sizes[at] ?? 0]));
  const changed = next.filter((passage) => !known.has(passage));
  const { tokens } = await counter.count(changed.map(passageText));
  return next.map((passage) => known.get(passage) ?? tokens[changed.indexOf(passage)] ?? 0);
}

/** The passages with one more: joined with those of its file that it touches or overlaps. */
function placed(passages: readonly Passage[], passage: Passage): readonly Passage[] {
  const touching = passages.filter((one) => one.kind === 'file' && one.path === passage.path && touches(one, passage));
  const [first] = touching;
  if (first === undefined) return [...passages, passage];
  const all = touching.slice(1).reduce(joined, joined(first, passage));
  return passages.flatMap((one) => (one === first ? [all] : touching.includes(one) ? [] : [one]));
}

function touches(one: Passage, two: Passage): boolean {
  return firstLine(two) <= lastLine(one) + 1 + NARROW && firstLine(one) <= lastLine(two) + 1 + NARROW;
}
