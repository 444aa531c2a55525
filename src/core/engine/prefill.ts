// Prefill without an answer: what idle work asks of an engine, and what it comes to.
import type { CacheReuse, Prefill } from '../model/model.ts';
import type { Prompt } from '../prompt/prompt.ts';

/** Prefills everything before the last message's text: what any next user message will share. */
export interface WarmParams {
  readonly slot: number;
  readonly prompt: Prompt;
  /** `auto` and `exact` settle the slot: what is approximate in it is decoded again. */
  readonly reuse: CacheReuse;
  /** With `auto` only if that will take no longer, in milliseconds. */
  readonly settleMilliseconds: number;
}

export interface Warmth {
  /** Tokens of the stable prefix now in the slot, and how many it has. */
  readonly warmed: number;
  readonly of: number;
  readonly prefill: Prefill;
  /** Tokens that were approximate and are exact now. */
  readonly settled: number;
  /** Milliseconds that settling would have taken, where that was too long; otherwise null. */
  readonly unsettled: number | null;
  /** False where nothing is sent ahead: then what is warmed is what the last answer should have left there. */
  readonly sent?: boolean;
}
