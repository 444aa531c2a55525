// Lines of a file that an edit is about, and what becomes of them where the file, or what the model wrote, is dressed otherwise.
import type { Random } from './random.ts';

export interface EditCase {
  readonly kind: string;
  readonly seed: number;
  readonly source: string;
  /** The file as it is when the edit arrives, and as the model saw it. */
  readonly text: string;
  readonly seen: string;
  readonly old: string;
  readonly new: string;
  /** The text that a right edit gives, or null where the edit must be refused. */
  readonly expected: string | null;
  /** Lines, from 0, that may change. */
  readonly first: number;
  readonly count: number;
}

export type Made = Omit<EditCase, 'kind' | 'seed' | 'source' | 'seen'> & { readonly seen?: string };

export interface Region {
  readonly lines: readonly string[];
  readonly first: number;
  readonly count: number;
  /** The lines of the region, and what they become. */
  readonly old: readonly string[];
  readonly put: readonly string[];
}

/** Some lines that stand once in the file, with one of them changed and perhaps one added. */
export function region(lines: readonly string[], random: Random, most = 6): Region | null {
  const count = 1 + random.below(most);
  const first = random.below(Math.max(1, lines.length - count - 1));
  const old = lines.slice(first, first + count);
  const changed = random.below(old.length);
  const line = old[changed] ?? '';
  const word = /[A-Za-z_]{3,}/.exec(line)?.[0];
  if (word === undefined || old.some((one) => /[^\x20-\x7E]/.test(one))) return null;
  const renamed = line.replace(word, `${word}Tide`);
  const added = random.below(3) === 0 ? [`${/^\s*/.exec(line)?.[0] ?? ''}added(${random.below(1000)});`] : [];
  const put = [...old.slice(0, changed), renamed, ...added, ...old.slice(changed + 1)];
  return isOnce(lines, old) ? { lines, first, count, old, put } : null;
}

export function isOnce(lines: readonly string[], old: readonly string[]): boolean {
  const trimmed = lines.map((line) => line.trim());
  const wanted = old.map((line) => line.trim());
  const text = lines.join('\n');
  const whole = old.join('\n');
  const at = text.indexOf(whole);
  if (at < 0 || text.indexOf(whole, at + 1) >= 0) return false;
  const fits = trimmed.filter((_, i) => wanted.every((line, j) => trimmed[i + j] === line)).length;
  return fits === 1 && wanted.join('').replace(/\W/g, '').length >= 8;
}

export function replaced({ lines, first, count }: Region, put: readonly string[]): readonly string[] {
  return [...lines.slice(0, first), ...put, ...lines.slice(first + count)];
}

export const whole = (found: Region, text: string, expected: string | null, old: string, put: string): Made => ({
  text,
  expected,
  old,
  new: put,
  first: found.first,
  count: found.count,
});

/** The region written as it is, in a file that was made otherwise line by line; the expectation is made alike. */
export function inFile(
  found: Region,
  dress: (line: string, index: number, inRegion: boolean) => string,
  ask: (line: string) => string = (line) => line,
): Made {
  const isIn = (i: number) => i >= found.first && i < found.first + found.count;
  const text = found.lines.map((line, i) => dress(line, i, isIn(i))).join('\n');
  const dressed = found.lines.map((line, i) => dress(line, i, isIn(i)));
  const put = found.put.map((line) => {
    const same = found.old.indexOf(line);
    return same >= 0 ? (dressed[found.first + same] ?? line) : dress(line, -1, true);
  });
  const expected = [...dressed.slice(0, found.first), ...put, ...dressed.slice(found.first + found.count)].join('\n');
  return whole(found, text, expected, found.old.map(ask).join('\n'), found.put.map(ask).join('\n'));
}

export const spaced = (lines: readonly string[]) => lines.every((line) => /^(?: {2})*\S|^$/.test(line));
export const widened = (line: string, unit: string) => line.replace(/^ +/, (blanks) => unit.repeat(blanks.length / 2));

export const curly = (line: string) =>
  line
    .replace(/"([^"]*)"/g, '\u201C$1\u201D')
    .replace(/'([^']*)'/g, '\u2018$1\u2019')
    .replaceAll(' - ', ' \u2013 ');
