// A summary: what stands for compacted turns, entry by entry, each naming the items it comes from.
import type { ItemId } from '../dialog/dialog.ts';

/** In the order in which they stand in the prompt. */
export const sections = [
  'goal',
  'constraints',
  'approvals',
  'preferences',
  'said',
  'decisions',
  'openThreads',
  'done',
  'files',
  'identifiers',
] as const;
export type Section = (typeof sections)[number];

export interface SummaryEntry {
  readonly section: Section;
  /** A single line. */
  readonly text: string;
  /** Whose words they are; a summary's own are the user's once the user changed them. */
  readonly by: 'user' | 'model';
  /** Provenance: the dialog items it was taken from; empty only for what the user wrote into a summary. */
  readonly items: readonly ItemId[];
}

export interface Summary {
  readonly entries: readonly SummaryEntry[];
  /** Entries that were left out because the state had no more space, over all compactions so far. */
  readonly left: number;
}
