// What of a ranked part is shown: its whole passage where that is short, else its lines and the one that declares them.
import { type Passage, stretchesOf } from '../../core/prompt/found.ts';
import { sizeOf } from '../cut/parts.ts';
import type { Ranked } from './fuse.ts';
import { weights } from './weights.ts';

export function excerpt({ candidate, part }: Ranked, why: string): Passage {
  const { path, from, to, lines, outline } = candidate;
  const shown = sizeOf(lines) <= weights.whole ? { from, to } : part;
  const declared = outline.findLast(({ line, to: end }) => line >= from && line < shown.from && end >= shown.from);
  const numbers = Array.from({ length: shown.to - shown.from + 1 }, (_, at) => shown.from + at);
  if (declared !== undefined) numbers.unshift(declared.line);
  const numbered = numbers.map((number) => [number, lines[number - from] ?? ''] as const);
  const kept = withoutBlankEnds(numbered);
  const isKept = new Set(kept.map(([number]) => number));
  const near = Array.from({ length: shown.to - shown.from + 5 }, (_, at) => shown.from - 2 + at);
  const blanks = near.filter((number) => !isKept.has(number) && lines[number - from]?.trim() === '');
  return { kind: 'file', path, why, blanks, stretches: stretchesOf(kept) };
}

function withoutBlankEnds(lines: readonly (readonly [number, string])[]): readonly (readonly [number, string])[] {
  const first = lines.findIndex(([, text]) => text.trim() !== '');
  const last = lines.findLastIndex(([, text]) => text.trim() !== '');
  return first < 0 ? lines : lines.slice(first, last + 1);
}
