// A code block as a change of a text: over given lines, or over all of it.
import { t } from '@vscode/l10n';
import { diffArrays } from 'diff';
import { fileLines, withPlainEnds } from '../ladder/lines.ts';

/** A run of a text, in characters, and what stands there instead. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** The choice in words, for the user: the lines to replace, or the place to insert at. */
  readonly words: string;
}

/** The code with the file's line ends, over a part of the text. Code in a fence always ends its last line. */
export function changeOf(base: string, from: number, to: number, code: string, words: string): Change {
  const text = inEndsOf(base, base.slice(from, to), code);
  const endsLine =
    to === base.length ? base === '' || /[\r\n]$/.test(base) : to === 0 || /[\r\n]/.test(base[to - 1] ?? '');
  return { from, to, text: endsLine ? text : text.replace(/(?:\r\n|\n|\r)$/, ''), words };
}

/** Code with the line ends of the file: where it has several kinds, a line that stays keeps its own, and a new one has that of most lines. */
function inEndsOf(base: string, former: string, code: string): string {
  const kinds = new Map<string, number>();
  for (const { end } of fileLines(base)) if (end !== '') kinds.set(end, (kinds.get(end) ?? 0) + 1);
  const [[usual] = ['\n']] = [...kinds].sort((a, b) => b[1] - a[1]);
  const lines = withPlainEnds(code).split('\n');
  if (kinds.size < 2) return lines.join(usual);
  const own = fileLines(former);
  const texts = own.map(({ text }) => text);
  const ends = diffArrays(texts, lines).reduce<{ at: number; ends: string[] }>(
    ({ at, ends: so }, { added, removed, value }) => {
      if (removed) return { at: at + value.length, ends: so };
      if (added) return { at, ends: [...so, ...value.map(() => usual)] };
      return { at: at + value.length, ends: [...so, ...value.map((_, i) => own[at + i]?.end || usual)] };
    },
    { at: 0, ends: [] },
  ).ends;
  return lines.map((line, i) => (i === lines.length - 1 ? line : line + (ends[i] ?? usual))).join('');
}

export function wholeChange(base: string, code: string): Change {
  return changeOf(base, 0, base.length, code, t('replace the whole file'));
}

/** Over these lines, from 0, both included. */
export function linesChange(base: string, start: number, end: number, code: string): Change {
  const edges = edgesOf(base);
  const isAll = start === 0 && (edges[end + 1] ?? base.length) === base.length;
  const lines = end === start ? t('replace line {0}', start + 1) : t('replace lines {0}–{1}', start + 1, end + 1);
  const words = isAll ? t('replace the whole file') : lines;
  return changeOf(base, edges[start] ?? 0, edges[end + 1] ?? base.length, code.replace(/^(\s*\n)+/, ''), words);
}

export function changedText(base: string, { from, to, text }: Change): string {
  return base.slice(0, from) + text + base.slice(to);
}

export function plainLines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Returns the index at which each line begins. */
export function edgesOf(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((found) => found.index + found[0].length)];
}
