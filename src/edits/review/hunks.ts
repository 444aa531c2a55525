// The lines in which a text differs from what it was before.
import { diffArrays } from 'diff';
import { sha256Of } from '../../tools/files/hash.ts';
import { bracketsIn } from '../ladder/brackets.ts';

export interface HunkLines {
  /** From 0. */
  readonly start: number;
  readonly lines: readonly string[];
}

export interface Hunk {
  readonly before: HunkLines;
  readonly after: HunkLines;
}

/** Lines that go or come between two anchors, at most: the time that a comparison takes grows with their square. */
const mostEdits = 2000;

/** Compared between lines that stand once in both texts, so that the time grows with the length of the texts (B. Cohen's patience diff). */
export function hunksOf(before: string, after: string): readonly Hunk[] {
  const [old, now] = [textLines(before), textLines(after)];
  const hunks: Hunk[] = [];
  let [from, to] = [0, 0];
  for (const [a, b] of [...anchorsOf(old, now), [old.length, now.length] as const]) {
    if (a > from || b > to) hunks.push(...between(old.slice(from, a), now.slice(to, b), from, to));
    [from, to] = [a + 1, b + 1];
  }
  return joined(hunks, old);
}

/** Lines between two hunks that may be one. */
const mostBetween = 12;

/** A hunk that opens a bracket, in the old text or the new one, and the next that closes it are halves of a statement: neither can be undone alone. */
function joined(hunks: readonly Hunk[], old: readonly string[]): readonly Hunk[] {
  const all: Hunk[] = [];
  for (const hunk of hunks) {
    const last = all.at(-1);
    const end = last === undefined ? 0 : last.before.start + last.before.lines.length;
    const between = old.slice(end, hunk.before.start);
    if (last !== undefined && between.length <= mostBetween && opens(last))
      all[all.length - 1] = together(last, between, hunk);
    else all.push(hunk);
  }
  return all;
}

function opens({ before, after }: Hunk): boolean {
  return [before, after].some(({ lines }) => bracketsIn(lines.join('')) > 0);
}

function together({ before, after }: Hunk, between: readonly string[], next: Hunk): Hunk {
  return {
    before: { start: before.start, lines: [...before.lines, ...between, ...next.before.lines] },
    after: { start: after.start, lines: [...after.lines, ...between, ...next.after.lines] },
  };
}

/** `from` and `to` are the places of the first lines. */
function between(old: readonly string[], now: readonly string[], from: number, to: number): readonly Hunk[] {
  const parts = diffArrays([...old], [...now], { maxEditLength: mostEdits });
  if (parts === undefined) return [{ before: { start: from, lines: old }, after: { start: to, lines: now } }];
  const hunks: Hunk[] = [];
  let [at, nowAt] = [0, 0];
  for (let i = 0; i < parts.length; ) {
    const [start, nowStart] = [at, nowAt];
    for (; parts[i]?.added || parts[i]?.removed; i++) {
      if (parts[i]?.removed) at += parts[i]?.count ?? 0;
      else nowAt += parts[i]?.count ?? 0;
    }
    if (at > start || nowAt > nowStart)
      hunks.push({
        before: { start: from + start, lines: old.slice(start, at) },
        after: { start: to + nowStart, lines: now.slice(nowStart, nowAt) },
      });
    const same = parts[i++]?.count ?? 0;
    at += same;
    nowAt += same;
  }
  return hunks;
}

/** The longest run of lines that stand once in both texts and in the same order, as places in each. */
function anchorsOf(old: readonly string[], now: readonly string[]): readonly (readonly [old: number, now: number])[] {
  const [once, nowOnce] = [onceIn(old), onceIn(now)];
  /** The last pair of the best run of each length, with the pair before it. */
  const ends: Anchor[] = [];
  for (const [line, a] of once) {
    const b = nowOnce.get(line);
    if (b === undefined) continue;
    const at = placeFor(ends, b);
    ends[at] = { a, b, before: ends[at - 1] ?? null };
  }
  const run: (readonly [number, number])[] = [];
  for (let end = ends.at(-1) ?? null; end !== null; end = end.before) run.push([end.a, end.b]);
  return run.reverse();
}

interface Anchor {
  readonly a: number;
  readonly b: number;
  readonly before: Anchor | null;
}

/** How many runs end in front of a place. */
function placeFor(ends: readonly Anchor[], b: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle]?.b ?? 0) < b) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lines that stand once, in their order, with their places. */
function onceIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const [places, often] = [new Map<string, number>(), new Set<string>()];
  for (const [at, line] of lines.entries()) {
    if (places.has(line)) often.add(line);
    else places.set(line, at);
  }
  for (const line of often) places.delete(line);
  return places;
}

/** Each with its line end. */
export function textLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The smallest run in which two texts differ, in UTF-16 units, so that cursors and folded regions elsewhere stay. */
export function difference(before: string, after: string): { from: number; to: number; text: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < most - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from, to: before.length - end, text: after.slice(from, after.length - end) };
}

/** Names for hunks by their lines, so that one is still found where others went, and no other is taken for it. */
export function hunkKeys(hunks: readonly Hunk[]): readonly string[] {
  const times = new Map<string, number>();
  return hunks.map(({ before, after }) => {
    const name = sha256Of(JSON.stringify([before.lines, after.lines])).slice(0, 16);
    const time = times.get(name) ?? 0;
    times.set(name, time + 1);
    return `${name}.${time}`;
  });
}
