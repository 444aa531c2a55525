// Clears the oldest tool results and directives of the current turn, and where that is too little the long arguments of its calls;
// never what the model has not read yet. That goes in the last step before a fault, by a strategy of its own. Attachments of this turn stay.
import type { Item } from '../dialog/dialog.ts';
import { currentStart, type PruneState } from './pruneState.ts';
import { clearOldest, type PruneContext } from './strategy.ts';

const rounds: readonly (readonly Item['origin'][])[] = [['result', 'note'], ['call']];

export function clearTurn(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  const start = currentStart(context.path);
  const unread = context.path.findLastIndex((item) => item.origin === 'call');
  const turn = context.path.slice(start, Math.max(start, unread));
  const items = rounds.flatMap((origins) => turn.filter(({ origin }) => origins.includes(origin)));
  return clearOldest(context, pruned, items, excess, 'clearTurn');
}

/** Texts that were looked up unasked go before results, the oldest first. */
export function clearUnread(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  const turn = context.path.slice(currentStart(context.path));
  const origins: readonly Item['origin'][] = ['knowledge', 'result'];
  const items = origins.flatMap((one) => turn.filter(({ origin }) => origin === one));
  return clearOldest(context, pruned, items, excess, 'clearUnread');
}
