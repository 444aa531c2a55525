// Clears the bodies of earlier turns' tool results but the latest few, and earlier directives, all in one go.
import { turnsOf } from '../dialog.ts';
import type { Held } from '../held.ts';
import { clear, clearable, type Room } from './strategy.ts';

export function clearEarlier(room: Room, held: Held): Held {
  return obsolete(room, held).reduce((now, { item, tokens }) => clear(now, item, tokens, 'clearEarlier'), held);
}

/** What waits to be cleared at the next crossing: earlier results beyond the kept ones, and old directives. */
export function obsolete(room: Pick<Room, 'path' | 'policy' | 'size' | 'weight'>, held: Held) {
  const start = turnsOf(room.path, held.trimmedTo).at(-1)?.start ?? room.path.length;
  const earlier = room.path.slice(held.trimmedTo, start);
  const results = earlier.filter((item) => item.origin === 'result' && clearable(room, held, item) > 0);
  const old = new Set(results.slice(0, Math.max(0, results.length - room.policy.keepRecentToolResults)));
  return earlier
    .filter((item) => old.has(item) || item.origin === 'note')
    .map((item) => ({ item, tokens: clearable(room, held, item) }))
    .filter(({ tokens }) => tokens > 0);
}
