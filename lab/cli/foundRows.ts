// Found passages as rows of numbers: one row for each stretch of lines that is shown, so that no row covers a gap.

import type { FittedPassages } from '../../src/core/prompt/fitFound.ts';
import type { Passage } from '../../src/core/prompt/found.ts';

export interface FoundRow {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** A passage in several stretches shares its tokens out by their length; the rows add up to its own count. */
  readonly tokens: number;
  readonly why: string;
  readonly text: string;
}

export function rowsOf({ passages, tokens }: FittedPassages): readonly FoundRow[] {
  return passages.flatMap((passage, at) => rows(passage, tokens[at] ?? 0));
}

function rows(passage: Passage, tokens: number): readonly FoundRow[] {
  const { path, stretches, why } = passage;
  const texts = stretches.map(({ lines }) => lines.join('\n'));
  const all = texts.reduce((sum, text) => sum + text.length, 0) || 1;
  let left = tokens;
  return stretches.map(({ from, lines }, at) => {
    const share = at === stretches.length - 1 ? left : Math.round((tokens * (texts[at]?.length ?? 0)) / all);
    left -= share;
    return { path, from, to: from + lines.length - 1, tokens: share, why, text: texts[at] ?? '' };
  });
}
