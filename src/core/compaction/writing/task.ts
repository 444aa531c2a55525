// The task for a summary: the messages it covers, and the entries that have to survive.
import { extractFrom } from '../../pruning/compactTurns.ts';
import type { Fitted } from '../../pruning/fitted.ts';
import type { SummaryEntry } from '../summary.ts';
import { survives } from './audit.ts';
import { sourcesOf } from './source.ts';
import type { Task } from './summarise.ts';

/** Builds the task for everything before `to` in a slot's prompt. */
export function summaryTask({ context, pruned }: Fitted, to: number): Omit<Task, 'prompt' | 'window' | 'tries'> {
  const earlier = pruned.compaction?.summary.entries ?? [];
  const covered = pruned.compaction?.to ?? 0;
  const found = extractFrom(context, pruned, covered, to);
  const isGone = (id: string) => context.weight(id) === 0;
  // Items trimmed since the last compaction are not in the prompt, so only the rules have read them.
  const trimmed = found.filter(({ items }) => items.every(isGone));
  const inPrompt = context.path.slice(covered, to).filter(({ id }) => !isGone(id));
  const must = [...earlier, ...found].filter(({ by }) => by === 'user');
  const { cap, tokens } = context.state;
  return { stateCap: cap, stateTokens: tokens, sources: sourcesOf(earlier, trimmed, inPrompt), must };
}

/** The entries that were written, and in front of them the user's own words that were left out. */
export function withKept(entries: readonly SummaryEntry[], must: readonly SummaryEntry[]): readonly SummaryEntry[] {
  return [...must.filter((entry) => !survives(entry, entries)), ...entries];
}
