// The input of a generation, and its results so far.
import type { Token } from 'node-llama-cpp';
import type { Generation, PrefillProgress } from '../../../core/model/model.ts';
import type { GenerateParams } from '../../../protocol/engine.ts';
import type { Tokenised } from '../../../templates/tokenise.ts';
import type { Slot } from '../slot/slot.ts';
import type { LoadedModel } from './grammars.ts';

export interface GenerationJob {
  readonly loaded: LoadedModel;
  readonly slot: Slot;
  readonly params: GenerateParams;
  readonly prompt: Pick<Tokenised, 'tokens' | 'image'>;
  /** Taken instead of sampled tokens. */
  readonly forced: readonly number[] | null;
  /** Whether tokens that the prompt may tell are guessed; they are, if not said otherwise. */
  readonly guesses?: boolean;
  readonly onText: (text: string) => void;
  readonly onProgress: (progress: PrefillProgress) => void;
  readonly signal: AbortSignal;
}

/** The findings of a run; times are `performance.now()`. */
export interface GenerationRun {
  /** The mark of the thoughts that the template opened; it stands in front of the text and is none of the tokens. */
  readonly opened: string;
  /** All of the message that went into the sequence; a prompt that continues brings the first ones. */
  readonly ids: Token[];
  /** How many of them count, where it went round in circles. */
  kept: number | null;
  stop: Generation['stop'];
  /** Tokens by the library's meter for the last prompt token, whose logits give the first generated one. */
  lastPromptTokens: number;
  firstToken: number | null;
  /** Tokens that were guessed and found right. */
  quoted: number;
  /** Tokens that were thoughts. */
  thought: number;
}

export function firstToken(
  run: GenerationRun,
  spent: { readonly usedInputTokens: number; readonly usedOutputTokens: number },
): void {
  run.lastPromptTokens = spent.usedInputTokens + spent.usedOutputTokens;
  run.firstToken = performance.now();
}

/** Tokens at a prompt's end that may open thoughts. */
const openingTokens = 16;

/** The text that a prompt ends with; of one that continues a message, in front of it. */
export function promptEndOf({ spelling }: Pick<LoadedModel, 'spelling'>, asked: readonly number[]): string {
  return spelling.text(asked.slice(-openingTokens));
}
