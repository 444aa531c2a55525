// Clears what served an earlier turn: the knowledge that was retrieved for it, for policies that keep it for one turn only, and directives.
import type { Item } from '../dialog/dialog.ts';
import { currentStart, type PruneState, shownItems } from './pruneState.ts';
import { clear, clearable, type PruneContext } from './strategy.ts';

export function clearKnowledge(context: PruneContext, pruned: PruneState): PruneState {
  return context.policy.knowledge === 'last' ? cleared(context, pruned, 'knowledge', 'clearKnowledge') : pruned;
}

export function clearDirectives(context: PruneContext, pruned: PruneState): PruneState {
  return cleared(context, pruned, 'note', 'clearDirectives');
}

function cleared(context: PruneContext, pruned: PruneState, origin: Item['origin'], by: string): PruneState {
  const start = currentStart(context.path);
  let now = pruned;
  for (const [i, item] of shownItems(context.path, pruned)) {
    const tokens = i < start && item.origin === origin ? clearable(context, now, item) : 0;
    if (tokens > 0) now = clear(now, item, tokens, by);
  }
  return now;
}
