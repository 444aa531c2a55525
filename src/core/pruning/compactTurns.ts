// Compacts whole turns, the oldest first, into a summary made by rules, so that what matters in them stays. Off: they are dropped.
import { applyCompaction } from '../compaction/applyCompaction.ts';
import { extract } from '../compaction/extract.ts';
import { merge, shrink } from '../compaction/merge.ts';
import { tailStart } from '../compaction/planCompaction.ts';
import type { SummaryEntry } from '../compaction/summary.ts';
import type { Item } from '../dialog/dialog.ts';
import { dropTurns } from './dropTurns.ts';
import { compactionEnd, type PruneState } from './pruneState.ts';
import { droppable, type PruneContext, weigh } from './strategy.ts';

export function compactTurns(room: PruneContext, held: PruneState, excess: number): PruneState {
  if (room.foldId === null) return dropTurns(room, held, excess);
  // The prefix breaks in front anyway, and a compaction says what matters in each turn: so it goes as far as one made while idle.
  const tail = tailStart(room, held);
  let [left, end] = [excess, 0];
  for (const turn of droppable(room, held)) {
    if (left <= 0 && turn.end > tail) break;
    left -= weigh(room, held, turn.start, turn.end).now;
    end = turn.end;
  }
  return end === 0 ? held : compactBefore(room, room.foldId, held, end);
}

/** Compacts what stands before `end`, between two turns, by rules. */
export function compactBefore(room: PruneContext, id: string, held: PruneState, end: number): PruneState {
  const to = Math.max(compactionEnd(held, end), held.fold?.to ?? 0);
  // Compaction goes on in one trim until enough is free; all of it is one compaction.
  const previous = held.fold?.id === id ? held.fold.previous : held.fold;
  const checkpoint = {
    entries: merge(previous?.checkpoint.entries ?? [], extractFrom(room, held, previous?.to ?? 0, to)),
    left: previous?.checkpoint.left ?? 0,
  };
  const characters = room.state.cap * room.state.charactersPerToken;
  return applyCompaction(room, held, { id, to, checkpoint: shrink(checkpoint, characters), previous });
}

/** Extracts what matters in a stretch of the path, trimmed turns included, but not the items the user removed. */
export function extractFrom(
  { path, marks }: Pick<PruneContext, 'path' | 'marks'>,
  held: PruneState,
  from: number,
  to: number,
): readonly SummaryEntry[] {
  const evicted = held.runs.filter(({ by }) => by === 'user');
  const isIn = (item: Item, at: number) =>
    !marks.evicted.has(item.id) && evicted.every((run) => from + at < run.from || from + at >= run.to);
  const before = path[from - 1];
  return extract(path.slice(from, to).filter(isIn), before !== undefined && isIn(before, -1) ? before : null);
}
