// The task for a summary of everything before a cut: what rules make of it, and the conversation for a model that never saw it.
import { extractFrom } from '../../pruning/compactTurns.ts';
import type { Fitted } from '../../pruning/fitted.ts';
import { merge } from '../merge.ts';
import { sourcesOf } from './source.ts';
import type { Task } from './summarise.ts';

/** Builds the task for everything before `to` in a slot's prompt. */
export function summaryTask({ context, pruned }: Fitted, to: number): Pick<Task, 'sources' | 'entries'> {
  const earlier = pruned.compaction?.summary.entries ?? [];
  const covered = pruned.compaction?.to ?? 0;
  const found = extractFrom(context, pruned, covered, to);
  const inPrompt = context.path.slice(covered, to).filter(({ id }) => context.weight(id) > 0);
  return { entries: merge(earlier, found), sources: sourcesOf(earlier, inPrompt) };
}
