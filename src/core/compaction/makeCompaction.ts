// Makes a compaction of a slot's prompt with given entries: applied, measured, and its summary cut to its cap.
import { extractFrom } from '../pruning/compactTurns.ts';
import { type FitRequest, fittedAt } from '../pruning/fitPrompt.ts';
import type { Fitted, Measurer } from '../pruning/fitted.ts';
import { compactionEnd, pruneStateOn } from '../pruning/pruneState.ts';
import { settleState } from '../pruning/trim.ts';
import { applyCompaction } from './applyCompaction.ts';
import { merge, shrink } from './merge.ts';
import type { SummaryEntry } from './summary.ts';

export interface CompactionPlan {
  readonly id: string;
  readonly to: number;
  readonly entries: readonly SummaryEntry[];
}

/** The slot's prompt with the compaction in it, or as it is where the slot compacted more already. `before` is the prompt's length without. */
export async function makeCompaction(
  request: Omit<FitRequest, 'turnStart' | 'foldId'>,
  { id, to, entries }: CompactionPlan,
  measurer: Measurer,
): Promise<Fitted> {
  const asked = { ...request, foldId: id };
  const first = await fittedAt(asked, pruneStateOn(request.path, request.held), measurer);
  const { room, held } = first;
  // The cut was made for another slot: this one may have let go of turns across it, or have compacted more.
  const end = compactionEnd(held, to);
  if ((held.fold?.to ?? 0) > to) return first;
  const also = extractFrom(room, held, to, end);
  const whole = { entries: merge(entries, also), left: held.fold?.checkpoint.left ?? 0 };
  const checkpoint = shrink(whole, room.state.cap * room.state.charactersPerToken);
  const at = (next: Fitted['held']) => fittedAt(asked, next, measurer);
  const folded = await settleState(
    await at(applyCompaction(room, held, { id, to: end, checkpoint, previous: held.fold })),
    at,
  );
  return { ...folded, before: first.measure.total };
}
