// What a summary is asked for: the messages it is of, and what of them has to survive.
import { extractFrom } from '../../pruning/compactTurns.ts';
import type { Fitted } from '../../pruning/fitted.ts';
import type { SummaryEntry } from '../summary.ts';
import { survives } from './audit.ts';
import { sourcesOf } from './source.ts';
import type { Task } from './summarise.ts';

/** Of everything before `to` in the prompt of a slot. */
export function summaryTask({ room, held }: Fitted, to: number): Omit<Task, 'prompt' | 'window' | 'tries'> {
  const earlier = held.fold?.checkpoint.entries ?? [];
  const covered = held.fold?.to ?? 0;
  const found = extractFrom(room, held, covered, to);
  const isGone = (id: string) => room.weight(id) === 0;
  // What was let go of since the last compaction is not in the prompt: the rules looked at it.
  const trimmed = found.filter(({ items }) => items.every(isGone));
  const inPrompt = room.path.slice(covered, to).filter(({ id }) => !isGone(id));
  const must = [...earlier, ...found].filter(({ by }) => by === 'user');
  const { cap, tokens } = room.state;
  return { stateCap: cap, stateTokens: tokens, sources: sourcesOf(earlier, trimmed, inPrompt), must };
}

/** The entries that were written, and in front of them the user's own words that were left out. */
export function withKept(entries: readonly SummaryEntry[], must: readonly SummaryEntry[]): readonly SummaryEntry[] {
  return [...must.filter((entry) => !survives(entry, entries)), ...entries];
}
