// What a slot let go of, to and from the plain JSON in which it is stored.
import { type Fold, foldRun } from '../compaction/fold.ts';
import type { FoldRow } from '../compaction/foldRow.ts';
import type { Held } from '../pruning/held.ts';
import type { StoredHeld } from './storedSession.ts';

export function storeHeld({ runs, cleared, capped, fold }: Held): StoredHeld {
  return {
    runs,
    cleared: [...cleared],
    capped: [...capped],
    fold: fold?.id ?? null,
    checkpoint: fold?.checkpoint ?? null,
  };
}

/** `rows` are the session's folds; one that is not among them is as if it had not been. */
export function restoreHeld({ runs, cleared, capped, fold, checkpoint }: StoredHeld, rows: readonly FoldRow[]): Held {
  const chain = foldOf(fold, rows);
  const own = runs.filter(({ by }) => by === foldRun);
  return {
    runs: chain === null ? runs.filter(({ by }) => by !== foldRun) : runs,
    cleared: new Map(cleared),
    capped: new Map(capped),
    fold: chain === null ? null : { ...chain, runs: own, checkpoint: checkpoint ?? chain.checkpoint },
  };
}

/** A fold builds upon an earlier row, so the chain ends. */
function foldOf(id: string | null, rows: readonly FoldRow[]): Fold | null {
  const chain: FoldRow[] = [];
  let wanted = id;
  for (const row of rows.toReversed()) {
    if (row.id !== wanted || row.checkpoint === null) continue;
    chain.push(row);
    wanted = row.previous;
  }
  return chain.reduceRight<Fold | null>((previous, { id: own, to, last, runs, checkpoint }) => {
    return checkpoint === null ? previous : { id: own, to, last, runs, checkpoint, previous };
  }, null);
}
