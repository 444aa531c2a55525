// Finds the lines of a file that are most like those a model asked for, for the model to read. Nothing is ever changed by likeness.
import type { Line } from './lines.ts';

/** Lines of the file, from `first`, counted from 1. */
export interface Nearest {
  readonly first: number;
  readonly lines: readonly string[];
}

/** Lines that are compared, and lines that are shown. */
const most = 40;
const shown = 14;
/** The share of the words asked for that must be there. */
const least = 0.3;

/** Returns the lines of the file that share most words with those asked for; null where none is like them. */
export function nearestLines(lines: readonly Line[], asked: string): Nearest | null {
  const wanted = asked
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, most)
    .map(wordsOf);
  const all = wanted.reduce((sum, { size }) => sum + size, 0);
  if (all === 0) return null;
  const shared = sharedWords(lines, wanted);
  let best = { at: -1, score: 0 };
  for (let at = 0; at < lines.length; at++) {
    const score = scoreAt(shared, at);
    if (score > best.score) best = { at, score };
  }
  if (best.at < 0 || best.score < least * all) return null;
  const first = Math.max(0, best.at - 1);
  const length = Math.min(shown, wanted.length + 2);
  return { first: first + 1, lines: lines.slice(first, first + length).map(({ text }) => text) };
}

/** How many words each line has of each row that is asked for: a list for each row. */
function sharedWords(lines: readonly Line[], wanted: readonly ReadonlySet<string>[]): readonly Uint16Array[] {
  const shared = wanted.map(() => new Uint16Array(lines.length));
  const rowsWith = new Map<string, Uint16Array[]>();
  for (const [i, row] of shared.entries())
    for (const word of wanted[i] ?? []) rowsWith.set(word, [...(rowsWith.get(word) ?? []), row]);
  for (const [at, { text }] of lines.entries())
    for (const word of wordsOf(text)) for (const row of rowsWith.get(word) ?? []) row[at] = (row[at] ?? 0) + 1;
  return shared;
}

/** Words of each row that stand near the line it would be. */
function scoreAt(shared: readonly Uint16Array[], at: number): number {
  let score = 0;
  for (const [i, row] of shared.entries()) {
    const line = at + i;
    const beside = Math.max(i === 0 ? 0 : (row[line - 1] ?? 0), row[line + 1] ?? 0);
    score += Math.max(row[line] ?? 0, beside * 0.9);
  }
  return score;
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]+/gu) ?? []);
}
