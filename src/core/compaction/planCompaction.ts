// Decides where a compaction cuts: before the turns kept verbatim, and while idle only when it frees enough to be worth it.
import { compactionEnd, type PruneState, shownTurns } from '../pruning/pruneState.ts';
import { droppable, type PruneContext, weigh } from '../pruning/strategy.ts';

/** Path index up to which to compact. Null where no boundary between turns would free so many tokens, or anything at all. */
export function planCompaction(
  { room, held }: { readonly room: PruneContext; readonly held: PruneState },
  least: number,
): number | null {
  const { folding, state } = room;
  const end = tailStart(room, held);
  if (end === 0) return null;
  const free = droppable(room, held).filter((turn) => turn.end <= end);
  const gain = free.reduce((sum, turn) => sum + weigh(room, held, turn.start, turn.end).now, 0);
  // A pin may have kept a turn before the end of the last compaction.
  const to = Math.max(compactionEnd(held, end), held.fold?.to ?? 0);
  return gain - folding.stateCap + state.tokens >= least ? to : null;
}

/** Index where the latest turns that fit the tail begin; 0 when all fit. The last turn always counts as fitting. */
export function tailStart(room: PruneContext, held: PruneState): number {
  const turns = shownTurns(room.path, held);
  let tail = 0;
  for (const [back, { start, end }] of turns.toReversed().entries()) {
    tail += weigh(room, held, start, end).now;
    if (tail > room.folding.tail && back > 0) return end;
  }
  return 0;
}
