// Converts a slot's pruned items to and from the plain JSON in which they are stored.
import { type Compaction, compactionRun } from '../compaction/compaction.ts';
import type { CompactionRow } from '../compaction/compactionRow.ts';
import type { PruneState } from '../pruning/pruneState.ts';
import type { StoredPruneState } from './storedSession.ts';

export function storePruneState({ runs, cleared, capped, compaction, summaryAt }: PruneState): StoredPruneState {
  return {
    runs,
    cleared: [...cleared],
    capped: [...capped],
    fold: compaction?.id ?? null,
    checkpoint: compaction?.summary ?? null,
    summaryAt: compaction === null ? null : summaryAt,
  };
}

/** `rows` are the session's compactions; one that is not among them is as if it had not been. */
export function restorePruneState(
  { runs, cleared, capped, fold: compaction, checkpoint: summary, summaryAt = null }: StoredPruneState,
  rows: readonly CompactionRow[],
): PruneState {
  const chain = compactionOf(compaction, rows);
  const own = runs.filter(({ by }) => by === compactionRun);
  return {
    runs: chain === null ? runs.filter(({ by }) => by !== compactionRun) : runs,
    cleared: new Map(cleared),
    capped: new Map(capped),
    compaction: chain === null ? null : { ...chain, runs: own, summary: summary ?? chain.summary },
    summaryAt: chain === null ? null : summaryAt,
  };
}

/** A compaction builds upon an earlier row, so the chain ends. */
function compactionOf(id: string | null, rows: readonly CompactionRow[]): Compaction | null {
  const chain: CompactionRow[] = [];
  let wanted = id;
  for (const row of rows.toReversed()) {
    if (row.id !== wanted || row.checkpoint === null) continue;
    chain.push(row);
    wanted = row.previous;
  }
  return chain.reduceRight<Compaction | null>((previous, { id: own, to, last, runs, checkpoint: summary }) => {
    return summary === null ? previous : { id: own, to, last, runs, summary, previous };
  }, null);
}
