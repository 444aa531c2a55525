// Cuts out what is shown of a ranked part: its whole passage where that is short, else its own lines and the one that declares them.
import { firstLine, lastLine, type Passage, stretchesOf } from '../../core/prompt/found.ts';
import { sizeOf } from '../cut/parts.ts';
import type { Ranked } from './fuse.ts';
import { weights } from './weights.ts';

export function excerpt({ candidate, part }: Ranked, why: string): Passage {
  const { path, from, to, lines, outline } = candidate;
  const shown = sizeOf(lines) <= weights.whole ? { from, to } : part;
  const declared = outline.findLast(({ line, to: end }) => line >= from && line < shown.from && end >= shown.from);
  const above = declared === undefined ? [] : [declared.line];
  const numbered = [...above, ...numbers(shown.from, shown.to)].map(
    (number) => [number, lines[number - from] ?? ''] as const,
  );
  const kept = withoutBlankEnds(numbered);
  const isKept = new Set(kept.map(([number]) => number));
  const near = Array.from({ length: shown.to - shown.from + 5 }, (_, at) => shown.from - 2 + at);
  const blanks = near.filter((number) => !isKept.has(number) && lines[number - from]?.trim() === '');
  const below = candidate.declares.filter(({ line }) => isKept.has(line));
  const named = below.slice(0, 2).map(({ name, line }) => ({ name, line }));
  return {
    ...{ kind: 'file', path, why, blanks, stretches: stretchesOf(kept) },
    ...(named.length > 0 && { declares: named }),
  };
}

/** Lines of a passage with those around it. */
const mostLines = 90;

/** With so many lines above and below: in one stretch, where that is not too long. `lines`: those of its file. */
export function widened(passage: Passage, lines: readonly string[], around: number): Passage {
  if (around === 0 || lines.length === 0) return passage;
  const to = Math.min(lines.length, lastLine(passage) + around);
  const near = passage.stretches.at(-1) ?? passage.stretches[0];
  const whole = Math.max(1, firstLine(passage) - around);
  const from = to - whole < mostLines ? whole : Math.max(1, near.from - around);
  const numbered = numbers(from, Math.min(to, from + mostLines - 1)).map((at) => [at, lines[at - 1] ?? ''] as const);
  const above = passage.stretches.filter((one) => one.from + one.lines.length <= from);
  const declared = above.flatMap((one) => one.lines.map((line, at) => [one.from + at, line] as const));
  return { ...passage, stretches: stretchesOf([...declared, ...withoutBlankEnds(numbered)]) };
}

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

function withoutBlankEnds(lines: readonly (readonly [number, string])[]): readonly (readonly [number, string])[] {
  const first = lines.findIndex(([, text]) => text.trim() !== '');
  const last = lines.findLastIndex(([, text]) => text.trim() !== '');
  return first < 0 ? lines : lines.slice(first, last + 1);
}
