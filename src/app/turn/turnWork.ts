// What the work on turns takes and gives.
import type { Agent } from '../../core/agent/agent.ts';
import type { Graph } from '../../core/agent/graph.ts';
import type { PrefillProgress } from '../../core/model/model.ts';
import type { TurnOutcome } from '../../core/turn/turnPorts.ts';
import type { WindowEngine } from '../slots/windowEngines.ts';

/** A turn, and what it was set up with: the mode may be another one by now. */
export interface RunTurn extends TurnOutcome {
  readonly agent: Agent;
  readonly graph: Graph;
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
