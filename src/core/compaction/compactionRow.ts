// A compaction as it is kept: what was compacted, what stands for it, what it cost and how it ended. Each attempt is one row.
import type { Outcome } from '../agent/mechanisms.ts';
import type { ItemId } from '../dialog/dialog.ts';
import type { PrunedRun } from '../pruning/run.ts';
import type { Summary } from './summary.ts';

/** Something a compaction found that may outlive the session, once the user says so. */
export interface Proposal {
  readonly id: string;
  readonly kind: 'fact' | 'preference' | 'decision' | 'work';
  readonly text: string;
  readonly items: readonly ItemId[];
  readonly state: 'waiting' | 'kept' | 'dismissed';
}

export interface CompactionRow {
  readonly id: string;
  /** Unix milliseconds. */
  readonly created: number;
  readonly outcome: Outcome;
  /** Words about why, for what did not go as it should; '' otherwise. */
  readonly reason: string;
  /** The compaction covers the path before this index; `last` is the id of the item before it. */
  readonly to: number;
  readonly last: ItemId;
  /** Items taken out of the prompt, in whole turns. */
  readonly runs: readonly PrunedRun[];
  /** The compaction it built upon and replaced. */
  readonly previous: string | null;
  /** The summary of the compacted items, or null when nothing was compacted. */
  readonly checkpoint: Summary | null;
  /** Prompt tokens before and after; the same where nothing was compacted. */
  readonly before: number;
  readonly after: number;
  /** Tokens of the state in the prompt. */
  readonly stateTokens: number;
  readonly milliseconds: number;
  /** Model calls it took. */
  readonly tries: number;
  /** Tokens that they decoded and generated; left out where no model was asked. */
  readonly cost?: { readonly decoded: number; readonly generated: number };
  /** The user took it back: its turns came into the prompt again. */
  readonly undone: boolean;
  /** The user changed the summary's words. */
  readonly edited: boolean;
  readonly proposals: readonly Proposal[];
}
