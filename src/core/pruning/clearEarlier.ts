// Clears the bodies of earlier turns' tool results and the long arguments of their calls but the latest few, earlier attachments, knowledge and directives, in one go.
import type { Item } from '../dialog/dialog.ts';
import { currentStart, type PruneState, shownItems } from './pruneState.ts';
import { clear, clearable, type PruneContext, wholeOf } from './strategy.ts';

export function clearEarlier(room: PruneContext, held: PruneState): PruneState {
  return obsolete(room, held).reduce(
    (now, { item, tokens }) => clear(now, item, tokens, 'clearEarlier', wholeOf(room, item)),
    held,
  );
}

/** Items that wait to be cleared at the next trim. */
export function obsolete(room: PruneContext, held: PruneState) {
  const start = currentStart(room.path);
  const earlier = shownItems(room.path, held).flatMap(([i, item]) => (i < start ? [item] : []));
  const results = earlier.filter((item) => item.origin === 'result' && clearable(room, held, item) > 0);
  const recent = new Set<Item>(results.slice(Math.max(0, results.length - room.policy.keepRecentToolResults)));
  const asked = new Set([...recent].map((item) => (item.origin === 'result' ? item.call : '')));
  const isRecent = (item: Item) =>
    recent.has(item) || (item.origin === 'call' && item.calls.some(({ id }) => asked.has(id)));
  return earlier
    .filter((item) => !isRecent(item) && (!room.erases || item.origin !== 'call'))
    .map((item) => ({ item, tokens: clearable(room, held, item) }))
    .filter(({ tokens }) => tokens > 0);
}
