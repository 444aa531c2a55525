// The lines in which a text differs from what it was before, and what becomes of one of them: kept, or taken back.
import { structuredPatch } from 'diff';
import { sha256Of } from '../../tools/files/hash.ts';

/** Lines from 0. */
export interface Hunk {
  readonly before: { readonly start: number; readonly lines: readonly string[] };
  readonly after: { readonly start: number; readonly lines: readonly string[] };
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

/** The text before, with this change in it. */
export function keepHunk(before: string, { before: old, after }: Hunk): string {
  return textLines(before)
    .toSpliced(old.start, old.lines.length, ...after.lines)
    .join('');
}

/** The text of now, without this change. */
export function undoHunk(after: string, { before, after: now }: Hunk): string {
  return textLines(after)
    .toSpliced(now.start, now.lines.length, ...before.lines)
    .join('');
}

/** An edit of a text: this run of UTF-16 units gave way to these words. */
export interface Typed {
  readonly from: number;
  readonly length: number;
  readonly words: string;
}

/** The text before, with what was typed in the text of `now`; null where it was typed into a change, which it is then a part of. */
export function typedBeside(before: string, now: string, { from, length, words }: Typed): string | null {
  const size = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0);
  const lines = textLines(now);
  let moved = 0;
  for (const { before: old, after } of hunksOf(before, now)) {
    const start = size(lines.slice(0, after.start));
    const end = start + size(after.lines);
    if (end < from) moved += size(old.lines) - size(after.lines);
    else if (start <= from + length) return null;
  }
  const at = from + moved;
  return before.slice(0, at) + words + before.slice(at + length);
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
