// After the engine itself said that the context is full: the older half of the turns goes, compacted by rules where that is on, or the only one left
// is cut.
import { compactBefore } from './compactTurns.ts';
import { currentStart, type PruneState, shownTurns, takeOut } from './pruneState.ts';
import { clear, clearable, droppable, type PruneContext, weigh } from './strategy.ts';

/** Said to the model, because its own turn may have lost a part. */
export const emergencyText = 'The window was full: earlier parts of this conversation are gone.';

/**
 * Pinned turns go after the others. The one place where a turn is cut: its user message with what was given beside it
 * stays, and of its tool rounds the last call with the first lines of its results.
 */
export function emergency(room: PruneContext, held: PruneState): PruneState {
  const free = droppable(room, held);
  const pinned = shownTurns(room.path, held)
    .slice(0, -1)
    .filter(({ start }) => free.every((turn) => turn.start !== start));
  const turns = [...free, ...pinned];
  const half = turns.slice(0, Math.ceil(turns.length / 2));
  if (half.length > 0) {
    const oldest = half.filter((turn) => free.includes(turn)).at(-1);
    const { foldId } = room;
    const begun = foldId === null || oldest === undefined ? held : compactBefore(room, foldId, held, oldest.end);
    const left = begun === held ? half : half.filter((turn) => !free.includes(turn));
    return left.reduce((now, { start, end }) => {
      const { had } = weigh(room, now, start, end);
      return takeOut(room.path, now, { from: start, to: end, tokens: had, by: 'emergency' });
    }, begun);
  }
  const start = currentStart(room.path);
  const first = room.path.findIndex((item, i) => i >= start && item.origin === 'call');
  const last = room.path.findLastIndex((item) => item.origin === 'call');
  const { had } = weigh(room, held, first, last);
  const cut =
    first < 0 || first === last
      ? held
      : takeOut(room.path, held, { from: first, to: last, tokens: had, by: 'emergency' });
  return room.path.slice(Math.max(last, start)).reduce((now, item) => {
    const tokens = item.origin === 'result' ? clearable(room, now, item) : 0;
    return tokens > 0 ? clear(now, item, tokens, 'emergency') : now;
  }, cut);
}
