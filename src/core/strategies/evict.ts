// Lets go of what the user evicted: a tool result or an attachment down to its first line, anything else with its turn.
import { type Held, shownItems, shownTurns, takeOut } from '../held.ts';
import { clear, clearable, type Room, weigh } from './strategy.ts';

export function evict(room: Room, held: Held): Held {
  if (room.marks.evicted.size === 0) return held;
  const asked = shownItems(room.path, held).filter(([, { id }]) => room.marks.evicted.has(id));
  const turns = shownTurns(room.path, held).slice(0, -1);
  return asked.reduce((now, [at, item]) => {
    const tokens = clearable(room, now, item);
    if (tokens > 0) return clear(now, item, tokens, 'user');
    const turn = turns.find(({ start, end }) => start <= at && at < end);
    // A stub stays, and the turn that runs cannot go.
    if (turn === undefined || now.cleared.has(item.id) || item.origin === 'result' || item.origin === 'attachment')
      return now;
    const { had } = weigh(room, now, turn.start, turn.end);
    return takeOut(room.path, now, { from: turn.start, to: turn.end, tokens: had, by: 'user' });
  }, held);
}
