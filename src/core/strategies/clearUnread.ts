// The emergency: clears results the model has not read yet, the oldest first. Only when the current turn alone is too large.
import type { Held } from '../held.ts';
import { clear, clearable, type Room } from './strategy.ts';

export function clearUnread(room: Room, held: Held, excess: number): Held {
  const call = room.path.findLastIndex((item) => item.origin === 'call');
  let now = held;
  let left = excess;
  for (const item of room.path.slice(Math.max(call, held.trimmedTo))) {
    const tokens = clearable(room, now, item);
    if (left <= 0) break;
    if (tokens === 0 || item.origin !== 'result') continue;
    now = clear(now, item, tokens, 'clearUnread');
    left -= tokens;
  }
  return now;
}
