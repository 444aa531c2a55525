// Compacts whole turns, the oldest first, into a summary made by rules, so that what matters in them stays. Off: they are dropped.

import { applyCompaction } from '../compaction/applyCompaction.ts';
import { extract } from '../compaction/extract.ts';
import { merge, shrink } from '../compaction/merge.ts';
import type { SummaryEntry } from '../compaction/summary.ts';
import type { Item } from '../dialog/dialog.ts';
import { compactionEnd, type PruneState, takeOut } from './pruneState.ts';
import { droppable, type PruneContext, weigh } from './strategy.ts';

export function compactTurns(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  if (context.compactionId === null) return dropTurns(context, pruned, excess);
  let [left, end] = [excess, 0];
  for (const turn of droppable(context, pruned)) {
    if (left <= 0) break;
    left -= weigh(context, pruned, turn.start, turn.end).now;
    end = turn.end;
  }
  return end === 0 ? pruned : compactBefore(context, context.compactionId, pruned, end);
}

/** Compacts what stands before `end`, between two turns, by rules. */
export function compactBefore(context: PruneContext, id: string, pruned: PruneState, end: number): PruneState {
  const to = Math.max(compactionEnd(pruned, end), pruned.compaction?.to ?? 0);
  // Compaction goes on in one trim until enough is free; all of it is one compaction.
  const previous = pruned.compaction?.id === id ? pruned.compaction.previous : pruned.compaction;
  const summary = {
    entries: merge(previous?.summary.entries ?? [], extractFrom(context, pruned, previous?.to ?? 0, to)),
    left: previous?.summary.left ?? 0,
  };
  const characters = context.state.cap * context.state.charactersPerToken;
  return applyCompaction(context, pruned, { id, to, summary: shrink(summary, characters), previous });
}

/** Extracts what matters in a stretch of the path, trimmed turns included, but not the items the user removed. */
export function extractFrom(
  { path, marks }: Pick<PruneContext, 'path' | 'marks'>,
  pruned: PruneState,
  from: number,
  to: number,
): readonly SummaryEntry[] {
  const evicted = pruned.runs.filter(({ by }) => by === 'user');
  const isIn = (item: Item, at: number) =>
    !marks.evicted.has(item.id) && evicted.every((run) => from + at < run.from || from + at >= run.to);
  const before = path[from - 1];
  return extract(path.slice(from, to).filter(isIn), before !== undefined && isIn(before, -1) ? before : null);
}

// Drops whole turns, the oldest first, until enough is gone or only the current turn and pinned ones are left.
function dropTurns(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  let left = excess;
  let now = pruned;
  for (const { start, end } of droppable(context, pruned)) {
    if (left <= 0) break;
    const { now: freed, had } = weigh(context, now, start, end);
    now = takeOut(context.path, now, { from: start, to: end, tokens: had, by: 'dropTurns' });
    left -= freed;
  }
  return now;
}
