// The marks of compaction, in tokens: when to compact, how much stays verbatim, how long the state may be, and what a compaction must free.
import type { Budget, Policy } from '../prompt/budget.ts';

export interface CompactionMarks {
  /** Idle work compacts from here on. */
  readonly compactAt: number;
  /** The latest turns within this stay verbatim, and always the last one. */
  readonly tail: number;
  readonly stateCap: number;
  /** A compaction that would free less is not made: it would come again too soon. */
  readonly minGain: number;
}

/** The largest share of the history budget the state may take. */
const stateShare = 0.15;
/** Less than what a trim by dropping turns frees would make compactions more frequent than those. */
const gainShare = 0.4;
/** A user who wants them early has less to free: what stands above the tail and a whole summary, but no less than this. */
const leastGainShare = 0.1;

/** `pinned` is the prompt's fixed head in tokens; the rest below high water is the history's. */
export function compactionMarks({ high }: Budget, { compactAt, tailShare }: Policy, pinned: number): CompactionMarks {
  const history = Math.max(0, high - pinned);
  return {
    compactAt: pinned + Math.floor(history * compactAt),
    tail: Math.floor(history * tailShare),
    stateCap: Math.floor(history * stateShare),
    minGain: Math.floor(history * Math.max(leastGainShare, Math.min(gainShare, compactAt - tailShare - stateShare))),
  };
}
