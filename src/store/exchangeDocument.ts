// The document of an exported conversation, as data.
import type { CompactionRow } from '../core/compaction/compactionRow.ts';
import type { Item, ItemId } from '../core/dialog/dialog.ts';
import type { SessionRow, StoredPruneState } from '../core/stored/storedSession.ts';

/** An exported session. */
export interface Exchange {
  readonly format: 'tidemark-session';
  readonly version: 1;
  readonly session: SessionRow & { readonly title: string };
  readonly head: ItemId | null;
  readonly items: readonly Item[];
  readonly marks: { readonly pinned: readonly ItemId[]; readonly evicted: readonly ItemId[] };
  readonly held: readonly StoredPruneState[];
  readonly folds: readonly CompactionRow[];
  readonly reports: readonly object[];
}
