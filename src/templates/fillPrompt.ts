// The prompt of a text at the caret, as token ids: what a model was trained to fill in the middle with.
import type { FillRequest } from '../core/engine/completion.ts';
import type { SafeTokens } from './safeTokens.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The tokens that mark the parts. */
export interface FillMarks {
  readonly prefix: number;
  readonly suffix: number;
  /** The mark behind which the model writes; null where the prefix itself ends the prompt. */
  readonly middle: number | null;
}

export interface FillPrompt {
  readonly tokens: readonly number[];
  /** Tokens before the caret, and behind it. */
  readonly before: number;
  readonly behind: number;
}

/** `begin`: ids that begin every text of the model. */
export function fillPrompt(
  safe: Pick<SafeTokens, 'content'>,
  marks: FillMarks,
  begin: readonly number[],
  { prefix, suffix, order }: FillRequest,
): FillPrompt {
  const [before, behind] = [safe.content(prefix), safe.content(suffix)];
  const middle = marks.middle === null ? [] : [marks.middle];
  const isSuffixFirst = order === 'suffix-first' || marks.middle === null;
  const tokens = isSuffixFirst
    ? [...begin, marks.suffix, ...behind, marks.prefix, ...before, ...middle]
    : [...begin, marks.prefix, ...before, marks.suffix, ...behind, ...middle];
  return { tokens, before: before.length, behind: behind.length };
}

/** The texts by which llama.cpp finds the marks in a vocabulary that does not name them (src/llama-vocab.cpp). */
const markTexts = {
  prefix: ['<|fim_prefix|>', '<fim-prefix>', '<fim_prefix>', '<｜fim▁begin｜>', '<PRE>', '▁<PRE>', '<|code_prefix|>'],
  suffix: ['<|fim_suffix|>', '<fim-suffix>', '<fim_suffix>', '<｜fim▁hole｜>', '<SUF>', '▁<SUF>', '<|code_suffix|>'],
  middle: ['<|fim_middle|>', '<fim-middle>', '<fim_middle>', '<｜fim▁end｜>', '<MID>', '▁<MID>', '<|code_middle|>'],
} as const;

/** Looks for the marks in a vocabulary; null where it has none. A model's name tells nothing. */
export function fillMarksIn(
  vocabulary: Pick<Vocabulary, 'ids' | 'kind'>,
  textOf: (id: number) => string,
): FillMarks | null {
  const found: { prefix?: number; suffix?: number; middle?: number } = {};
  for (const id of vocabulary.ids()) {
    const { control, userDefined } = vocabulary.kind(id);
    if (!control && !userDefined) continue;
    const text = textOf(id);
    for (const part of ['prefix', 'suffix', 'middle'] as const)
      if ((markTexts[part] as readonly string[]).includes(text)) found[part] ??= id;
  }
  const { prefix, suffix, middle = null } = found;
  return prefix === undefined || suffix === undefined ? null : { prefix, suffix, middle };
}
