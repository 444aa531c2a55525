// A file as it stands at its place this moment, without waiting, so that what follows can follow at once.
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { sha256Of } from '../../tools/files/hash.ts';
import { toRead } from '../../tools/files/opened.ts';
import { systemCode } from './openFolder.ts';

/** Bytes of a file that may be edited. */
export const largest = 16 * 1024 * 1024;

export interface FoundFile {
  readonly stats: BigIntStats;
  readonly bytes: Buffer;
  readonly hash: string;
}

/** Reads the file at a path; null where there is nothing. A link is not followed. Throws with words where the file may not be edited, or changes meanwhile. */
export function foundAt(path: string): FoundFile | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, toRead | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw systemCode(error) === 'ELOOP' ? changedMeanwhile(path) : error;
  }
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile() || stats.size > largest) throw changedMeanwhile(path);
    const bytes = readFileSync(descriptor);
    const hash = sha256Of(bytes);
    // A save that came while it was read.
    const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    const isSame = now?.ino === stats.ino && now.size === stats.size && now.mtimeNs === stats.mtimeNs;
    if (!isSame) throw changedMeanwhile(path);
    return { stats, bytes, hash };
  } finally {
    closeSync(descriptor);
  }
}

export const changedMeanwhile = (path: string) =>
  new Error(`${path} was changed meanwhile; nothing of it was written.`);
