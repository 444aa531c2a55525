// The benchmark's rows: counts of what one policy did with one trace in one window.
import type { Kind } from './kinds.ts';

export const policies = [
  'no reuse',
  'exact-limit trimming',
  'hysteresis to 75 %',
  'LlamaChatSession',
  'ours exact',
  'ours exact, idle time',
  'ours auto',
  'ours auto, idle time',
  'ours auto, compacting by rules',
  'ours auto, compacting while idle',
] as const;
export type Policy = (typeof policies)[number];

/** Their summaries are new tokens too. */
export const compacted: readonly Policy[] = ['ours auto, compacting by rules', 'ours auto, compacting while idle'];

export interface Counts {
  readonly calls: number;
  readonly promptTokens: number;
  /** Tokens decoded while somebody waits, by the library's meter, without those of the recorded assistant. */
  readonly decoded: number;
  /** Tokens decoded between turns, by the library's meter; null where the policy does nothing then. */
  readonly decodedIdle: number | null;
  /** Tokens moved up behind erased ones instead of being decoded again. */
  readonly shifted: number;
  /** How often the policy let go of something between two calls. */
  readonly crossings: number;
  /** Prompt tokens as a share of the limit, the mean of the calls after the tenth turn. */
  readonly fill: number;
  /** Tokens seen for the first time, counted from prompts; null where the policy's prompts are not ours. */
  readonly newTokens: number | null;
  readonly warm: WarmLaw | null;
  /** The last turn it came to the end of, where it never came back from the next. */
  readonly hungBehind?: number;
}

/** Counts the turns after idle time, and how many of them began with exactly the warmed tokens. */
export interface WarmLaw {
  readonly turns: number;
  readonly kept: number;
  readonly exceptions: readonly WarmException[];
}

export interface WarmException {
  readonly turn: number;
  readonly warmed: number;
  /** Warmed tokens that served the next call where they were. */
  readonly reused: number;
  readonly cause: string;
  /** The law allows it: the message did not fit into the space that was left for it. */
  readonly allowed: boolean;
}

export interface Result extends Counts {
  readonly trace: Kind;
  readonly window: number;
  readonly policy: Policy;
  /** The trace's new tokens as our own prompts count them: the same for every policy but those whose summaries are new as well. */
  readonly per: number;
  readonly seconds: number;
}

export function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((all, one) => all + of(one), 0);
}

/** From this turn on the window has been filled. */
const filled = 11;

export function meanFill(calls: readonly { readonly turn: number; readonly share: number }[]): number {
  const late = calls.filter(({ turn }) => turn >= filled);
  const some = late.length > 0 ? late : calls;
  return sum(some, ({ share }) => share) / some.length;
}
