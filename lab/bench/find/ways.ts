// Ways of finding: the product's, and what is usual beside it, each within the same tokens.
import { join } from 'node:path';
import type { TokenCounter } from '../../../src/core/prompt/counter.ts';
import { fitFound } from '../../../src/core/prompt/fitFound.ts';
import type { FindingClient } from '../../../src/finding/client.ts';
import type { Query } from '../../../src/finding/finder.ts';
import { rowsOf } from '../../cli/foundRows.ts';
import type { FoundLines } from './questions.ts';
import { chunksOf, countWords, rankBm25 } from './rivals.ts';

export interface Result {
  readonly found: readonly FoundLines[];
  readonly tokens: number;
  /** Said to be weak, or nothing found. */
  readonly weak: boolean;
}

/** Brings what it finds for a question within so many tokens. */
export type Way = (question: string, budget: number) => Promise<Result>;

export function ours(
  finding: FindingClient,
  counter: TokenCounter,
  vectorOf: (text: string) => Promise<Query['vector']>,
): Way {
  const message = { pointed: [], standing: [], edits: false, files: [] };
  return async (text, budget) => {
    const vector = await vectorOf(text);
    const found = await finding.request('find', { text, message, ...(vector === undefined ? {} : { vector }) });
    const fitted = await fitFound(found, budget, counter);
    const tokens = fitted.tokens.reduce((a, b) => a + b, 0);
    return { found: rowsOf(fitted), tokens, weak: fitted.weak !== '' || fitted.passages.length === 0 };
  };
}

/** Windows of 30 lines, ranked by how many words of the question they hold, or by BM25. */
export function windows(folder: string, paths: readonly string[], counter: TokenCounter, by: 'words' | 'bm25'): Way {
  const chunks = paths.flatMap((path) => chunksOf(path, join(folder, path)));
  return async (text, budget) => {
    const ranked = by === 'words' ? countWords(chunks, text) : rankBm25(chunks, text);
    const found: FoundLines[] = [];
    let tokens = 0;
    for (const chunk of ranked.slice(0, 60)) {
      const size = (await counter.count([`${chunk.path}:${chunk.from}-${chunk.to}\n${chunk.text}`])).tokens[0] ?? 0;
      if (tokens + size > budget) continue;
      tokens += size;
      found.push(chunk);
    }
    return { found, tokens, weak: found.length === 0 };
  };
}
