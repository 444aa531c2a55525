// The last step before a fault: clears what the model has not read yet: what was looked up unasked, then results, the oldest first. Attachments stay.
import { currentStart, type PruneState } from './pruneState.ts';
import { clear, clearable, type PruneContext } from './strategy.ts';

export function clearUnread(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  const turn = context.path.slice(currentStart(context.path));
  const results = turn.filter(({ origin }) => origin === 'result');
  const given = turn.filter(({ origin }) => origin === 'knowledge');
  let now = pruned;
  let left = excess;
  for (const item of [...given, ...results]) {
    const tokens = clearable(context, now, item);
    if (left <= 0) break;
    if (tokens === 0) continue;
    now = clear(now, item, tokens, 'clearUnread');
    left -= tokens;
  }
  return now;
}
