// Lets go of what the user evicted: alone where it can go alone, anything else with its turn. A turn that holds a pin stays.
import type { Item, Turn } from '../dialog/dialog.ts';
import { type PruneState, shownItems, takeOut } from './pruneState.ts';
import { clear, clearable, droppable, type PruneContext, weigh } from './strategy.ts';

export function evict(context: PruneContext, pruned: PruneState): PruneState {
  const { evicted } = context.marks;
  if (evicted.size === 0) return pruned;
  const asked = (now: PruneState) => shownItems(context.path, now).filter(([, { id }]) => evicted.has(id));
  const whole = asked(pruned).filter(([, item]) => !goesAlone(item));
  const goes = ({ start, end }: Turn) => whole.some(([at]) => start <= at && at < end);
  const left = droppable(context, pruned)
    .filter(goes)
    .reduce((now, { start, end }) => {
      const { had } = weigh(context, now, start, end);
      return takeOut(context.path, now, { from: start, to: end, tokens: had, by: 'user' });
    }, pruned);
  return asked(left).reduce((now, [, item]) => {
    const tokens = goesAlone(item) ? clearable(context, now, item) : 0;
    return tokens > 0 ? clear(now, item, tokens, 'user') : now;
  }, left);
}

function goesAlone(item: Item): boolean {
  if (item.origin === 'knowledge') return !item.replaces;
  return item.origin === 'result' || item.origin === 'attachment' || item.origin === 'note';
}
