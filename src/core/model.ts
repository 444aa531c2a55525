// The model port: what the turn loop needs from an engine. Tokens are counted and generated in one slot per node.
import type { Generated } from './dialog.ts';
import type { Measure, Prompt } from './prompt.ts';
import type { Signal } from './tool.ts';

export interface GenerateRequest {
  readonly prompt: Prompt;
  /** Tokens to generate at most. */
  readonly maxTokens: number;
  readonly toolCalls: ToolCallMode;
  /** Off: the slot is emptied first, so that every token of the prompt is decoded. */
  readonly reuse: boolean;
  /** GBNF for the whole message; no tool call then. */
  readonly grammar?: string;
}

/** `none` keeps the model from opening a tool call; `choice` makes it write one, or nothing but the word `decline`. */
export type ToolCallMode = 'auto' | 'none' | 'choice';

/** What a model says when it may only choose and wants no tool. */
export const decline = 'answer';

/** How the slot came to hold the prompt: reused + shifted + decoded = tokens of the prompt. */
export interface Prefill {
  readonly reused: number;
  readonly shifted: number;
  /** By the llama library's own token meter. */
  readonly decoded: number;
  /** Tokens the slot held before the request. More than `reused` means its prefix broke. */
  readonly slotTokens: number;
  readonly milliseconds: number;
}

export interface Generation {
  readonly raw: string;
  readonly generated: Generated;
  readonly stop: 'end' | 'length' | 'cancelled';
  readonly prefill: Prefill;
  /** From the request to the first generated token. */
  readonly firstTokenMilliseconds: number;
  readonly generateMilliseconds: number;
}

/** Rejects with a FaultError when the engine fails; a cancelled generation resolves with what there is. */
export interface Model {
  measure(prompt: Prompt): Promise<Measure>;
  generate(request: GenerateRequest, onText: (text: string) => void, signal: Signal): Promise<Generation>;
}
