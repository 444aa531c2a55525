// Clears the oldest tool results and directives of the current turn, and where that is too little the long arguments of its calls;
// never what the model has not read yet.
import type { Item } from '../dialog/dialog.ts';
import { currentStart, type PruneState } from './pruneState.ts';
import { clear, clearable, type PruneContext, wholeOf } from './strategy.ts';

const rounds: readonly (readonly Item['origin'][])[] = [['result', 'note'], ['call']];

export function clearTurn(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  const start = currentStart(context.path);
  const unread = context.path.findLastIndex((item) => item.origin === 'call');
  const turn = context.path.slice(start, Math.max(start, unread));
  let now = pruned;
  let left = excess;
  for (const item of rounds.flatMap((origins) => turn.filter(({ origin }) => origins.includes(origin)))) {
    const tokens = clearable(context, now, item);
    if (left <= 0) break;
    if (tokens === 0) continue;
    now = clear(now, item, tokens, 'clearTurn', wholeOf(context, item));
    left -= tokens;
  }
  return now;
}
