// Text at a caret: the model fills in the middle between what stands in front and behind. It decodes in a small context of its own.

/** Whether the text behind the caret stands first in the prompt. Then typing only appends; the other way round it is decoded again with each key. */
export type FillOrder = 'suffix-first' | 'prefix-first';

export interface FillRequest {
  readonly prefix: string;
  readonly suffix: string;
  readonly order: FillOrder;
  /** Tokens to generate at most; 0 only reads the prompt. */
  readonly maxTokens: number;
  /** Ends behind so many lines, counted by their line feeds. */
  readonly lines: number;
  /** Ends behind the token with which the text as a whole is less likely; an engine that cannot tell goes on. */
  readonly least?: number;
}

/** A token as text, '' where it ends the text, and the probability that the model gave it, from 0 to 1. */
export interface WrittenPiece {
  readonly text: string;
  readonly probability: number;
}

export interface Completed {
  readonly text: string;
  /** Tokens. `before` and `behind` the caret, of the prompt; `decoded` are those of it that were not in the context yet. */
  readonly tokens: {
    readonly prompt: number;
    readonly before: number;
    readonly behind: number;
    readonly reused: number;
    readonly decoded: number;
    readonly generated: number;
  };
  readonly milliseconds: { readonly prefill: number; readonly generation: number };
  /** `lines`: as many as were asked for. */
  readonly stop: 'end' | 'lines' | 'length' | 'cancelled';
  /** The tokens of `text`. */
  readonly pieces: readonly WrittenPiece[];
}

export const nothingCompleted: Completed = {
  text: '',
  tokens: { prompt: 0, before: 0, behind: 0, reused: 0, decoded: 0, generated: 0 },
  milliseconds: { prefill: 0, generation: 0 },
  stop: 'cancelled',
  pieces: [],
};
