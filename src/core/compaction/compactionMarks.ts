// The marks of folding, in tokens: when to fold, how much stays verbatim, how long the state may be, and what a fold must free.
import type { Budget, Policy } from '../prompt/budget.ts';

export interface CompactionMarks {
  /** Idle work folds from here on. */
  readonly compactAt: number;
  /** The latest turns within this stay verbatim, and always the last one. */
  readonly tail: number;
  readonly stateCap: number;
  /** A fold that would free less is not made: it would come again too soon. */
  readonly minGain: number;
}

/** The largest share of the history budget the state may take. */
const stateShare = 0.15;
/** Less than what a crossing by dropping turns frees would make folds more frequent than those. */
const gainShare = 0.4;

/** `pinned` is the prompt's fixed head in tokens; the rest below high water is the history's. */
export function compactionMarks({ high }: Budget, { compactAt, tailShare }: Policy, pinned: number): CompactionMarks {
  const history = Math.max(0, high - pinned);
  return {
    compactAt: pinned + Math.floor(history * compactAt),
    tail: Math.floor(history * tailShare),
    stateCap: Math.floor(history * stateShare),
    minGain: Math.floor(history * gainShare),
  };
}
