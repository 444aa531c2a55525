// A thread of the store that does one thing, sends what came of it, and ends.
import { Worker } from 'node:worker_threads';

/** Resolves to what the thread sends. Rejects where it ends before that, with the signal's reason where that ended it. */
export function inThread<T>(script: string | URL, name: string, workerData: object, signal: AbortSignal): Promise<T> {
  const worker = new Worker(script, { name, workerData });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const end = () => {
    reject(signal.reason);
    void worker.terminate();
  };
  signal.addEventListener('abort', end, { once: true });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) => {
    signal.removeEventListener('abort', end);
    reject(new Error(`its thread ended with ${code}`));
  });
  if (signal.aborted) end();
  return promise;
}
