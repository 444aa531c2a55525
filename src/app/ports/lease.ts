// A name that this window alone has for a while. Where names cannot be stored nothing can clash: then it has what it asks for.
import type { Leases } from '../../core/stored/storedSession.ts';
import type { Clock } from './clock.ts';

export interface Lease {
  /** Takes it, or keeps it for longer. False when another window has it. */
  take(): boolean;
  release(): void;
}

export function leaseOf(
  leases: Leases | null,
  holder: string,
  clock: Pick<Clock, 'now'>,
  name: string,
  milliseconds: number,
): Lease {
  return {
    take: () => {
      try {
        return leases?.acquire(name, holder, clock.now().getTime(), milliseconds) ?? true;
      } catch {
        // Whatever is written next says that the store fails.
        return true;
      }
    },
    release: () => {
      try {
        leases?.release(name, holder);
      } catch {
        // What cannot be given back runs out by itself.
      }
    },
  };
}
