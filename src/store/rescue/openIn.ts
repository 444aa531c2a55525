// Opens the storage in a folder, or says why nothing can be stored.

import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FaultError, faultOf, wordFault } from '../../core/faults/faults.ts';
import type { Searches } from '../../core/stored/storedSession.ts';
import type { Connection } from '../connection.ts';
import { openConnection } from '../open.ts';
import { busyReason, isDamage } from '../reasons.ts';
import { Searcher } from '../searching/searcher.ts';
import { Store } from '../store.ts';
import { owe, owedBeside, salvageOwed } from './salvaging.ts';

export interface StoreOrWords {
  /** The open store; null where nothing can be stored. */
  readonly store: Store | null;
  /** Words for the user; '' where there is nothing to say. */
  readonly words: string;
  /** And what comes to be known when a damaged file is read; null where there is none. Never rejects. */
  readonly salvaged: Promise<string> | null;
}

/**
 * Makes the folder where there is none. `script` is that of the thread that reads a damaged file, `searching` that of the one that searches;
 * without it the host searches itself. Never rejects.
 */
export async function openIn(folder: string, script: string | URL, searching?: string | URL): Promise<StoreOrWords> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, 'tidemark.sqlite');
    const opened = await openOrRescue(
      path,
      script,
      searching === undefined ? searching : new Searcher(path, searching),
    );
    // Conversations are for no other user of this machine. A file system without modes, or a file of another user, stays as it is.
    for (const end of ['', '-wal', '-shm']) await chmod(path + end, 0o600).catch(() => undefined);
    return opened;
  } catch (error) {
    const fault = faultOf(error);
    const said =
      fault.kind === 'storeUnavailable' ? fault : ({ kind: 'storeUnavailable', reason: String(error) } as const);
    const { message, advice } = wordFault(said);
    return { store: null, words: `${message} ${advice}`, salvaged: null };
  }
}

// Opens the store, also over a damaged file: that is kept aside, never deleted, and what can be read of it comes into a new one beside the
// work.

interface Opened {
  readonly store: Store;
  /** Words about what was done with a damaged file; '' where nothing was. */
  readonly words: string;
  /** Words about what came back of a damaged file, once it is read; null where there is none. Never rejects. */
  readonly salvaged: Promise<string> | null;
}

/** Bytes of a file that is looked through at every start; a second at most. */
const lookedThrough = 2 ** 27;
/** A window that has not moved a file after so many milliseconds has died over it. */
const longest = 10_000;

/**
 * `script` is that of the thread that reads a damaged file. Rejects as `openStore` does, but not because a file is damaged, unless it cannot
 * be moved.
 */
export async function openOrRescue(path: string, script: string | URL, searches?: Searches): Promise<Opened> {
  const left = keepWhatIsLeft(path);
  const connection = await openSound(path);
  const { store, words } =
    connection === null ? await moveAside(path, searches) : { store: new Store(connection, searches), words: left };
  const isOwed = !store.readOnly && owedBeside(path).length > 0;
  return { store, words, salvaged: isOwed ? salvageOwed(path, store.leases, script) : null };
}

/** Opens the database; null where its file is damaged. */
async function openSound(path: string): Promise<Connection | null> {
  try {
    const connection = await openConnection(path);
    if (connection.readOnly || isWhole(connection, path)) return connection;
    connection.close();
    return null;
  } catch (error) {
    if (isDamage(error, path)) return null;
    throw error;
  }
}

function isWhole(connection: Connection, path: string): boolean {
  if (statSync(path).size > lookedThrough) return true;
  try {
    return connection.get('PRAGMA quick_check(1)')?.quick_check === 'ok';
  } catch (error) {
    if (isDamage(error, path)) return false;
    throw error;
  }
}

/** A log without its database would be deleted by SQLite. */
function keepWhatIsLeft(path: string): string {
  if (existsSync(path) || logSize(path) === 0) return '';
  const aside = freeName(path);
  move(path, aside);
  return `The database file was gone. What was left of it is kept as ${basename(aside)}-wal in ${dirname(path)}; a new one is used.`;
}

async function moveAside(path: string, searches: Searches | undefined): Promise<Pick<Opened, 'store' | 'words'>> {
  const lock = `${path}.rescue`;
  takeLock(lock);
  try {
    // Another window may have been faster.
    const sound = await openSound(path);
    if (sound !== null) return { store: new Store(sound, searches), words: '' };
    const aside = freeName(path);
    owe(aside);
    move(path, aside);
    const store = new Store(await openConnection(path), searches);
    return { store, words: 'The database is damaged. Readable data is being recovered into a new one.' };
  } finally {
    rmdirSync(lock);
  }
}

function takeLock(lock: string): void {
  const found = statSync(lock, { throwIfNoEntry: false });
  if (found !== undefined && Date.now() - found.mtimeMs > longest) rmdirSync(lock);
  try {
    mkdirSync(lock);
  } catch (error) {
    const reason = existsSync(lock) ? busyReason : String(error);
    throw new FaultError({ kind: 'storeUnavailable', reason });
  }
}

const ends = ['', '-wal', '-shm'] as const;

/** With its log, where something is in it; the log's index is made anew whenever it is missing. */
function move(path: string, aside: string): void {
  if (existsSync(path)) renameSync(path, aside);
  if (logSize(path) > 0) renameSync(`${path}-wal`, `${aside}-wal`);
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
}

function logSize(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function freeName(path: string): string {
  const name = basename(path, '.sqlite');
  for (let n = 1; ; n++) {
    const aside = join(dirname(path), `${name}.damaged-${n}.sqlite`);
    if (!ends.some((end) => existsSync(aside + end))) return aside;
  }
}
