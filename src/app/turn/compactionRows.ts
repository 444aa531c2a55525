// Rows for compactions: of an attempt that changed nothing, of one by a model, and of one that a trim made by rules.

import type { Outcome } from '../../core/agent/mechanisms.ts';
import type { Compaction } from '../../core/compaction/compaction.ts';
import type { CompactionRow, Proposal } from '../../core/compaction/compactionRow.ts';
import type { SlotChange } from '../../core/conversation/conversation.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { type PruneState, pruneStateOf } from '../../core/pruning/pruneState.ts';
import type { Session } from '../session/session.ts';

export interface CompactionAttempt {
  readonly id: string;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly tries: number;
  readonly cost?: CompactionRow['cost'];
  /** When it began and ended, Unix milliseconds. */
  readonly started: number;
  readonly ended: number;
}

/** The row of an attempt after which the prompt is as it was. */
export function attemptRow(attempt: CompactionAttempt, { measure, context }: Fitted): CompactionRow {
  return rowOf(attempt, { before: measure.total, after: measure.total, stateTokens: context.state.tokens });
}

function rowOf(
  { id, outcome, reason, tries, cost, started, ended }: CompactionAttempt,
  crossing: Crossing,
): CompactionRow {
  return {
    id,
    created: started,
    outcome,
    reason,
    to: 0,
    last: '',
    runs: [],
    previous: null,
    checkpoint: null,
    ...crossing,
    milliseconds: ended - started,
    tries,
    ...(cost === undefined ? {} : { cost }),
    undone: false,
    edited: false,
    proposals: [],
  };
}

/** The row of a compaction that stands in the prompt `after`. */
export function compactionRow(
  attempt: CompactionAttempt,
  after: Fitted,
  compaction: Compaction,
  proposals: readonly Proposal[],
): CompactionRow {
  return { ...rowOf(attempt, crossingOf(after)), ...placeOf(compaction), proposals };
}

function placeOf({ to, last, runs, summary, previous }: Compaction) {
  return { to, last, runs, checkpoint: summary, previous: previous?.id ?? null };
}

export function crossingOf({ before, measure, context }: Fitted): Crossing {
  return { before, after: measure.total, stateTokens: context.state.tokens };
}

/** Tokens of a slot's prompt before its trim, after it, and of the state in it. */
export interface Crossing {
  readonly before: number;
  readonly after: number;
  readonly stateTokens: number;
}

/**
 * Stores a row for each compaction by rules that a trim made for one slot and that is not stored yet. A trim may make several in a row,
 * each built on the one before; the slot's prune state then names the last of them. Returns false where there was none to store.
 */
function keepRuleCompactions(
  session: Session,
  { slot, from, to }: SlotChange,
  crossing: Crossing,
  now: number,
): boolean {
  const known = new Set(session.state.compactions.map(({ id }) => id));
  const made: Compaction[] = [];
  for (let { compaction } = to; compaction !== null && !known.has(compaction.id); compaction = compaction.previous)
    made.unshift(compaction);
  const reason = 'the prompt exceeded the limit';
  let before = from;
  for (const [at, compaction] of made.entries()) {
    const attempt = { id: compaction.id, outcome: 'fallback', reason, tries: 0, started: now, ended: now } as const;
    const after = at === made.length - 1 ? to : { ...to, compaction };
    const row = { ...rowOf(attempt, crossing), ...placeOf(compaction) };
    session.apply({ type: 'compacted', row, slots: [{ slot, from: before, to: after }] });
    session.tally.compacted(row);
    before = after;
  }
  return made.length > 0;
}

/** Keeps what prompts let go of from now on, each slot's starting from what its prompt before left. */
export function pruningsOf(session: Session, now: () => Date) {
  const given = [...session.state.pruned];
  const compacted = (slot: number, to: PruneState, crossing: Crossing) => {
    const change = { slot, from: pruneStateOf(given, slot), to };
    if (keepRuleCompactions(session, change, crossing, now().getTime())) given[slot] = to;
  };
  const ended = (slot: number, to: PruneState, crossing: Crossing) => {
    compacted(slot, to, crossing);
    session.tally.crossed(pruneStateOf(session.state.pruned, slot), to);
    session.apply({ type: 'pruned', slots: [{ slot, from: pruneStateOf(given, slot), to }] });
  };
  return { compacted, ended };
}
