// The store: sessions and their items in SQLite (WAL), each item written before the model sees it.
import type { DatabaseSync } from 'node:sqlite';
import type { Item } from '../core/dialog.ts';
import { dialogOf } from '../core/dialog.ts';
import { FaultError, reasonOf } from '../core/faults.ts';
import type { Marks } from '../core/marks.ts';
import type { Report } from '../core/report.ts';
import type { SessionRow, StoredSession } from '../core/storedSession.ts';

/** What brings a database from each version to the next; a new one goes through all. */
const migrations = [
  `
  CREATE TABLE session (
    id TEXT PRIMARY KEY, workspace TEXT NOT NULL, system TEXT NOT NULL, created INTEGER NOT NULL, head TEXT
  ) STRICT;
  CREATE TABLE item (
    sequence INTEGER PRIMARY KEY, session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    id TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (session, id)
  ) STRICT;
  CREATE TABLE report (
    sequence INTEGER PRIMARY KEY, session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE, json TEXT NOT NULL
  ) STRICT;
  `,
  `ALTER TABLE session ADD COLUMN marks TEXT NOT NULL DEFAULT '{"pinned":[],"evicted":[]}'`,
];

/** Opens or creates the database. Rejects with `storeUnavailable` where the host has no SQLite or the file cannot be used. */
export async function openStore(path: string): Promise<Store> {
  let database: DatabaseSync | undefined;
  try {
    const { DatabaseSync: Database } = await import('node:sqlite');
    database = new Database(path, { timeout: 3000, enableForeignKeyConstraints: true });
    // Looked at before anything is written: a newer one stays as it is, byte by byte.
    versionOf(database);
    // With a WAL, NORMAL survives the death of any process. FULL would wait for the disk at every item, on the host's only thread.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    // Two windows may start at the same time: the version is read under the lock that creates the tables.
    const opened = database;
    inTransaction(opened, () => prepare(opened));
    return new Store(opened);
  } catch (error) {
    database?.close();
    throw unavailable(error);
  }
}

function prepare(database: DatabaseSync): void {
  for (const migration of migrations.slice(versionOf(database))) database.exec(migration);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}

/** Throws for a database that a newer Tidemark wrote. */
function versionOf(database: DatabaseSync): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version <= migrations.length) return version;
  throw new Error(`the database was written by a newer Tidemark (schema ${version})`);
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

export class Store {
  private readonly database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  createSession({ id, workspace, system, created }: SessionRow): void {
    this.run(
      'INSERT INTO session (id, workspace, system, created) VALUES (?, ?, ?, ?)',
      id,
      workspace,
      system,
      created,
    );
  }

  /** When it returns, the item survives the end of this process in any way; a power cut may take the last few. */
  appendItem(session: string, item: Item): void {
    this.guard(() =>
      inTransaction(this.database, () => {
        this.run('INSERT INTO item (session, id, json) VALUES (?, ?, ?)', session, item.id, JSON.stringify(item));
        this.run('UPDATE session SET head = ? WHERE id = ?', item.id, session);
      }),
    );
  }

  addReport(session: string, report: Report): void {
    this.run('INSERT INTO report (session, json) VALUES (?, ?)', session, JSON.stringify(report));
  }

  setMarks(session: string, { pinned, evicted }: Marks): void {
    const json = JSON.stringify({ pinned: [...pinned], evicted: [...evicted] });
    this.run('UPDATE session SET marks = ? WHERE id = ?', json, session);
  }

  /** The session of the workspace that was written to last, or null. */
  latestSession(workspace: string): StoredSession | null {
    return this.guard(() => {
      const row = this.get(
        `SELECT s.id, s.system, s.head, s.marks FROM session s JOIN item i ON i.session = s.id
         WHERE s.workspace = ? ORDER BY i.sequence DESC LIMIT 1`,
        workspace,
      );
      if (row === null) return null;
      const id = String(row.id);
      const rows = this.all('SELECT json FROM item WHERE session = ? ORDER BY sequence', id);
      const items = rows.map(({ json }) => JSON.parse(String(json)) as Item);
      const { pinned, evicted } = JSON.parse(String(row.marks)) as Record<keyof Marks, readonly string[]>;
      const marks = { pinned: new Set(pinned), evicted: new Set(evicted) };
      const dialog = dialogOf(items, row.head === null ? null : String(row.head));
      return { id, system: String(row.system), dialog, marks };
    });
  }

  close(): void {
    this.database.close();
  }

  private run(sql: string, ...values: (string | number)[]): void {
    this.guard(() => this.database.prepare(sql).run(...values));
  }

  private get(sql: string, ...values: (string | number)[]) {
    return this.guard(() => this.database.prepare(sql).get(...values) ?? null);
  }

  private all(sql: string, ...values: (string | number)[]) {
    return this.guard(() => this.database.prepare(sql).all(...values));
  }

  private guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw unavailable(error);
    }
  }
}

function unavailable(error: unknown): FaultError {
  if (error instanceof FaultError) return error;
  return new FaultError({ kind: 'storeUnavailable', reason: reasonOf(error) });
}
