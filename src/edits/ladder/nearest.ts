// What a file has that is most like the lines a model asked for, for the model to read. Nothing is ever changed by likeness.
import type { Line } from './lines.ts';

/** Lines of the file, from `first`, counted from 1. */
export interface Nearest {
  readonly first: number;
  readonly lines: readonly string[];
}

/** Lines that are compared, and lines that are shown. */
const most = 40;
const shown = 14;
/** Of the words asked for, the share that must be there. */
const least = 0.3;

/** Null where nothing is like them. */
export function nearestLines(lines: readonly Line[], asked: string): Nearest | null {
  const wanted = asked
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, most)
    .map(wordsOf);
  const all = wanted.reduce((sum, { size }) => sum + size, 0);
  if (all === 0) return null;
  const there = lines.map(({ text }) => wordsOf(text));
  let best = { at: -1, score: 0 };
  for (let at = 0; at < there.length; at++) {
    const score = scoreAt(there, at, wanted);
    if (score > best.score) best = { at, score };
  }
  if (best.at < 0 || best.score < least * all) return null;
  const first = Math.max(0, best.at - 1);
  const length = Math.min(shown, wanted.length + 2);
  return { first: first + 1, lines: lines.slice(first, first + length).map(({ text }) => text) };
}

/** Words of each line that stand near the line it would be. */
function scoreAt(there: readonly ReadonlySet<string>[], at: number, wanted: readonly ReadonlySet<string>[]): number {
  let score = 0;
  for (const [i, words] of wanted.entries()) {
    let here = 0;
    for (const near of [i, i - 1, i + 1]) {
      const line = near < 0 ? undefined : there[at + near];
      const shared = line === undefined ? 0 : [...words].filter((word) => line.has(word)).length;
      here = Math.max(here, near === i ? shared : shared * 0.9);
    }
    score += here;
  }
  return score;
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]+/gu) ?? []);
}
