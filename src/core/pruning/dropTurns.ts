// Drops whole turns, the oldest first, until enough is gone or only the current turn and pinned ones are left.
import { type PruneState, takeOut } from './pruneState.ts';
import { droppable, type PruneContext, weigh } from './strategy.ts';

export function dropTurns(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  let left = excess;
  let now = pruned;
  for (const { start, end } of droppable(context, pruned)) {
    if (left <= 0) break;
    const { now: freed, had } = weigh(context, now, start, end);
    now = takeOut(context.path, now, { from: start, to: end, tokens: had, by: 'dropTurns' });
    left -= freed;
  }
  return now;
}
