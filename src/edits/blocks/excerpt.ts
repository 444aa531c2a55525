// A block that repeats consecutive lines of a file, some of them changed: it goes over those lines, and nothing is lost.
import { align } from './align.ts';
import { allDeclarations } from './declarations.ts';
import { type Change, linesChange, plainLines } from './placeChange.ts';

/** So many of the block's lines stand in the file as they are. */
const leastSame = 0.5;

/**
 * Returns the change of the lines that the block repeats. Null where the file has no counterpart to a line of the block, where the block lacks lines
 * of the file between its own, or where nothing tells the place: at least one line must stand in the file once. The beginning of a file is no
 * excerpt: its end may have been left out.
 */
export function excerptPart(base: string, code: string, path: string): Change | null {
  const found = repeated(base, code, path);
  return found === null || found.left.length > 0 ? null : found.change;
}

/** The same where the block says nothing but to take lines out: it has only lines of the file, and leaves out some in one place. */
export function shorterPart(base: string, code: string, path: string): Repeated | null {
  const found = repeated(base, code, path);
  return found?.isUnchanged === true && found.left.length > 0 ? found : null;
}

export interface Repeated {
  readonly change: Change;
  /** Lines of the file between those of the block that it lacks. */
  readonly left: readonly string[];
  /** Each line of the block stands in the file as it is. */
  readonly isUnchanged: boolean;
}

function repeated(base: string, code: string, path: string): Repeated | null {
  const [file, block] = [plainLines(base), plainLines(code)];
  const own = block.flatMap((line, at) => (line.trim() === '' ? [] : [at]));
  const of = counterparts(file, block, own, path);
  const [first, last] = [own[0] ?? 0, own.at(-1) ?? 0];
  const [from, to] = [of?.[first] ?? -1, of?.[last] ?? -1];
  if (of === null || from < 0 || to < 0) return null;
  const isSame = (at: number) => file[of[at] ?? -1]?.trimEnd() === block[at]?.trimEnd();
  const same = own.filter(isSame);
  const isWhole = file.slice(0, from).every((line) => line.trim() === '');
  if (same.length < leastSame * own.length || isWhole) return null;
  const places = new Set(own.map((at) => of[at] ?? -1));
  const rows = Array.from({ length: to - from }, (_, i) => from + i);
  const left = rows.filter((row) => file[row]?.trim() !== '' && !places.has(row));
  const isOneRun = rows.every((row) => !places.has(row) || row < (left[0] ?? to) || row > (left.at(-1) ?? from));
  // A new line has its place where those around it are neighbours in the file.
  const hasNew = own.some((at) => of[at] === -1);
  if (left.length > 0 && (hasNew || !isOneRun)) return null;
  const change = linesChange(base, from, to, code.replace(/(?:\n[ \t]*)*$/, '\n'));
  return { change, left: left.map((row) => file[row] ?? ''), isUnchanged: same.length === own.length };
}

/**
 * For each line of the block the file's line that it is, around lines that stand in the file once; -1 for a new one. Lines between the same
 * neighbours, as many here as there, are each other's, however they changed.
 */
function counterparts(
  file: readonly string[],
  block: readonly string[],
  own: readonly number[],
  path: string,
): readonly number[] | null {
  const nameIn = (line: string) => allDeclarations([line], path)[0]?.name;
  const times = (lines: readonly string[], line: string) => lines.filter((one) => one === line).length;
  const once = own.filter((at) => times(file, block[at] ?? '') === 1);
  // A line of the file that the block has twice may be a changed one as well as the copy in something new.
  if (once.length === 0 || once.some((at) => times(block, block[at] ?? '') > 1)) return null;
  const placed = new Map(once.map((at) => [at, file.indexOf(block[at] ?? '')]));
  const [first = 0, last = 0] = [once[0], once.at(-1)];
  const start = Math.max(0, (placed.get(first) ?? 0) - first);
  const around = file.slice(start, (placed.get(last) ?? 0) + block.length - last);
  const found = align(around, block, new Set(), (old, now) => nameIn(old) !== nameIn(now));
  if (found === null || once.some((at) => (found[at] ?? -1) + start !== placed.get(at))) return null;
  const of = found.map((at) => (at < 0 ? -1 : at + start));
  const telling = (lines: readonly string[], from: number) =>
    lines.flatMap((line, i) => (line.trim() === '' ? [] : [from + i]));
  const known = own.filter((at) => of[at] !== -1);
  for (const [i, at] of known.slice(1).entries()) {
    const before = known[i] ?? 0;
    const news = telling(block.slice(before + 1, at), before + 1);
    const olds = telling(file.slice((of[before] ?? 0) + 1, of[at]), (of[before] ?? 0) + 1);
    const isRenamed = news.some((one, k) => nameIn(file[olds[k] ?? -1] ?? '') !== nameIn(block[one] ?? ''));
    if (news.length === olds.length && !isRenamed) for (const [k, one] of news.entries()) of[one] = olds[k] ?? -1;
  }
  return of;
}
