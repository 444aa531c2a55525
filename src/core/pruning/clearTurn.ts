// Clears the oldest tool results and directives of the current turn, never those the model has not read yet.
import { currentStart, type PruneState } from './pruneState.ts';
import { clear, clearable, type PruneContext } from './strategy.ts';

export function clearTurn(room: PruneContext, held: PruneState, excess: number): PruneState {
  const start = currentStart(room.path);
  const unread = room.path.findLastIndex((item) => item.origin === 'call');
  let now = held;
  let left = excess;
  for (const item of room.path.slice(start, Math.max(start, unread))) {
    const tokens = clearable(room, now, item);
    if (left <= 0) break;
    if (tokens === 0 || item.origin === 'attachment' || item.origin === 'knowledge') continue;
    now = clear(now, item, tokens, 'clearTurn');
    left -= tokens;
  }
  return now;
}
