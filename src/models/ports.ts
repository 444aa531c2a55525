// The real network, disk and clock of a download.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultError } from '../core/faults/faults.ts';
import { defaultWaits } from './download.ts';
import type { DownloadPorts } from './progress.ts';

/** A server that is silent for so long has gone. Milliseconds. */
const silence = 30_000;

/** While `offline` holds no request is made, also none that goes on with an earlier one. */
export function createDownloadPorts(offline: () => boolean = () => false): DownloadPorts {
  const send: typeof fetch = async (...request) => {
    if (offline()) throw new FaultError({ kind: 'download', problem: { is: 'offline' } });
    return fetch(...request);
  };
  return {
    wire: { fetch: send, silence },
    free: freeIn,
    waits: defaultWaits,
    wait: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
  };
}

/** A folder that is not there yet will lie where its parent lies. */
async function freeIn(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing || dirname(folder) === folder) throw error;
    return freeIn(dirname(folder));
  }
}
