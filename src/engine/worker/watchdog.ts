// Ends the engine process when its host is gone, from a thread of its own: a loop that never ends does not hear that the channel closed.
import { Worker } from 'node:worker_threads';

/**
 * The watching code as text, because the engine is a single file, wherever it is run from. A process whose parent died gets another parent,
 * or, on Windows, one that does not exist.
 */
const watch = `
  const { workerData: parent } = require('node:worker_threads');
  const isGone = () => {
    if (process.ppid !== parent) return true;
    try {
      return !process.kill(parent, 0);
    } catch (error) {
      return error.code === 'ESRCH';
    }
  };
  setInterval(() => isGone() && process.kill(process.pid, 'SIGKILL'), 1000);
`;

export function watchHost(): void {
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, codeRangeSizeMb: 2 };
  new Worker(watch, { eval: true, workerData: process.ppid, resourceLimits }).unref();
}
