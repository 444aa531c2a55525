// Brings what can be read of a damaged database into another one: sessions turn by turn, and what outlives them row by row.

import { createHash } from 'node:crypto';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import type { Item } from '../../core/dialog/dialog.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import { isRecord } from '../../core/record.ts';
import type { Connection, Row } from '../connection.ts';
import { importJson } from '../exchange.ts';
import { linkedItems } from '../linkedItems.ts';
import { latestVersion } from '../migrations.ts';

export interface SalvageParams {
  /** The damaged file. */
  readonly from: string;
  /** The database in use, which a window writes to as well. */
  readonly into: string;
}

export interface Salvaged {
  readonly sessions: number;
  /** Memory, work items and decisions. */
  readonly records: number;
  /** Files with what they were before they were changed. */
  readonly files: number;
}

/** Parts of a session that are left out one by one because they are not what they were. */
const mostTries = 100;

/** The first version whose tables are those of now, but for what a rescue does without. */
const oldest = 3;

/** The first version that keeps what files were before they were changed. */
const filesSince = 7;

/** Keys of what a salvage that was cut short brought back: none of it comes again, because the user may have deleted it since. */
export interface TakenBack {
  has(key: string): boolean;
  add(key: string): unknown;
}

/** Reads `path` only. A database of another version has nothing that fits. */
export function salvage(path: string, into: Connection, taken: TakenBack): Salvaged {
  const from = new DatabaseSync(path, { readOnly: true });
  try {
    const version = versionIn(from);
    if (version < oldest || version > latestVersion) return { sessions: 0, records: 0, files: 0 };
    const parts = { items: bySession(from, 'item'), reports: bySession(from, 'report') };
    const compactions = bySession(from, 'fold');
    const sessions = readableRows(from, 'session')
      .toSorted((a, b) => Number(a.last) - Number(b.last))
      .filter((row) => once(taken, `session ${row.id}`, () => takeSession(into, row, { ...parts, compactions })));
    const tables = ['memory', 'work', 'decision'] as const;
    const records = tables.flatMap((table) =>
      readableRows(from, table).filter((row) => once(taken, `${table} ${row.id}`, () => takeRow(into, table, row))),
    );
    for (const row of readableRows(from, 'audit')) takeAudit(into, row);
    const files = version < filesSince ? [] : takeFiles(from, into, (file, take) => once(taken, `file ${file}`, take));
    return { sessions: sessions.length, records: records.length, files: files.length };
  } finally {
    from.close();
  }
}

function versionIn(database: DatabaseSync): number {
  try {
    return Number(database.prepare('PRAGMA user_version').get()?.user_version);
  } catch {
    // The file is no database at all.
    return 0;
  }
}

type BySession = ReadonlyMap<SQLOutputValue | undefined, readonly Readonly<Record<string, unknown>>[]>;

function bySession(database: DatabaseSync, table: 'item' | 'report' | 'fold'): BySession {
  const found = readableRows(database, table).flatMap(({ session, json }) => {
    const value = parsed(json);
    return isRecord(value) ? [{ session, value }] : [];
  });
  const groups = Map.groupBy(found, ({ session }) => session);
  return new Map([...groups].map(([session, all]) => [session, all.map(({ value }) => value)]));
}

function parsed(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return null;
  }
}

interface Parts {
  readonly items: BySession;
  readonly reports: BySession;
  readonly compactions: BySession;
}

/** Whether it could be taken in, with all or some of its parts. */
function takeSession(into: Connection, row: Row, parts: Parts): boolean {
  const { id, workspace, system, created, title, written } = row;
  const stored = (parts.items.get(id) ?? []) as readonly unknown[] as readonly Item[];
  const items = linkedItems(stored);
  const head = items.some((item) => item.id === row.head) ? row.head : (items.at(-1)?.id ?? null);
  // Runs count the items of a path: where one is missing they mean others.
  const whole = items.length === stored.length && head === row.head;
  const document: Record<string, unknown> = {
    ...{ format: 'tidemark-session', version: 1, session: { id, workspace, system, created, title } },
    ...{ head, items, marks: parsed(row.marks) ?? { pinned: [], evicted: [] } },
    held: whole ? (parsed(row.held) ?? []) : [],
    folds: whole ? (parts.compactions.get(id) ?? []) : [],
    reports: parts.reports.get(id) ?? [],
  };
  if (!takeDocument(into, document, String(id), String(workspace))) return false;
  into.run('UPDATE session SET written = ? WHERE id = ?', written ?? 0, String(id));
  return true;
}

/** Leaves out what the check of exported sessions refuses, until it takes the rest. */
function takeDocument(into: Connection, document: Record<string, unknown>, id: string, workspace: string): boolean {
  for (let i = 0; i < mostTries; i++) {
    try {
      importJson(into, JSON.stringify(document), workspace, () => id);
      return true;
    } catch (error) {
      if (!leaveOut(document, reasonOf(error))) return false;
    }
  }
  return false;
}

/** Whether something could be left out of what the words name. */
function leaveOut(document: Record<string, unknown>, words: string): boolean {
  const [, part = '', at] = /^(items|folds|reports|held|marks)(?:\.(\d+))?/.exec(words) ?? [];
  const all = document[part];
  if (part === 'marks') document.marks = { pinned: [], evicted: [] };
  else if (!Array.isArray(all) || at === undefined) return false;
  else document[part] = all.toSpliced(Number(at), 1);
  if (part !== 'items') return true;
  const items = linkedItems(document.items as readonly Item[]);
  Object.assign(document, { items, held: [], folds: [], head: items.at(-1)?.id ?? null });
  return true;
}

function once(taken: TakenBack, key: string, take: () => boolean): boolean {
  if (taken.has(key) || !take()) return false;
  taken.add(key);
  return true;
}

/** At the end of its table: the place that it had may be another row's by now. */
function takeRow(into: Connection, table: string, { place: _, sequence: __, ...row }: Row): boolean {
  if (!isRecord(parsed(row.json))) return false;
  const names = Object.keys(row);
  return written(
    into,
    `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    row,
  );
}

/** Unless the very same is there. */
function takeAudit(into: Connection, { place: _, sequence: __, ...row }: Row): void {
  const names = Object.keys(row);
  const same = names.map((name) => `${name} IS ?`).join(' AND ');
  const values = { ...row, ...Object.fromEntries(Object.entries(row).map(([name, value]) => [`same ${name}`, value])) };
  const missing = `WHERE NOT EXISTS (SELECT 1 FROM audit WHERE ${same})`;
  written(into, `INSERT INTO audit (${names.join(', ')}) SELECT ${names.map(() => '?').join(', ')} ${missing}`, values);
}

function written(into: Connection, sql: string, values: Row): boolean {
  try {
    return into.run(sql, ...Object.values(values)) > 0;
  } catch {
    // A value is not what its column takes any more.
    return false;
  }
}

// Brings back, file by file, what a damaged database has of files before they were changed, so that changes can still be kept or undone.

/** Compressed bytes by the hash of what they were; undefined where they are lost. */
type Contents = (hash: string) => Uint8Array | undefined;

/** The files of which something came back. `once` does not take a file again that came back before. */
function takeFiles(
  from: DatabaseSync,
  into: Connection,
  once: (file: string, take: () => boolean) => boolean,
): readonly string[] {
  const contents = contentsOf(from);
  const snapshots = Map.groupBy(readableRows(from, 'snapshot'), ({ file }) => String(file));
  const changed = new Map(readableRows(from, 'changed_file').map((row) => [String(row.file), row]));
  const files = new Set([...snapshots.keys(), ...changed.keys()]);
  return [...files].filter((file) =>
    once(file, () =>
      takeFile(into, file, { changed: changed.get(file), snapshots: snapshots.get(file) ?? [], contents }),
    ),
  );
}

interface FileParts {
  readonly changed: Row | undefined;
  readonly snapshots: readonly Row[];
  readonly contents: Contents;
}

/** All of it in one transaction, so that no content stands there without the row that names it. A file that was changed anew meanwhile stays. */
function takeFile(into: Connection, file: string, { changed, snapshots, contents }: FileParts): boolean {
  try {
    return into.write(() => {
      const isChangedAnew = into.get('SELECT 1 FROM changed_file WHERE file = ?', file) !== null;
      // Without its row nobody knows how it stands with the file, and without its contents nothing can be taken back.
      if (isChangedAnew || changed === undefined || !takeContents(into, namesOfChanged(changed), contents))
        return false;
      insert(into, 'changed_file', changed);
      for (const one of snapshots) {
        const isThere = into.get('SELECT 1 FROM session WHERE id = ?', String(one.session)) !== null;
        if (isThere && takeContents(into, [one.before, one.after, one.base], contents)) insert(into, 'snapshot', one);
      }
      return true;
    });
  } catch {
    // A row is not what its columns take any more.
    return false;
  }
}

function namesOfChanged({ base, now, wanted, redo, applied }: Row): readonly (SQLOutputValue | undefined)[] {
  const blocks: unknown = applied === null || applied === undefined ? null : JSON.parse(String(applied));
  const under = isRecord(blocks) && typeof blocks.under === 'string' ? blocks.under : null;
  return [base, now, wanted, redo, under];
}

/** False where one of them is lost; '' and null name none. */
function takeContents(into: Connection, names: readonly (SQLOutputValue | undefined)[], contents: Contents): boolean {
  const hashes = names.flatMap((name) => (typeof name === 'string' && name !== '' ? [name] : []));
  const found = hashes.map((hash) => [hash, contents(hash)] as const);
  if (found.some(([, bytes]) => bytes === undefined)) return false;
  for (const [hash, bytes = null] of found)
    into.run('INSERT OR IGNORE INTO content (hash, bytes) VALUES (?, ?)', hash, bytes);
  return true;
}

/** A snapshot gets a new number: the order stays, and the former one may be another's by now. */
function insert(into: Connection, table: 'snapshot' | 'changed_file', { place: _, id: __, ...row }: Row): void {
  const names = Object.keys(row);
  const values = names.map(() => '?').join(', ');
  into.run(`INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${values})`, ...Object.values(row));
}

/** Reads one content at a time into memory; a content whose bytes do not have its hash is lost. */
function contentsOf(from: DatabaseSync): Contents {
  const places = new Map(readableRows(from, 'content', 'hash').map(({ hash, place }) => [String(hash), place ?? null]));
  return (hash) => {
    const place = places.get(hash);
    if (place === undefined) return undefined;
    try {
      const bytes = from.prepare('SELECT bytes FROM content WHERE rowid = ?').get(place)?.bytes as Uint8Array;
      const is = createHash('sha256').update(inflateRawSync(bytes)).digest('hex');
      return is === hash ? bytes : undefined;
    } catch {
      return undefined;
    }
  };
}

// Rows of a damaged database: each that can still be read.

/** Rows that cannot be read one after another before the rest is given up, where the last row is not known. */
const mostMisses = 10_000;

type SalvageTable =
  | 'session'
  | 'item'
  | 'report'
  | 'fold'
  | 'memory'
  | 'work'
  | 'decision'
  | 'audit'
  | 'snapshot'
  | 'changed_file'
  | 'content';

/** Every row that can be read. Behind one that cannot, it is looked for the next one. None where the table itself is not known any more. */
function readableRows(database: DatabaseSync, table: SalvageTable, columns = '*'): readonly Row[] {
  const select = prepared(database, `SELECT rowid AS place, ${columns} FROM ${table} WHERE rowid > ? ORDER BY rowid`);
  if (select === null) return [];
  const rows: Row[] = [];
  const last = lastRow(database, table);
  let after = 0;
  for (let misses = 0; after < last && misses < mostMisses; misses++) {
    try {
      for (const row of select.iterate(after)) {
        // Torn pages may lead back to where they came from.
        if (Number(row.place) <= after) return rows;
        after = Number(row.place);
        misses = 0;
        rows.push(row);
      }
      break;
    } catch {
      // The row that stands at this place is lost.
      after += 1;
    }
  }
  return rows;
}

function prepared(database: DatabaseSync, sql: string): StatementSync | null {
  try {
    return database.prepare(sql);
  } catch {
    return null;
  }
}

function lastRow(database: DatabaseSync, table: SalvageTable): number {
  try {
    return Number(database.prepare(`SELECT max(rowid) AS last FROM ${table}`).get()?.last ?? 0);
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}
