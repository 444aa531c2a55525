// An open database: transactions, and the wiping of deleted words. Every refusal of SQLite becomes a `storeUnavailable` fault.
import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { FaultError } from '../core/faults/faults.ts';
import { readOnlyReason, unavailable } from './reasons.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;

export class Connection {
  readonly readOnly: boolean;
  private readonly database: DatabaseSync;
  private readonly path: string;
  /** Tells the file from another one in its place. */
  private readonly file: number | undefined;
  /** The place where deleted words may still stand; null where there are none. */
  private unwiped: 'file' | 'log' | null = null;

  constructor(database: DatabaseSync, path: string, readOnly: boolean) {
    this.database = database;
    this.path = path;
    this.readOnly = readOnly;
    this.file = fileAt(path);
  }

  /** All that is read in `work` is of one moment. */
  read<T>(work: () => T): T {
    return this.guard(() => inTransaction(this.database, 'DEFERRED', work));
  }

  /** All of it is written, or nothing. */
  write<T>(work: () => T): T {
    if (this.readOnly) throw new FaultError({ kind: 'storeUnavailable', reason: readOnlyReason });
    // SQLite goes on writing to a file that nobody can open any more.
    if (fileAt(this.path) !== this.file) {
      throw new FaultError({ kind: 'storeUnavailable', reason: `the database file ${this.path} was moved or deleted` });
    }
    return this.guard(() => inTransaction(this.database, 'IMMEDIATE', work));
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return this.guard(() => Number(this.database.prepare(sql).run(...values).changes));
  }

  get(sql: string, ...values: SQLInputValue[]): Row | null {
    return this.guard(() => this.database.prepare(sql).get(...values) ?? null);
  }

  all(sql: string, ...values: SQLInputValue[]): readonly Row[] {
    return this.guard(() => this.database.prepare(sql).all(...values));
  }

  /** Row by row, for results that may be large. */
  each(sql: string, ...values: SQLInputValue[]): Iterable<Row> {
    return this.database.prepare(sql).iterate(...values);
  }

  /**
   * Takes deleted words out of the file. `secure_delete` alone does not: when SQLite balances its pages it leaves copies
   * of rows in the gaps, which only a file that is built anew is free of, in time that grows with the file. Where no page
   * can hold such copies, the log is enough: it has the pages as they were before.
   */
  wipe(what: 'file' | 'log'): void {
    this.unwiped = what === 'file' ? what : (this.unwiped ?? what);
    try {
      if (this.unwiped === 'file') this.database.exec('VACUUM');
      this.unwiped = 'log';
      const { busy } = this.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
      if (busy === 0) this.unwiped = null;
    } catch {
      // The rows are gone; another window or a full disk keeps their traces. The next wiping tries again, `close` at the latest.
    }
  }

  close(): void {
    if (!this.database.isOpen) return;
    if (this.unwiped !== null) this.wipe(this.unwiped);
    this.database.close();
  }

  private guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw unavailable(error, this.path);
    }
  }
}

function fileAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

export function inTransaction<T>(database: DatabaseSync, kind: 'DEFERRED' | 'IMMEDIATE', work: () => T): T {
  database.exec(`BEGIN ${kind}`);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Some errors, a full disk among them, have rolled it back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
