// Drops whole turns, the oldest first, until enough is gone or only the current turn is left.
import { turnsOf } from '../dialog.ts';
import type { Held } from '../held.ts';
import type { Room } from './strategy.ts';

export function dropTurns(room: Room, held: Held, excess: number): Held {
  const turns = turnsOf(room.path, held.trimmedTo);
  let left = excess;
  let to = held.trimmedTo;
  let tokens = held.trimmedTokens;
  for (const turn of turns.slice(0, -1)) {
    if (left <= 0) break;
    for (const item of room.path.slice(to, turn.end)) {
      left -= room.weight(item.id);
      tokens += room.weight(item.id) + (held.cleared.get(item.id)?.tokens ?? 0);
    }
    to = turn.end;
  }
  if (to === held.trimmedTo) return held;
  const gone = new Set(room.path.slice(held.trimmedTo, to).map((item) => item.id));
  return {
    trimmedTo: to,
    trimmedLast: room.path[to - 1]?.id ?? null,
    trimmedTokens: tokens,
    cleared: new Map([...held.cleared].filter(([id]) => !gone.has(id))),
    capped: new Map([...held.capped].filter(([id]) => !gone.has(id))),
  };
}
