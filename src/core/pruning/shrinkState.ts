// Leaves the least important entries of the summary out, when it is over its cap or there is no other space left.
import { shrink } from '../compaction/merge.ts';
import { stateText } from '../compaction/stateText.ts';
import { newestOf } from '../compaction/summaryPlace.ts';
import { type PruneState, withSummary } from './pruneState.ts';
import type { PruneContext } from './strategy.ts';

export function shrinkState(
  { state, compactionId, erases, path }: PruneContext,
  before: PruneState,
  excess: number,
): PruneState {
  const { compaction } = before;
  if (compaction === null || compaction.summary.entries.length === 0) return before;
  const length = stateText(compaction.summary).length;
  const wanted = Math.floor(length * (1 - excess / Math.max(1, state.tokens)));
  const summary = shrink(compaction.summary, Math.min(wanted, length - 1));
  const placed = { ...before, summaryAt: erases ? newestOf(path) : before.summaryAt };
  // An earlier compaction is kept as it was made, so a shorter one builds upon it.
  if (compactionId === null || compactionId === compaction.id) return withSummary(placed, compaction.id, summary);
  return { ...placed, compaction: { ...compaction, id: compactionId, summary, previous: compaction } };
}
