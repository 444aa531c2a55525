// The cost of turns, and the warmth of the next prompt's prefix.
import type { Report, TurnTimes } from '../core/report/report.ts';

export type { TurnTimes } from '../core/report/report.ts';

/** Prompt tokens of the stable prefix that are in the slot. */
export interface WarmView {
  readonly warmed: number;
  readonly of: number;
  /** Decoded by the last idle work, and how long it took. */
  readonly decoded: number;
  readonly milliseconds: number;
  /** Tokens of the slot that attended to what is gone. */
  readonly approximate: number;
  /** About how long the next message would take longer without; null before anything was measured. */
  readonly savedMilliseconds: number | null;
  /** Why it is as warm as it is, in words. */
  readonly reason: string;
}

/** The cost of a turn: tokens of all its prompts by how they got into the slot. */
export interface TurnView {
  readonly turn: number;
  readonly end: Report['end'];
  readonly prompt: number;
  readonly reused: number;
  readonly shifted: number;
  readonly decoded: number;
  /** Tokens of `decoded` that calls after the first decoded: results of tools, above all. */
  readonly later: number;
  /** Up to the first word that the user sees; of older reports to the first token. Null where there was none. */
  readonly firstTokenMilliseconds: number | null;
  /** Left out of older reports. */
  readonly times?: TurnTimes;
}
