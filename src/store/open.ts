// Opens or creates the database file: looked at before it is touched, brought to the latest version, or read only.
import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { FaultError } from '../core/faults/faults.ts';
import { Connection, inTransaction } from './connection.ts';
import { latestVersion, migrate, versionOf } from './migrations.ts';
import { code, codeOf, readOnlyReason, unavailable } from './reasons.ts';

type Sqlite = typeof import('node:sqlite');

/** How long one window waits for another within SQLite, in milliseconds: the whole host waits with it. */
const shortWait = 80;
/** And how long opening tries again, which lets the host go on meanwhile. */
const patience = 3000;

/**
 * `timeout`: milliseconds that it waits for another's lock within SQLite, always. Rejects with `storeUnavailable` where the host has no SQLite
 * or the file cannot be used, which then stays as it was.
 */
export async function openConnection(path: string, timeout = shortWait): Promise<Connection> {
  try {
    const sqlite = await import('node:sqlite');
    const exists = existsSync(path);
    try {
      return await patiently(() => {
        if (exists) look(sqlite, path, timeout);
        return openToWrite(sqlite, path, timeout);
      });
    } catch (error) {
      if (!exists || !isForbidden(error)) throw error;
      return openToRead(sqlite, path, timeout);
    }
  } catch (error) {
    throw unavailable(error, path);
  }
}

/** For reading what somebody else has open, and may be writing to. */
export async function openBeside(path: string): Promise<Connection> {
  try {
    const sqlite = await import('node:sqlite');
    try {
      const database = new sqlite.DatabaseSync(path, { timeout: patience, readOnly: true });
      return closedOnError(database, () => readingConnection(database, path));
    } catch (error) {
      if (!isForbidden(error)) throw error;
      return openToRead(sqlite, path, patience);
    }
  } catch (error) {
    throw unavailable(error, path);
  }
}

/** SQLite waits for a lock, but not where two that hold one each would wait for each other, as when both turn to the WAL. */
async function patiently<T>(work: () => T): Promise<T> {
  for (const until = Date.now() + patience; ; ) {
    try {
      return work();
    } catch (error) {
      if (codeOf(error) !== code.busy || Date.now() > until) throw error;
      await wait(10 + 40 * Math.random());
    }
  }
}

/** Without the right to write, SQLite cannot make the files beside the database either. */
function isForbidden(error: unknown): boolean {
  return [code.readOnly, code.cannotOpen].some((one) => one === codeOf(error));
}

/** Throws for a damaged file and one of a newer version. A connection that may write would take in its log when it closes. */
function look({ DatabaseSync: Database }: Sqlite, path: string, timeout: number): void {
  const database = new Database(path, { timeout, readOnly: true });
  try {
    versionOf(database);
  } catch (error) {
    // A writer may do what a reader may not: take back what a crash left half-written.
    if (!isForbidden(error)) throw error;
  } finally {
    database.close();
  }
}

function openToWrite({ DatabaseSync: Database }: Sqlite, path: string, timeout: number): Connection {
  const database = new Database(path, { timeout, enableForeignKeyConstraints: true });
  return closedOnError(database, () => {
    versionOf(database);
    // With a WAL, NORMAL survives the death of any process. FULL would wait for the disk at every item, on the host's only thread.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON');
    // Two windows may start at the same time: the version is read under the lock that creates the tables.
    inTransaction(database, 'IMMEDIATE', () => migrate(database));
    tryToWrite(database);
    return new Connection(database, path, false);
  });
}

/** Throws where nothing can be written; SQLite opens such a file without a word. Writes nothing. */
function tryToWrite(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(`PRAGMA user_version = ${latestVersion}`);
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

function openToRead({ DatabaseSync: Database }: Sqlite, path: string, timeout: number): Connection {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  const url = pathToFileURL(path);
  // A file without a log, where none can be made, has no writer; SQLite reads it only when told that it is immutable.
  if (log === undefined || log.size === 0) url.searchParams.set('immutable', '1');
  const database = new Database(url, { timeout, readOnly: true });
  return closedOnError(database, () => readingConnection(database, path));
}

function readingConnection(database: DatabaseSync, path: string): Connection {
  const version = versionOf(database);
  if (version === latestVersion) return new Connection(database, path, true);
  const reason = `${readOnlyReason}, and the database is of an earlier version (schema ${version})`;
  throw new FaultError({ kind: 'storeUnavailable', reason });
}

function closedOnError<T>(database: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    database.close();
    throw error;
  }
}
