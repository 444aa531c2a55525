// The task for a summary of everything before a cut: what rules make of it, and the conversation for a model that never saw it.
import { extractFrom } from '../../pruning/compactTurns.ts';
import type { Fitted } from '../../pruning/fitted.ts';
import { merge, shrink } from '../merge.ts';
import type { SummaryEntry } from '../summary.ts';
import { sourcesOf } from './source.ts';
import type { Task } from './summarise.ts';

export interface SummaryTask extends Pick<Task, 'sources' | 'entries'> {
  /** The room for a summary does not hold all sentences of the user, so that one has to choose. */
  readonly crowded: boolean;
}

/** Builds the task for everything before `to` in a slot's prompt. */
export function summaryTask({ context, pruned }: Fitted, to: number): SummaryTask {
  const earlier = pruned.compaction?.summary.entries ?? [];
  const covered = pruned.compaction?.to ?? 0;
  const found = extractFrom(context, pruned, covered, to);
  const inPrompt = context.path.slice(covered, to).filter(({ id }) => context.weight(id) > 0);
  const entries = merge(earlier, found);
  const { cap, charactersPerToken } = context.state;
  const kept = shrink({ entries, left: 0 }, cap * charactersPerToken).entries.filter(isSaid).length;
  return { entries, sources: sourcesOf(earlier, inPrompt), crowded: kept < entries.filter(isSaid).length };
}

function isSaid({ section }: SummaryEntry): boolean {
  return section === 'said';
}
