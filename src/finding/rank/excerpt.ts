// What of a candidate is shown: all of it where it is short, else the line that declares it and the lines around what matches.
import { type Passage, stretchesOf } from '../../core/found.ts';
import type { Candidate } from './score.ts';
import { weights } from './weights.ts';

export function excerpt(candidate: Candidate, why: string): Passage {
  const { path, from, lines } = candidate;
  const shown = size(lines) <= weights.whole ? new Set(lines.keys()) : around(candidate);
  const numbered = [...shown].toSorted((one, two) => one - two).map((at) => [from + at, lines[at] ?? ''] as const);
  return { kind: 'file', path, why, stretches: stretchesOf(trimmed(numbered)) };
}

function size(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.trim().length + 1, 0);
}

/** Indices of lines: the one that declares, and those around the best until the characters are used up. */
function around({ lines, lineScores, outline, from, to }: Candidate): ReadonlySet<number> {
  const shown = new Set<number>();
  let left = weights.shown;
  const show = (at: number): void => {
    if (at < 0 || at >= lines.length || shown.has(at)) return;
    shown.add(at);
    left -= (lines[at]?.trim().length ?? 0) + 1;
  };
  for (const { line } of outline) if (line >= from && line <= to && shown.size === 0) show(line - from);
  const best = [...lineScores.entries()]
    .filter(([, score]) => score > 0)
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  const places = best.length === 0 ? [[0, 0] as const] : best;
  for (const [at] of places) {
    for (let distance = 0; distance <= weights.around && left > 0; distance++) {
      show(at - distance);
      show(at + distance);
    }
    if (left <= 0) return shown;
  }
  // Room that is left goes to what follows.
  for (let at = 0; at < lines.length && left > 0; at++) show(at);
  return shown;
}

/** Without blank lines at the ends, and without gaps of a single line. */
function trimmed(lines: readonly (readonly [number, string])[]): readonly (readonly [number, string])[] {
  const first = lines.findIndex(([, text]) => text.trim() !== '');
  const last = lines.findLastIndex(([, text]) => text.trim() !== '');
  return first < 0 ? lines : lines.slice(first, last + 1);
}
