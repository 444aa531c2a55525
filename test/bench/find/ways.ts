// Ways of finding: the product's, and what is usual beside it, each within the same tokens.
import { join } from 'node:path';
import { folderWorkspace } from '../../../src/cli/folderWorkspace.ts';
import { rowsOf } from '../../../src/cli/foundRows.ts';
import type { TokenCounter } from '../../../src/core/prompt/counter.ts';
import { fitFound } from '../../../src/core/prompt/fitFound.ts';
import type { FindingClient } from '../../../src/finding/client.ts';
import type { Query } from '../../../src/finding/finder.ts';
import { retrieve } from '../../../training/texts/lookUp.ts';
import type { Brought } from './questions.ts';
import { chunksOf, countWords, rankBm25 } from './rivals.ts';

export interface Result {
  readonly brought: readonly Brought[];
  readonly tokens: number;
  /** Said to be weak, or nothing brought. */
  readonly weak: boolean;
}

/** Brings what it finds for a question within so many tokens. */
export type Way = (question: string, room: number) => Promise<Result>;

export function ours(
  finding: FindingClient,
  counter: TokenCounter,
  vectorOf: (text: string) => Promise<Query['vector']>,
): Way {
  return async (text, room) => {
    const vector = await vectorOf(text);
    const found = await finding.request('find', { text, ...(vector === undefined ? {} : { vector }) });
    const fitted = await fitFound(found, room, counter);
    const tokens = fitted.tokens.reduce((a, b) => a + b, 0);
    return { brought: rowsOf(fitted), tokens, weak: fitted.weak !== '' || fitted.passages.length === 0 };
  };
}

/** The look-up of before: lines behind names in backticks and paths. */
export function formerLookup(folder: string, counter: TokenCounter): Way {
  return async (text, room) => {
    const signal = new AbortController().signal;
    const found = await retrieve(folderWorkspace(folder), text, { maxTokens: room }, counter, signal);
    const brought = found.split('\n').flatMap((line) => {
      const [, path = '', number = ''] = /^(.+?):(\d+): /.exec(line) ?? [];
      return path === '' ? [] : [{ path, from: Number(number), to: Number(number), text: line }];
    });
    return { brought, tokens: (await counter.count([found])).tokens[0] ?? 0, weak: found === '' };
  };
}

/** Windows of 30 lines, ranked by how many words of the question they hold, or by BM25. */
export function windows(folder: string, paths: readonly string[], counter: TokenCounter, by: 'words' | 'bm25'): Way {
  const chunks = paths.flatMap((path) => chunksOf(path, join(folder, path)));
  return async (text, room) => {
    const ranked = by === 'words' ? countWords(chunks, text) : rankBm25(chunks, text);
    const brought: Brought[] = [];
    let tokens = 0;
    for (const chunk of ranked.slice(0, 60)) {
      const size = (await counter.count([`${chunk.path}:${chunk.from}-${chunk.to}\n${chunk.text}`])).tokens[0] ?? 0;
      if (tokens + size > room) continue;
      tokens += size;
      brought.push(chunk);
    }
    return { brought, tokens, weak: brought.length === 0 };
  };
}
