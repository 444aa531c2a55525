// A lock on a file that is being fetched: held by one window at a time, and free at once when that window ends, however it ends.
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface Lock {
  release(): void;
}

/**
 * Returns null while another window has the lock. It is the operating system's lock on an empty SQLite file: there is no heartbeat
 * that could stop, no clock, and nothing stale after a crash. The file is deleted with its lock.
 */
export function takeLock(path: string): Lock | null {
  for (let tries = 0; tries < 100; tries++) {
    closeSync(openSync(path, 'a'));
    const before = nodeOf(path);
    const database = new DatabaseSync(path);
    if (!hold(database)) {
      database.close();
      return null;
    }
    // Its former holder may have deleted the file meanwhile: then this is the lock of a file that nobody else will find.
    if (before !== null && nodeOf(path) === before) return { release: () => free(path, database) };
    database.close();
  }
  return null;
}

function hold(database: DatabaseSync): boolean {
  try {
    // Nothing lies beside the file.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && /locked|busy/i.test(error.message)) return false;
    throw error;
  }
}

/** Deleted while it is held; on Windows an open file stays, empty. */
function free(path: string, database: DatabaseSync): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  } finally {
    database.close();
  }
}

function nodeOf(path: string): bigint | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
