// Rows for folds: of an attempt that changed nothing, of one by a model, and of one that a crossing made by rules.
import type { Fitted } from '../core/fitPrompt.ts';
import type { Fold } from '../core/fold/fold.ts';
import type { FoldRow, Outcome, Proposal } from '../core/fold/foldRow.ts';
import { heldIn } from '../core/held.ts';
import type { Session } from './session.ts';

export interface Attempt {
  readonly id: string;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly tries: number;
  /** When it began and ended, Unix milliseconds. */
  readonly started: number;
  readonly ended: number;
}

/** The row of an attempt after which the prompt is as it was. */
export function attemptRow(
  { id, outcome, reason, tries, started, ended }: Attempt,
  { measure, room }: Fitted,
): FoldRow {
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
    before: measure.total,
    after: measure.total,
    stateTokens: room.state.tokens,
    milliseconds: ended - started,
    tries,
    undone: false,
    edited: false,
    proposals: [],
  };
}

/** The row of a fold that stands in the prompt `after`. */
export function foldRow(
  attempt: Attempt,
  after: Fitted,
  { to, last, runs, checkpoint, previous }: Fold,
  proposals: readonly Proposal[],
): FoldRow {
  const place = { to, last, runs, checkpoint, previous: previous?.id ?? null };
  return { ...attemptRow(attempt, after), ...place, before: after.before, proposals };
}

/** Keeps a fold that a crossing made by rules for one slot, once. */
export function keepRuleFold(session: Session, fitted: Fitted, now: number): void {
  const { held, node } = fitted;
  const { fold } = held;
  if (fold === null || session.folds.some(({ id }) => id === fold.id)) return;
  const reason = 'the prompt passed high water before a model had written a checkpoint';
  const attempt = { id: fold.id, outcome: 'fallback', reason, tries: 0, started: now, ended: now } as const;
  const slots = Array.from({ length: Math.max(session.state.held.length, node.slot + 1) }, (_, slot) =>
    slot === node.slot ? held : heldIn(session.state.held, slot),
  );
  session.putFold(foldRow(attempt, fitted, fold, []), slots);
  session.tally.folded('fallback');
}
