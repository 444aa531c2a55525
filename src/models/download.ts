// Fetches one file: goes on from the part that is there, tries again after a cut, and checks what arrived before it gets its name.
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { FaultError } from '../core/faults/faults.ts';
import { type Checked, fileHash } from './check.ts';
import { type DownloadPart, dropPart, finishPart, readPart } from './part.ts';
import type { DownloadPorts, DownloadProgress } from './progress.ts';
import { Passing } from './reach.ts';
import { receive } from './receive.ts';
import type { RemoteFile } from './source.ts';

export interface Got {
  readonly path: string;
  readonly bytes: number;
  readonly checked: Checked;
}

export const defaultWaits: readonly number[] = [1000, 2000, 5000, 10_000, 20_000];

/** Rejects with a FaultError or the signal's reason; the part is kept, unless what arrived is wrong. The caller holds the lock. */
export async function download(
  file: RemoteFile,
  path: string,
  ports: DownloadPorts,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<Got> {
  const part = await receiveAll(file, path, ports, onProgress, signal);
  const { have, state } = part;
  const expected = file.sha256 ?? state.sha256;
  const fault = await faultIn(part, path, expected, onProgress, signal);
  if (fault !== null) {
    await dropPart(path);
    throw fault;
  }
  await finishPart(path);
  return { path, bytes: have, checked: expected !== null ? 'sha256' : state.total !== null ? 'size' : 'nothing' };
}

async function receiveAll(
  file: RemoteFile,
  path: string,
  ports: DownloadPorts,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<DownloadPart> {
  let failed = 0;
  for (;;) {
    const before = await readPart(path);
    try {
      const whole = before !== null && before.state.url === file.url && before.have === before.state.total;
      if (whole) return before;
      await receive(file, path, before, ports, onProgress, signal);
      const after = await readPart(path);
      if (after === null) throw new Error(`${path}.part is gone`);
      return after;
    } catch (error) {
      if (!(error instanceof Passing)) throw inFolder(error, path);
      const after = await readPart(path);
      const have = after?.have ?? 0;
      // Something arrived: the server lives.
      failed = have > (before?.have ?? 0) ? 1 : failed + 1;
      const wait = ports.waits[failed - 1];
      if (wait === undefined) throw error;
      onProgress({ state: 'waiting', bytes: have, total: after?.state.total ?? null, why: error.message });
      await ports.wait(Math.max(wait, error.after), signal);
    }
  }
}

async function faultIn(
  { have, state }: DownloadPart,
  path: string,
  expected: string | null,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<FaultError | null> {
  const name = basename(path);
  if (state.total !== null && have !== state.total)
    return new FaultError({ kind: 'download', problem: { is: 'wrongSize', name, expected: state.total, got: have } });
  if (expected === null) return null;
  const onBytes = (bytes: number) => onProgress({ state: 'checking', bytes, total: have, why: '' });
  const got = await fileHash(`${path}.part`, onBytes, signal);
  if (got === expected) return null;
  return new FaultError({ kind: 'download', problem: { is: 'wrongHash', name, expected, got } });
}

/** Makes an error of the file system a fault that names the folder; other errors stay as they are. */
function inFolder(error: unknown, path: string): unknown {
  if (error instanceof FaultError || !(error instanceof Error && 'syscall' in error)) return error;
  return new FaultError({ kind: 'download', problem: { is: 'folder', folder: dirname(path), reason: error.message } });
}

export async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}
