// Files that are opened once: what was checked is what is read, also where a link or a pipe is put in its place meanwhile.
import { constants, fstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A pipe that nobody writes to is opened at once too, and refused then. */
export const toRead = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Returns the place, free of links, of the file that was opened by this path; null for what is no regular file, or where the place cannot be told. */
export function openedAt(descriptor: number, path: string): string | null {
  const stats = fstatSync(descriptor, { bigint: true });
  if (!stats.isFile()) return null;
  // Linux knows it of each open file, also of one that was replaced since.
  const linked = tried(() => readlinkSync(`/proc/self/fd/${descriptor}`));
  if (linked !== null) return stats.nlink === 0n ? linked.replace(/ \(deleted\)$/, '') : linked;
  const real = tried(() => realpathSync.native(path));
  const there = real === null ? null : tried(() => statSync(real, { bigint: true }));
  return there?.ino === stats.ino && there.dev === stats.dev ? real : null;
}

/** `real` is free of links. Rejects where the file cannot be opened or is none, or where another one is found there by now. */
export async function withFile<T>(real: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(real, toRead);
  try {
    if (openedAt(file.fd, real) !== real) throw new Error('another file stands in its place by now');
    return await work(file);
  } finally {
    await file.close();
  }
}

function tried<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
