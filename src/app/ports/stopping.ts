// A wait that a cancel ends at once, whatever is waited for.
import type { Signal } from '../../core/dialog/tool.ts';
import { FaultError } from '../../core/faults/faults.ts';
import type { Model } from '../../core/model/model.ts';

/** Returns the result of the work. Rejects with a FaultError once the signal is aborted, because nobody waits any more then. */
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

/** Milliseconds that a generation which was stopped may take to say what it came to. */
const grace = 1500;

/** The same model, which a stop always ends: at once where it measures, and where it generates after the grace, without what it came to. */
export function stoppable(model: Model, signal: Signal): Model {
  return {
    measure: (prompt) => orStopped(model.measure(prompt, signal), signal),
    generate: async (request, onText, own, onPrefill) => {
      const late = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const stop = () => {
        timer = setTimeout(() => late.abort(), grace);
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
      // Text that comes after the grace belongs to no turn any more.
      const hear = (text: string) => {
        if (!late.signal.aborted) onText(text);
      };
      try {
        return await orStopped(model.generate(request, hear, own, onPrefill), late.signal);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}
