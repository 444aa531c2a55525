// Costs of inline suggestions, as the views show them.
import type { Completed } from '../core/engine/completion.ts';

/** The fate of a text: `typed` is one of which a part was typed or accepted; the two last say whether an accepted one was still there after half a minute. */
export type CaretOutcome = 'none' | 'shown' | 'dismissed' | 'typed' | 'accepted' | 'kept' | 'changed';

export interface CaretRow {
  readonly id: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The origin of the text: `before` and `running` asked the model for nothing. */
  readonly source: 'model' | 'before' | 'running' | 'none';
  /** The text that was shown; '' for nothing. */
  readonly text: string;
  /** Why nothing was shown; '' where something was. */
  readonly why: string;
  readonly tokens: Completed['tokens'];
  readonly milliseconds: Completed['milliseconds'];
  readonly outcome: CaretOutcome;
}

/** Sums of all requests since the window opened. */
export interface CaretSums {
  readonly asked: number;
  readonly shown: number;
  readonly accepted: number;
  readonly kept: number;
  /** Tokens. */
  readonly prompt: number;
  readonly decoded: number;
  readonly generated: number;
  readonly milliseconds: number;
}
