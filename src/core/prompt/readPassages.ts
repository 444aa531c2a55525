// Passages that were read while the user wrote: they stand in the slot, so they serve where they are as good, in the order in which they
// stand.
import type { FittedPassages } from './fitFound.ts';
import type { Passage } from './found.ts';

/** Behind the best passage those that were read come before others, as long as they are among so many. */
const among = 8;
/** A passage that was read serves for one of its file that it shows so much of. */
const enough = 1 / 2;

/** `passages`, `read`: the most useful first. */
export function preferRead(passages: readonly Passage[], read: readonly Passage[]): readonly Passage[] {
  if (read.length === 0) return passages;
  const served = passages.map((passage) => {
    const one = read.find((other) => shareIn(passage, other) >= enough && agree(passage, other));
    return one === undefined ? passage : { ...passage, stretches: one.stretches, blanks: one.blanks ?? [] };
  });
  const each = served.filter((one, at) => served.findIndex((other) => isSame(one, other)) === at);
  const [best, ...others] = each;
  if (best === undefined) return each;
  const isRead = (one: Passage, at: number) => at < among - 1 && read.some((other) => isSame(one, other));
  return [best, ...others.filter(isRead), ...others.filter((one, at) => !isRead(one, at))];
}

/** Passages that were read stand first in the prompt, that is behind the others here, in their own order. */
export function asRead(fitted: FittedPassages, read: readonly Passage[]): FittedPassages {
  const placeOf = (one: Passage) => read.findIndex((other) => isSame(one, other));
  const order = fitted.passages.map((one, at) => [placeOf(one), at] as const).toSorted(([a], [b]) => a - b);
  const pick = <T>(of: readonly T[]): readonly T[] => order.flatMap(([, at]) => of[at] ?? []);
  return { ...fitted, passages: pick(fitted.passages), tokens: pick(fitted.tokens) };
}

function isSame(one: Passage, two: Passage): boolean {
  return shareIn(one, two) === 1 && shareIn(two, one) === 1 && agree(one, two);
}

/** Whether lines that both show are the same: the file may have changed since one of them was read. */
function agree(one: Passage, two: Passage): boolean {
  const lines = linesOf(two);
  return [...linesOf(one)].every(([at, text]) => (lines.get(at) ?? text) === text);
}

/** How much of a passage's lines another one shows. */
function shareIn(passage: Passage, other: Passage): number {
  if (passage.path !== other.path || passage.kind !== other.kind) return 0;
  const [own, shown] = [linesOf(passage), linesOf(other)];
  return [...own.keys()].filter((line) => shown.has(line)).length / own.size;
}

/** Lines by their numbers. */
function linesOf({ stretches }: Passage): ReadonlyMap<number, string> {
  return new Map(stretches.flatMap(({ from, lines }) => lines.map((text, at) => [from + at, text] as const)));
}
