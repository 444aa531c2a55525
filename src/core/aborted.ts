// Waiting for a signal to abort.
import type { Signal } from './dialog/tool.ts';

/** Comes once the signal is aborted, at once where it is. */
export function aborted(signal: Signal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
