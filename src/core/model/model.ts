// The model port: what the turn loop needs from an engine. Tokens are counted and generated in one slot per node.
import type { Generated } from '../dialog/dialog.ts';
import type { Quotable } from '../dialog/quotable.ts';
import type { Signal } from '../dialog/tool.ts';
import type { KvBreak } from '../kv/kvPlan.ts';
import type { Measure, Prompt } from '../prompt/prompt.ts';

export interface GenerateRequest {
  readonly prompt: Prompt;
  /** An answer, if not said. */
  readonly asker?: 'summary';
  /** Tokens to generate at most. */
  readonly maxTokens: number;
  /** Thoughts that take more of them are ended; none are, if not said. */
  readonly thoughtTokens?: number;
  readonly toolCalls: ToolCallMode;
  readonly reuse: CacheReuse;
  /** GBNF for the whole message; no tool call then. */
  readonly grammar?: string;
  /** An argument that can be kept to lines of a text. An engine that cannot leaves it to the tool to say what does not stand there. */
  readonly quotable?: Quotable;
}

/**
 * The part of a slot's cache that a new prompt reuses. `none`: nothing, every token is decoded. `exact`: the common prefix. `shift`: also
 * tokens behind erased segments, shifted; they were computed with the erased ones before them, so they are approximate. `auto`: like
 * `shift`, and idle work recomputes the slot, so that it is exact again.
 */
export type CacheReuse = 'auto' | 'exact' | 'shift' | 'none';

/** `none` keeps the model from opening a tool call; `choice` makes it write one, or only the word that `decline` holds. */
export type ToolCallMode = 'auto' | 'none' | 'choice';

/** The word a model says when it may only choose a tool and wants none. */
export const decline = 'answer';

/** How far a prefill is. */
export interface PrefillProgress {
  /** Prompt tokens in the slot, and all of them. */
  readonly done: number;
  readonly of: number;
  /** Tokens decoded so far for this request, and in what time. */
  readonly decoded: number;
  readonly milliseconds: number;
}

/** How the slot came to hold the prompt: reused + shifted + decoded = tokens of the prompt. */
export interface Prefill {
  readonly reused: number;
  /** Moved up behind erased segments, not decoded again. */
  readonly shifted: number;
  /** Tokens decoded, by llama.cpp's own meter. */
  readonly decoded: number;
  /** Tokens the slot held before the request. */
  readonly slotTokens: number;
  /** Tokens of the slot that attended to erased ones, directly or through others: those from the first erased one on. */
  readonly approximate: number;
  /** The first difference between slot and prompt; null when the prompt only extends the slot. */
  readonly firstBreak: KvBreak | null;
  readonly milliseconds: number;
}

export interface Generation {
  readonly raw: string;
  readonly generated: Generated;
  /** `repeats`: it went round in circles; what came again is cut off. */
  readonly stop: 'end' | 'length' | 'cancelled' | 'repeats';
  readonly prefill: Prefill;
  /** From the request to the first generated token. */
  readonly firstTokenMilliseconds: number;
  readonly generateMilliseconds: number;
  /** Tokens of it that were guessed, because they stand in the prompt, and found right; left out where nothing is guessed. */
  readonly quoted?: number;
  /** Tokens of it that were thoughts; left out where there were none, and where nobody counts them. */
  readonly thoughtTokens?: number;
  /** Other programs took cores meanwhile, so that it was slower than it need be; left out where nobody looked. */
  readonly busy?: true;
}

/** The result of a generation that was cancelled before it began. */
export const nothingSaid: Generation = {
  raw: '',
  generated: { model: '', ids: [] },
  stop: 'cancelled',
  prefill: { reused: 0, shifted: 0, decoded: 0, slotTokens: 0, approximate: 0, firstBreak: null, milliseconds: 0 },
  firstTokenMilliseconds: 0,
  generateMilliseconds: 0,
};

/** Rejects with a FaultError when the engine fails; a cancelled generation resolves with what there is. */
export interface Model {
  measure(prompt: Prompt, signal?: Signal): Promise<Measure>;
  generate(
    request: GenerateRequest,
    onText: (text: string) => void,
    signal: Signal,
    onPrefill?: (progress: PrefillProgress) => void,
  ): Promise<Generation>;
}
