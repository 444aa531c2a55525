// The shared part of the tests of the workspace bundle: a counter of one token per four characters, and a signal.

import type { Bundle } from '../../src/core/prompt/bundle.ts';
import type { TokenCounter } from '../../src/core/prompt/counter.ts';
import type { Workspace } from '../../src/tools/files/workspace.ts';
import { type BundleRequest, createBundle, defaultFiles } from '../../src/workspace/bundle.ts';

export const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** Keeps the texts it counted. */
export interface CountingCounter extends TokenCounter {
  readonly texts: string[];
}

export function countBy(tokens: (text: string) => number = tokensOf, exact = true): CountingCounter {
  const seen: string[] = [];
  return {
    texts: seen,
    count: async (texts) => {
      seen.push(...texts);
      return { tokens: texts.map(tokens), exact };
    },
  };
}

export const signal = new AbortController().signal;

export const aborted = AbortSignal.abort();

export function bundleOf(
  workspace: Workspace,
  request: Partial<BundleRequest> = {},
  counter = countBy(),
): Promise<Bundle> {
  const usual = { files: defaultFiles, overview: false, map: null, maxTokens: 2000, fileMaxTokens: 1000 };
  return createBundle(workspace, { ...usual, ...request }, counter, signal);
}

export const namesOf = ({ parts }: Bundle): readonly string[] => parts.map(({ name }) => name);
