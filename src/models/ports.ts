// The real network, disk and clock of a download.
import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DownloadPorts, defaultWaits } from './download.ts';

/** A server that is silent for so long has gone. Milliseconds. */
const silence = 30_000;

export function createDownloadPorts(): DownloadPorts {
  return {
    wire: { fetch: (...request) => fetch(...request), silence },
    free: async (folder) => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    waits: defaultWaits,
    wait: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
  };
}
