// Fetches the files of a model one after the other; where another window fetches one, shows that one's progress and takes over if it ends.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FaultError, reasonOf } from '../core/faults/faults.ts';
import { download, type Got, isThere } from './download.ts';
import { takeLock } from './lock.ts';
import { readPart } from './part.ts';
import type { DownloadPorts, DownloadProgress } from './progress.ts';
import type { RemoteFile } from './source.ts';

/** How often another window's progress is looked at, in milliseconds. */
const look = 500;

/** Rejects with a FaultError or the signal's reason; what arrived is kept. A file that is there is not fetched again. */
export async function fetchFiles(
  files: readonly RemoteFile[],
  folder: string,
  ports: DownloadPorts,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<readonly Got[]> {
  await inFolder(folder, () => mkdir(folder, { recursive: true }));
  await checkSpaceForAll(files, folder, ports);
  const got: Got[] = [];
  for (const [i, file] of files.entries()) {
    const before = got.reduce((sum, { bytes }) => sum + bytes, 0);
    const behind = files.slice(i + 1).map(({ bytes }) => bytes);
    const later = behind.reduce<number | null>(
      (sum, bytes) => (sum === null || bytes === null ? null : sum + bytes),
      0,
    );
    const show = ({ bytes, total, ...rest }: DownloadProgress) =>
      onProgress({
        ...rest,
        bytes: before + bytes,
        total: total === null || later === null ? null : before + total + later,
      });
    got.push(await fetchOne(file, join(folder, file.name), ports, show, signal));
  }
  return got;
}

/** Checks that there is space for all files of a model before the first one is fetched. */
async function checkSpaceForAll(files: readonly RemoteFile[], folder: string, { free }: DownloadPorts): Promise<void> {
  let needed = 0;
  for (const { name, bytes } of files) {
    const path = join(folder, name);
    const have = (await isThere(path)) ? bytes : (await readPart(path))?.have;
    needed += Math.max(0, (bytes ?? 0) - (have ?? 0));
  }
  const there = await free(folder);
  if (files.length > 1 && there < needed)
    throw new FaultError({ kind: 'download', problem: { is: 'diskFull', folder, needed, free: there } });
}

async function fetchOne(
  file: RemoteFile,
  path: string,
  ports: DownloadPorts,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<Got> {
  for (;;) {
    const lock = await inFolder(dirname(path), () => takeLock(`${path}.lock`));
    if (lock !== null) {
      try {
        const there = await thereAlready(file, path);
        return there ?? (await download(file, path, ports, onProgress, signal));
      } finally {
        lock.release();
      }
    }
    const part = await readPart(path);
    onProgress({ state: 'elsewhere', bytes: part?.have ?? 0, total: part?.state.total ?? file.bytes, why: '' });
    await ports.wait(look, signal);
  }
}

/** A file gets its name only when it was checked. */
async function thereAlready({ name, bytes }: RemoteFile, path: string): Promise<Got | null> {
  if (!(await isThere(path))) return null;
  const { size } = await stat(path);
  if (bytes !== null && bytes !== size)
    throw new FaultError({ kind: 'download', problem: { is: 'nameTaken', name, folder: dirname(path) } });
  return { path, bytes: size, checked: 'before' };
}

/** Makes an error of `act` a fault that names the folder. */
async function inFolder<T>(folder: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new FaultError({ kind: 'download', problem: { is: 'folder', folder, reason: reasonOf(error) } });
  }
}
