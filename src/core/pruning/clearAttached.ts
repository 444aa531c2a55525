// Clears what the user attached to earlier messages, the oldest first, before whole turns have to go. What stands with the last two messages stays.
import { currentStart, type PruneState, shownItems } from './pruneState.ts';
import { clearOldest, type PruneContext } from './strategy.ts';

export function clearAttached(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  const { path } = context;
  const start = currentStart(path.slice(0, currentStart(path)));
  const attached = shownItems(path, pruned).flatMap(([at, item]) =>
    at < start && item.origin === 'attachment' ? [item] : [],
  );
  return clearOldest(context, pruned, attached, excess, 'clearAttached');
}
