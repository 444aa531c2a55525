// Clears what served an earlier turn: the knowledge that was retrieved for it, for policies that keep it for one turn only, and directives.
import type { Item } from '../dialog/dialog.ts';
import { currentStart, type PruneState, shownItems } from './pruneState.ts';
import { clear, clearable, type PruneContext } from './strategy.ts';

export function clearKnowledge(room: PruneContext, held: PruneState): PruneState {
  return room.policy.knowledge === 'last' ? cleared(room, held, 'knowledge', 'clearKnowledge') : held;
}

export function clearDirectives(room: PruneContext, held: PruneState): PruneState {
  return cleared(room, held, 'note', 'clearDirectives');
}

function cleared(room: PruneContext, held: PruneState, origin: Item['origin'], by: string): PruneState {
  const start = currentStart(room.path);
  let now = held;
  for (const [i, item] of shownItems(room.path, held)) {
    const tokens = i < start && item.origin === origin ? clearable(room, now, item) : 0;
    if (tokens > 0) now = clear(now, item, tokens, by);
  }
  return now;
}
