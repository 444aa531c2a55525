// Leaves the least important entries of the summary out, when it is over its cap or there is no other room left.
import { shrink } from '../compaction/merge.ts';
import { stateText } from '../compaction/stateText.ts';
import { newestOf } from '../compaction/summaryPlace.ts';
import { type PruneState, withSummary } from './pruneState.ts';
import type { PruneContext } from './strategy.ts';

export function shrinkState(
  { state, foldId, erases, path }: PruneContext,
  before: PruneState,
  excess: number,
): PruneState {
  const { fold } = before;
  if (fold === null || fold.checkpoint.entries.length === 0) return before;
  const length = stateText(fold.checkpoint).length;
  const wanted = Math.floor(length * (1 - excess / Math.max(1, state.tokens)));
  const checkpoint = shrink(fold.checkpoint, Math.min(wanted, length - 1));
  const held = { ...before, summaryAt: erases ? newestOf(path) : before.summaryAt };
  // An earlier compaction is kept as it was made, so a shorter one builds upon it.
  if (foldId === null || foldId === fold.id) return withSummary(held, fold.id, checkpoint);
  return { ...held, fold: { ...fold, id: foldId, checkpoint, previous: fold } };
}
