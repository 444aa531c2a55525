// Fits what was found into its tokens: the most useful first, passages of one file that touch joined, none twice.
import type { TokenCounter } from './counter.ts';
import { type Found, firstLine, joined, lastLine, type Passage, passageText } from './found.ts';

export interface FittedPassages extends Found {
  /** Tokens of each passage as it is rendered, and whether they are the model's own count. */
  readonly tokens: readonly number[];
  readonly exact: boolean;
}

/** The texts of a passage as they stand in the prompt, each tokenised for itself. */
export type Render = (passage: Passage) => readonly string[];

const asText: Render = (passage) => [passageText(passage)];

/** Chooses the passages that fit into `most` tokens. A passage that does not fit makes way for smaller ones behind it. */
export async function fitFound(
  found: Found,
  most: number,
  counter: TokenCounter,
  render: Render = asText,
): Promise<FittedPassages> {
  let chosen: readonly Passage[] = [];
  let sizes: readonly number[] = [];
  let exact = true;
  const alone = await sizesOf(found.passages, counter, render);
  for (const [at, passage] of found.passages.entries()) {
    const next = placed(chosen, passage);
    const fresh = next.length > chosen.length;
    const sum = sizes.reduce((a, b) => a + b, 0);
    // A passage that touches no other costs its own tokens; when it joins another, both are counted anew.
    if (fresh && sum + (alone.tokens[at] ?? 0) > most) continue;
    const counted = fresh
      ? [...sizes, alone.tokens[at] ?? 0]
      : await recount(next, chosen, sizes, (changed) => sizesOf(changed, counter, render));
    if (counted.reduce((a, b) => a + b, 0) > most) continue;
    chosen = next;
    sizes = counted;
    exact &&= alone.exact;
  }
  return { ...found, passages: chosen, tokens: sizes, exact };
}

interface Sizes {
  readonly tokens: readonly number[];
  readonly exact: boolean;
}

/** Every text in one question, so that a model is asked once. */
async function sizesOf(passages: readonly Passage[], counter: TokenCounter, render: Render): Promise<Sizes> {
  if (passages.length === 0) return { tokens: [], exact: true };
  const texts = passages.map(render);
  const { tokens, exact } = await counter.count(texts.flat());
  let at = 0;
  const sizes = texts.map(({ length }) => {
    const own = tokens.slice(at, at + length);
    at += length;
    return own.reduce((a, b) => a + b, 0);
  });
  return { tokens: sizes, exact };
}

async function recount(
  next: readonly Passage[],
  before: readonly Passage[],
  sizes: readonly number[],
  measure: (passages: readonly Passage[]) => Promise<Sizes>,
): Promise<readonly number[]> {
  const known = new Map(before.map((passage, at) => [passage, sizes[at] ?? 0]));
  const changed = next.filter((passage) => !known.has(passage));
  const { tokens } = await measure(changed);
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
  return firstLine(two) <= lastLine(one) + 1 && firstLine(one) <= lastLine(two) + 1;
}
