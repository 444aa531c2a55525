// Applies a compaction to what a slot holds: whole turns go out of the prompt, and the summary comes in.
import { type Turn, turnsOf } from '../dialog/dialog.ts';
import { type PruneState, shownTurns, takeOut } from '../pruning/pruneState.ts';
import { type PruneContext, weigh } from '../pruning/strategy.ts';
import { type Compaction, compactionRun } from './compaction.ts';
import { newestOf } from './summaryPlace.ts';

/** Takes everything before `compaction.to` out of the prompt but what a pin holds, and lets the summary stand for it. */
export function applyCompaction(
  context: PruneContext,
  pruned: PruneState,
  compaction: Omit<Compaction, 'runs' | 'last'>,
): PruneState {
  const shown = new Set(shownTurns(context.path, pruned).map(({ start }) => start));
  const evicted = pruned.runs.filter(({ by }) => by === 'user');
  // A turn that is out already stays out, whatever was pinned since; what the user took out is no part of the compaction.
  const isFree = ({ start, end }: Turn) =>
    shown.has(start)
      ? !context.path.slice(start, end).some(({ id }) => context.marks.pinned.has(id))
      : evicted.every(({ from, to }) => to <= start || from >= end);
  const stretches: { start: number; end: number }[] = [];
  for (const { start, end } of turnsOf(context.path, 0, compaction.to).filter(isFree)) {
    const last = stretches.at(-1);
    if (last?.end === start) last.end = end;
    else stretches.push({ start, end });
  }
  const now = stretches.reduce((so, { start, end }) => {
    const { had } = weigh(context, so, start, end);
    return takeOut(context.path, so, { from: start, to: end, tokens: had, by: compactionRun });
  }, pruned);
  const runs = now.runs.filter(({ by }) => by === compactionRun);
  const summaryAt = context.erases ? newestOf(context.path) : null;
  return { ...now, compaction: { ...compaction, runs, last: context.path[compaction.to - 1]?.id ?? '' }, summaryAt };
}
