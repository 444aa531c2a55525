// The document of an exported conversation, as data.
import type { FoldRow } from '../core/compaction/foldRow.ts';
import type { Item, ItemId } from '../core/dialog/dialog.ts';
import type { SessionRow, StoredHeld } from '../core/stored/storedSession.ts';

/** An exported session. */
export interface Exchange {
  readonly format: 'tidemark-session';
  readonly version: 1;
  readonly session: SessionRow & { readonly title: string };
  readonly head: ItemId | null;
  readonly items: readonly Item[];
  readonly marks: { readonly pinned: readonly ItemId[]; readonly evicted: readonly ItemId[] };
  readonly held: readonly StoredHeld[];
  readonly folds: readonly FoldRow[];
  readonly reports: readonly object[];
}
