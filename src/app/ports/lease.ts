// A name that this window alone has for a while. Where names cannot be stored nothing can clash: then it has what it asks for.
import type { Leases } from '../../core/stored/storedSession.ts';
import type { Clock } from './clock.ts';

export interface Lease {
  /** Takes it, or keeps it for longer. False when another window has it. */
  take(): boolean;
  /** Whether another window has it. */
  isTaken(): boolean;
  /** Takes it away from whichever window has it. */
  seize(): void;
  release(): void;
}

export function leaseOf(
  leases: Leases | null,
  holder: string,
  clock: Pick<Clock, 'now'>,
  name: string,
  milliseconds: number,
): Lease {
  const now = () => clock.now().getTime();
  return {
    take: () => guarded(() => leases?.acquire(name, holder, now(), milliseconds), true),
    isTaken: () => guarded(() => leases?.isTaken(name, holder, now()), false),
    seize: () => guarded(() => leases?.seize(name, holder, now(), milliseconds), undefined),
    // A name that cannot be given back runs out by itself.
    release: () => guarded(() => leases?.release(name, holder), undefined),
  };
}

/** Gives `otherwise` where the store fails, or there is none: whatever is written next says so. */
function guarded<T>(look: () => T | undefined, otherwise: T): T {
  try {
    return look() ?? otherwise;
  } catch {
    return otherwise;
  }
}
