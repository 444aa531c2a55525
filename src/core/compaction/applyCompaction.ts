// Applies a compaction to what a slot holds: whole turns go out of the prompt, and the summary comes in.
import { type Turn, turnsOf } from '../dialog/dialog.ts';
import { type PruneState, shownTurns, takeOut } from '../pruning/pruneState.ts';
import { type PruneContext, weigh } from '../pruning/strategy.ts';
import { type Compaction, compactionRun } from './compaction.ts';
import { newestOf } from './summaryPlace.ts';

/** Takes everything before `fold.to` out of the prompt but what a pin holds, and lets the summary stand for it. */
export function applyCompaction(
  room: PruneContext,
  held: PruneState,
  fold: Omit<Compaction, 'runs' | 'last'>,
): PruneState {
  const shown = new Set(shownTurns(room.path, held).map(({ start }) => start));
  const evicted = held.runs.filter(({ by }) => by === 'user');
  // A turn that is out already stays out, whatever was pinned since; what the user took out is no part of the compaction.
  const isFree = ({ start, end }: Turn) =>
    shown.has(start)
      ? !room.path.slice(start, end).some(({ id }) => room.marks.pinned.has(id))
      : evicted.every(({ from, to }) => to <= start || from >= end);
  const stretches: { start: number; end: number }[] = [];
  for (const { start, end } of turnsOf(room.path, 0, fold.to).filter(isFree)) {
    const last = stretches.at(-1);
    if (last?.end === start) last.end = end;
    else stretches.push({ start, end });
  }
  const now = stretches.reduce((so, { start, end }) => {
    const { had } = weigh(room, so, start, end);
    return takeOut(room.path, so, { from: start, to: end, tokens: had, by: compactionRun });
  }, held);
  const runs = now.runs.filter(({ by }) => by === compactionRun);
  const summaryAt = room.erases ? newestOf(room.path) : null;
  return { ...now, fold: { ...fold, runs, last: room.path[fold.to - 1]?.id ?? '' }, summaryAt };
}
