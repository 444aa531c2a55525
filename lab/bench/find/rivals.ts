// The ways that finding is compared with: they rank windows of 30 lines by the words in them.
import { readFileSync } from 'node:fs';
import type { FoundLines } from './questions.ts';

const rivalLines = 30;

export interface Chunk extends FoundLines {
  readonly words: ReadonlyMap<string, number>;
  readonly length: number;
}

export function chunksOf(path: string, file: string): readonly Chunk[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return Array.from({ length: Math.ceil(lines.length / rivalLines) }, (_, at) => {
    const part = lines.slice(at * rivalLines, (at + 1) * rivalLines);
    const text = part.join('\n');
    const all = wordsOf(text);
    const words = new Map<string, number>();
    for (const word of all) words.set(word, (words.get(word) ?? 0) + 1);
    return { path, from: at * rivalLines + 1, to: at * rivalLines + part.length, text, words, length: all.length };
  });
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

/** Ranks windows as grep would: by how many of the question's words of four letters and more stand in them, each counted once. */
export function countWords(chunks: readonly Chunk[], question: string): readonly Chunk[] {
  const asked = [...new Set(wordsOf(question))].filter((word) => word.length > 3);
  return ranked(chunks, ({ text }) => {
    const low = text.toLowerCase();
    return asked.filter((word) => low.includes(word)).length;
  });
}

export function rankBm25(chunks: readonly Chunk[], question: string): readonly Chunk[] {
  const asked = [...new Set(wordsOf(question))];
  const mean = chunks.reduce((sum, { length }) => sum + length, 0) / chunks.length;
  const rarity = new Map(
    asked.map((word) => {
      const having = chunks.filter(({ words }) => words.has(word)).length;
      return [word, Math.log(1 + (chunks.length - having + 0.5) / (having + 0.5))];
    }),
  );
  return ranked(chunks, ({ words, length }) =>
    asked.reduce((sum, word) => {
      const count = words.get(word) ?? 0;
      return sum + ((rarity.get(word) ?? 0) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / mean));
    }, 0),
  );
}

function ranked(chunks: readonly Chunk[], score: (chunk: Chunk) => number): readonly Chunk[] {
  const scored = chunks.map((chunk) => ({ chunk, score: score(chunk) })).filter((one) => one.score > 0);
  return scored.toSorted((one, two) => two.score - one.score).map(({ chunk }) => chunk);
}
