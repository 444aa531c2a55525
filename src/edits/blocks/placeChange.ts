// A code block as a change of a text: over the part that begins and ends like it, over given lines, or over all of it.
import { t } from '@vscode/l10n';
import { isWholePart } from './declarations.ts';

/** A run of a text, in characters, and what stands there instead. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** What it replaces, in words. */
  readonly words: string;
}

/** The code with the file's line ends, over a part of the text. Code in a fence always ends its last line. */
export function changeOf(base: string, from: number, to: number, code: string, words: string): Change {
  const end = base.includes('\r\n') ? '\r\n' : '\n';
  const text = code.replace(/\r?\n/g, end);
  const endsLine = to === base.length ? base === '' || base.endsWith('\n') : to === 0 || base[to - 1] === '\n';
  return { from, to, text: endsLine ? text : text.replace(/\r?\n$/, ''), words };
}

export function wholeChange(base: string, code: string): Change {
  return changeOf(base, 0, base.length, code, t('replace the whole file'));
}

/** Over these lines, from 0, both included. */
export function linesChange(base: string, start: number, end: number, code: string): Change {
  const edges = edgesOf(base);
  const words = end === start ? t('replace line {0}', start + 1) : t('replace lines {0}–{1}', start + 1, end + 1);
  return changeOf(base, edges[start] ?? 0, edges[end + 1] ?? base.length, code.replace(/^(\s*\n)+/, ''), words);
}

/** A part is meant when the code's first line stands in the file once, and its last line somewhere behind it. Null for none, or all. */
export function alikePart(base: string, code: string): Change | null {
  const lines = plainLines(base);
  const wanted = code.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [first, last] = [wanted[0], wanted.at(-1)];
  const starts = lines.flatMap((line, i) => (line === first ? [i] : []));
  const [start, another] = starts;
  if (start === undefined || another !== undefined || last === undefined) return null;
  const end = wanted.length === 1 ? start : lines.findIndex((line, i) => i > start && line === last);
  if (
    end < 0 ||
    !belongTogether(lines, start, end, wanted) ||
    wanted.some((line) => lines.lastIndexOf(line) > end && isOnce(lines, line))
  )
    return null;
  if (!isWholePart(lines, start, end, wanted)) return null;
  if (start === 0 && end >= lines.findLastIndex((line) => line.trim() !== '')) return null;
  return linesChange(base, start, end, code);
}

/** All between stands further in, or in the code as well: nothing of the same level is taken along. */
function belongTogether(lines: readonly string[], start: number, end: number, wanted: readonly string[]): boolean {
  const indent = (line = '') => line.search(/\S/);
  const known = new Set(wanted);
  return lines
    .slice(start + 1, end)
    .every((line) => line.trim() === '' || indent(line) > indent(lines[start]) || known.has(line));
}

/** It tells where it belongs. */
function isOnce(lines: readonly string[], line: string): boolean {
  return lines.indexOf(line) === lines.lastIndexOf(line);
}

export function changedText(base: string, { from, to, text }: Change): string {
  return base.slice(0, from) + text + base.slice(to);
}

export function plainLines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.replace(/\r$/, ''));
}

/** Where each line begins. */
function edgesOf(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}
