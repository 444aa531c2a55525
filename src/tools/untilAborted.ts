// Waiting for the editor, no longer than until an abort.

import type { Signal } from '../core/dialog/tool.ts';

/** The promise, or a rejection as soon as the signal is aborted. */
export function untilAborted<T>(promise: Promise<T>, signal: Signal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error('it was stopped'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
