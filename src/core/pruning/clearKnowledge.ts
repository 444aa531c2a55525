// Clears what was retrieved for earlier messages, for policies that keep knowledge for one turn only.
import { currentStart, type PruneState, shownItems } from './pruneState.ts';
import { clear, clearable, type PruneContext } from './strategy.ts';

export function clearKnowledge(room: PruneContext, held: PruneState): PruneState {
  if (room.policy.knowledge !== 'last') return held;
  const start = currentStart(room.path);
  let now = held;
  for (const [i, item] of shownItems(room.path, held)) {
    const tokens = i < start && item.origin === 'knowledge' ? clearable(room, now, item) : 0;
    if (tokens > 0) now = clear(now, item, tokens, 'clearKnowledge');
  }
  return now;
}
