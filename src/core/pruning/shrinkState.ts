// Leaves the least important entries of the summary out, when it is over its cap or there is no other room left.
import { shrink } from '../compaction/merge.ts';
import { stateText } from '../compaction/stateText.ts';
import { type PruneState, withSummary } from './pruneState.ts';
import type { PruneContext } from './strategy.ts';

export function shrinkState({ state, foldId }: PruneContext, held: PruneState, excess: number): PruneState {
  const { fold } = held;
  if (fold === null || fold.checkpoint.entries.length === 0) return held;
  const length = stateText(fold.checkpoint).length;
  const wanted = Math.floor(length * (1 - excess / Math.max(1, state.tokens)));
  const checkpoint = shrink(fold.checkpoint, Math.min(wanted, length - 1));
  // An earlier compaction is kept as it was made, so a shorter one builds upon it.
  if (foldId === null || foldId === fold.id) return withSummary(held, fold.id, checkpoint);
  return { ...held, fold: { ...fold, id: foldId, checkpoint, previous: fold } };
}
