// A compaction that is at work.
import type { Session } from '../session/session.ts';
import type { TurnPlan } from '../turn/planTurn.ts';

export interface CompactionJob {
  readonly session: Session;
  readonly plan: TurnPlan;
  readonly signal: AbortSignal;
  /** The user wants it, also where it frees little. */
  readonly byUser: boolean;
  /** A summariser is asked from here on. */
  readonly asked: () => void;
}
