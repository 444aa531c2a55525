// Opens the store, also over a damaged file: what can be read of it goes into a new one, and it is kept aside, never deleted.
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FaultError } from '../core/faults/faults.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './open.ts';
import { busyReason, isDamage } from './reasons.ts';
import type { Salvaged } from './salvage.ts';
import { Store } from './store.ts';

export interface Opened {
  readonly store: Store;
  /** What was done about a damaged file; '' where nothing was. */
  readonly words: string;
}

/** Bytes of a file that is looked through at every start; a second at most. */
const lookedThrough = 2 ** 27;
/** A window that has not finished after so many milliseconds has died over it. */
const longest = 120_000;

/** Rejects as `openStore` does, but not because a file is damaged, unless it cannot be moved. */
export async function openOrRescue(path: string): Promise<Opened> {
  const words = takeUpWhatIsLeft(path);
  const connection = await openSound(path);
  return connection === null ? rescue(path) : { store: new Store(connection), words };
}

/** Null for a damaged file. */
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

/** A log without its database would be deleted by SQLite, and a rescue that was cut short has left its result beside the place. */
function takeUpWhatIsLeft(path: string): string {
  if (existsSync(path)) return '';
  if (existsSync(`${path}.new`)) renameSync(`${path}.new`, path);
  if (logSize(path) === 0) return '';
  const aside = freeName(path);
  move(path, aside);
  return `The database file was gone. What was left of it is kept as ${basename(aside)}-wal in ${dirname(path)}; a new one is used.`;
}

async function rescue(path: string): Promise<Opened> {
  const lock = `${path}.rescue`;
  takeLock(lock);
  try {
    // Another window may have been faster.
    const sound = await openSound(path);
    if (sound !== null) return { store: new Store(sound), words: '' };
    const aside = freeName(path);
    const salvaged = await salvageBeside(path);
    move(path, aside);
    renameSync(`${path}.new`, path);
    return { store: new Store(await openConnection(path)), words: wordsFor(salvaged, aside) };
  } finally {
    rmdirSync(lock);
  }
}

/** Into a file of its own, so that a rescue that is cut short begins anew. */
async function salvageBeside(path: string): Promise<Salvaged> {
  const fresh = `${path}.new`;
  for (const end of ends) rmSync(fresh + end, { force: true });
  const connection = await openConnection(fresh);
  // Where the host has no SQLite, this module could not be loaded.
  const { salvage } = await import('./salvage.ts');
  try {
    return salvage(path, connection);
  } finally {
    connection.close();
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

function wordsFor({ sessions, records }: Salvaged, aside: string): string {
  const kept = `The damaged file is kept as ${basename(aside)} in ${dirname(aside)}.`;
  const of = (n: number, one: string, more: string) => (n === 0 ? [] : [`${n} ${n === 1 ? one : more}`]);
  const taken = [
    ...of(sessions, 'conversation', 'conversations'),
    ...of(records, 'entry of the memory or the work board', 'entries of the memory and the work board'),
  ];
  if (taken.length === 0)
    return `The database was damaged, and nothing of it could be read: a new one is used. ${kept}`;
  return `The database was damaged. What could be read is in a new one: ${taken.join(' and ')}. ${kept}`;
}
