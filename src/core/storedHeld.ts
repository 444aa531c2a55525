// What a slot let go of, to and from the plain JSON in which it is stored.
import { type Fold, foldRun } from './fold/fold.ts';
import type { FoldRow } from './fold/foldRow.ts';
import type { Held } from './held.ts';
import type { StoredHeld } from './storedSession.ts';

export function storeHeld({ runs, cleared, capped, fold }: Held): StoredHeld {
  return { runs, cleared: [...cleared], capped: [...capped], fold: fold?.id ?? null };
}

/** `rows` are the session's folds; one that is not among them is as if it had not been. */
export function restoreHeld({ runs, cleared, capped, fold }: StoredHeld, rows: readonly FoldRow[]): Held {
  const chain = foldOf(fold, rows);
  const own = runs.filter(({ by }) => by === foldRun);
  return {
    runs: chain === null ? runs.filter(({ by }) => by !== foldRun) : runs,
    cleared: new Map(cleared),
    capped: new Map(capped),
    fold: chain === null ? null : { ...chain, runs: own },
  };
}

function foldOf(id: string | null, rows: readonly FoldRow[]): Fold | null {
  const row = rows.find((one) => one.id === id);
  if (row === undefined || row.checkpoint === null) return null;
  const { to, last, runs, checkpoint } = row;
  // A fold builds upon an earlier one, so the chain ends.
  const before = rows.slice(0, rows.indexOf(row));
  return { id: row.id, to, last, runs, checkpoint, previous: foldOf(row.previous, before) };
}
