// Clears the directives of earlier turns: each was needed only in its own.
import { currentStart, type PruneState, shownItems } from './pruneState.ts';
import { clear, clearable, type PruneContext } from './strategy.ts';

export function clearDirectives(context: PruneContext, pruned: PruneState): PruneState {
  const start = currentStart(context.path);
  let now = pruned;
  for (const [i, item] of shownItems(context.path, pruned)) {
    const tokens = i < start && item.origin === 'note' ? clearable(context, now, item) : 0;
    if (tokens > 0) now = clear(now, item, tokens, 'clearDirectives');
  }
  return now;
}
