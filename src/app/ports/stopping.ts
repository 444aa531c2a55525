// A wait that a cancel ends at once, whatever is waited for.
import type { Signal } from '../../core/dialog/tool.ts';
import { FaultError } from '../../core/faults/faults.ts';

/** What the work gives. Rejects with a FaultError once the signal is aborted, or at once where it is: nobody waits any more then. */
export async function orStopped<T>(work: Promise<T>, signal: Signal): Promise<T> {
  const stopped = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(new FaultError({ kind: 'engineStopped' }));
    signal.addEventListener('abort', () => reject(new FaultError({ kind: 'engineStopped' })), { once: true });
  });
  // The race may be over when the signal aborts: the rejection is then nobody's.
  stopped.catch(() => undefined);
  const found = await Promise.race([work, stopped]);
  if (signal.aborted) throw new FaultError({ kind: 'engineStopped' });
  return found;
}
