// The lines in which a text differs from what it was before.
import { structuredPatch } from 'diff';
import { sha256Of } from '../../tools/files/hash.ts';

export interface HunkLines {
  /** From 0. */
  readonly start: number;
  readonly lines: readonly string[];
}

export interface Hunk {
  readonly before: HunkLines;
  readonly after: HunkLines;
}

/** Lines that go or come, at most: the time that a comparison takes grows with their square. */
const mostEdits = 2000;

/** All between the lines that both texts begin and end with. */
function oneHunk(old: readonly string[], now: readonly string[]): Hunk {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return {
    before: { start, lines: old.slice(start, old.length - end) },
    after: { start, lines: now.slice(start, now.length - end) },
  };
}

export function hunksOf(before: string, after: string): readonly Hunk[] {
  const options = { context: 0, stripTrailingCr: false, maxEditLength: mostEdits };
  const patch = structuredPatch('', '', before, after, '', '', options);
  const [old, now] = [textLines(before), textLines(after)];
  if (patch === undefined) return [oneHunk(old, now)];
  const { hunks } = patch;
  return hunks.map(({ oldStart, oldLines, newStart, newLines }) => {
    const [from, to] = [oldStart - 1, newStart - 1];
    return {
      before: { start: from, lines: old.slice(from, from + oldLines) },
      after: { start: to, lines: now.slice(to, to + newLines) },
    };
  });
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
