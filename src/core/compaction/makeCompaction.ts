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
  request: Omit<FitRequest, 'turnStart' | 'compactionId'>,
  { id, to, entries }: CompactionPlan,
  measurer: Measurer,
): Promise<Fitted> {
  const asked = { ...request, compactionId: id };
  const first = await fittedAt(asked, pruneStateOn(request.path, request.pruned), measurer);
  const { context, pruned } = first;
  // The cut was made for another slot: this one may have let go of turns across it, or have compacted more.
  const end = compactionEnd(pruned, to);
  if ((pruned.compaction?.to ?? 0) > to) return first;
  const also = extractFrom(context, pruned, to, end);
  const whole = { entries: merge(entries, also), left: pruned.compaction?.summary.left ?? 0 };
  const summary = shrink(whole, context.state.cap * context.state.charactersPerToken);
  const at = (next: Fitted['pruned']) => fittedAt(asked, next, measurer);
  const compacted = await settleState(
    await at(applyCompaction(context, pruned, { id, to: end, summary, previous: pruned.compaction })),
    at,
  );
  return { ...compacted, before: first.measure.total };
}
