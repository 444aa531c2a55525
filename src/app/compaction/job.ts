// A compaction that is at work.
import type { TurnSetup } from '../../core/turn/turnPorts.ts';
import type { Session } from '../session/session.ts';
import type { Prepared } from '../turn/preparing.ts';

export interface CompactionJob {
  readonly session: Session;
  readonly setup: TurnSetup;
  /** Where a node of its graph runs, by its slot, and the one that answers. */
  readonly at: Prepared['at'];
  readonly main: Prepared['main'];
  readonly signal: AbortSignal;
  /** The user wants it, also where it frees little. */
  readonly byUser: boolean;
  /** A summariser is asked from here on. */
  readonly asked: () => void;
}
