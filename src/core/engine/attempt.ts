// A generation of its own: without randomness, beside the slots, so that no conversation loses what its slot holds.
import type { ToolCallMode } from '../model/model.ts';
import type { Prompt } from '../prompt/prompt.ts';

export interface Attempt {
  readonly prompt: Prompt;
  readonly toolCalls: ToolCallMode;
  /** Tokens to generate at most. */
  readonly maxTokens: number;
  /** A test of the model, if not said. */
  readonly asker?: 'probe' | 'edit';
}
