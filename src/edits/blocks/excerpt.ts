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
  const [file, block] = [plainLines(base), plainLines(code)];
  const nameIn = (line: string) => allDeclarations([line], path)[0]?.name;
  const of = align(file, block, new Set(), (old, now) => nameIn(old) !== nameIn(now));
  if (of === null) return null;
  const telling = (lines: readonly string[], at: number) => lines[at]?.trim() !== '';
  const own = block.flatMap((_, at) => (telling(block, at) ? [at] : []));
  const lines = own.map((at) => of[at] ?? -1);
  const [from, to] = [lines[0] ?? -1, lines.at(-1) ?? -1];
  if (from < 0 || lines.includes(-1)) return null;
  const between = file.slice(from, to + 1).filter((line) => line.trim() !== '').length;
  const same = own.filter((at) => file[of[at] ?? -1]?.trimEnd() === block[at]?.trimEnd());
  const isTold = same.some((at) => file.filter((line) => line === block[at]).length === 1);
  const isWhole = file.slice(0, from).every((line) => line.trim() === '');
  if (between !== lines.length || same.length < leastSame * own.length || !isTold || isWhole) return null;
  return linesChange(base, from, to, code.replace(/\s+$/, '\n'));
}
