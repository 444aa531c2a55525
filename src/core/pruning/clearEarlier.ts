// Clears the bodies of earlier turns' tool results but the latest few, earlier attachments, knowledge and directives, in one go.
import { currentStart, type PruneState, shownItems } from './pruneState.ts';
import { clear, clearable, type PruneContext } from './strategy.ts';

export function clearEarlier(room: PruneContext, held: PruneState): PruneState {
  return obsolete(room, held).reduce((now, { item, tokens }) => clear(now, item, tokens, 'clearEarlier'), held);
}

/** What waits to be cleared at the next trim. */
export function obsolete(room: PruneContext, held: PruneState) {
  const start = currentStart(room.path);
  const earlier = shownItems(room.path, held).flatMap(([i, item]) => (i < start ? [item] : []));
  const results = earlier.filter((item) => item.origin === 'result' && clearable(room, held, item) > 0);
  const recent = new Set(results.slice(Math.max(0, results.length - room.policy.keepRecentToolResults)));
  return earlier
    .filter((item) => !recent.has(item))
    .map((item) => ({ item, tokens: clearable(room, held, item) }))
    .filter(({ tokens }) => tokens > 0);
}
