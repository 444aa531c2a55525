// Clears what earlier turns looked up, in one go: passages that were found, the bodies of tool results and the long arguments of their calls but
// the latest few, knowledge and directives. What the user attached is the user's (`clearAttached`).
import type { Item } from '../dialog/dialog.ts';
import { currentStart, type PruneState, shownItems } from './pruneState.ts';
import { clear, clearable, type PruneContext, wholeOf } from './strategy.ts';

export function clearEarlier(context: PruneContext, pruned: PruneState): PruneState {
  return obsolete(context, pruned).reduce(
    (now, { item, tokens }) => clear(now, item, tokens, 'clearEarlier', wholeOf(context, item)),
    pruned,
  );
}

/** Items that wait to be cleared at the next trim. */
export function obsolete(context: PruneContext, pruned: PruneState) {
  const start = currentStart(context.path);
  const earlier = shownItems(context.path, pruned).flatMap(([i, item]) => (i < start ? [item] : []));
  const results = earlier.filter((item) => item.origin === 'result' && clearable(context, pruned, item) > 0);
  const recent = new Set<Item>(results.slice(Math.max(0, results.length - context.policy.keepRecentToolResults)));
  const asked = new Set([...recent].map((item) => (item.origin === 'result' ? item.call : '')));
  const isRecent = (item: Item) =>
    recent.has(item) || (item.origin === 'call' && item.calls.some(({ id }) => asked.has(id)));
  return earlier
    .filter((item) => !isRecent(item) && !isGiven(item) && (!context.erases || item.origin !== 'call'))
    .map((item) => ({ item, tokens: clearable(context, pruned, item) }))
    .filter(({ tokens }) => tokens > 0);
}

function isGiven(item: Item): boolean {
  return item.origin === 'attachment' && item.found === undefined;
}
