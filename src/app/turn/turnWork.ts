// The types of the work on turns: a turn that ran, and work that nobody waits for.
import type { PrefillProgress } from '../../core/model/model.ts';
import type { TurnOutcome } from '../../core/turn/turnPorts.ts';
import type { WindowEngine } from '../slots/windowEngines.ts';
import type { TurnPlan } from './planTurn.ts';

/** A turn, and its plan: the mode may be another one by now. */
export interface RunTurn extends TurnOutcome {
  readonly plan: TurnPlan;
  /** The engines that its nodes ran on. */
  readonly used: readonly WindowEngine[];
}

/** Work that nobody waits for. */
export interface Idling {
  /** Whether the session waits as it did. */
  readonly still: () => boolean;
  readonly signal: AbortSignal;
  readonly progress: (progress: PrefillProgress) => void;
}
