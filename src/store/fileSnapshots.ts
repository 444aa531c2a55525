// Files as they were before they were changed. A content is kept once, under the SHA-256 of its bytes, compressed.
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type {
  ChangedFile,
  Content,
  FileBytes,
  FileSnapshot,
  FileSnapshots,
  NewSnapshot,
  ReviewNews,
  SnapshotLimits,
} from '../core/stored/fileSnapshots.ts';
import type { Connection, Row } from './connection.ts';

export function fileSnapshotsIn(connection: Connection): FileSnapshots {
  const snapshots = (where: string, value: string) =>
    connection.all(`SELECT * FROM snapshot WHERE ${where} = ? ORDER BY id`, value).map(snapshotOf);
  const files = (where: string, value: string) =>
    connection.all(`SELECT * FROM changed_file WHERE ${where} = ? ORDER BY shown`, value).map(changedOf);
  return {
    begin: (session, message, given, at) =>
      connection.write(() => {
        for (const one of given) begin(connection, { session, message, at }, one);
      }),
    settle: (session, message, left) =>
      connection.write(() => {
        for (const one of left) settle(connection, session, message, one);
      }),
    of: (session) => connection.read(() => snapshots('session', session)),
    ofFile: (file) => connection.read(() => snapshots('file', file)),
    file: (file) => connection.read(() => files('file', file)[0] ?? null),
    files: (session) => connection.read(() => files('session', session)),
    put: (file, contents = []) =>
      connection.write(() => {
        for (const bytes of contents) keep(connection, bytes);
        putChanged(connection, file);
      }),
    folders: () =>
      connection.read(() => {
        const rows = connection.all('SELECT folders FROM changed_file WHERE folders IS NOT NULL');
        return new Set(rows.flatMap(foldersOf));
      }),
    content: (hash) => {
      const row = connection.get('SELECT bytes FROM content WHERE hash = ?', hash);
      return row === null ? null : inflateRawSync(row.bytes as Uint8Array);
    },
    trim: (limits) => connection.write(() => trim(connection, limits)),
    size: () => {
      const { snapshots: count, oldest } =
        connection.get('SELECT count(*) AS snapshots, min(at) AS oldest FROM snapshot') ?? {};
      return {
        bytes: bytesIn(connection),
        snapshots: Number(count),
        oldest: oldest === null ? null : Number(oldest),
      };
    },
  };
}

/** Gives the files of a deleted session to the one that changed them before, or drops them, and drops contents that no row names. */
export function forgetFiles(connection: Connection, session: string): void {
  const heir = 'SELECT session FROM snapshot WHERE file = changed_file.file ORDER BY id DESC LIMIT 1';
  const ofBlocks = 'applied IS NOT NULL AND session <> ?';
  connection.run(
    `DELETE FROM changed_file WHERE file NOT IN (SELECT file FROM snapshot) AND NOT (${ofBlocks})`,
    session,
  );
  connection.run(`UPDATE changed_file SET session = (${heir}), news = '' WHERE session = ?`, session);
  dropContents(connection);
}

function dropContents(connection: Connection): void {
  connection.run(`DELETE FROM content WHERE hash NOT IN (
    SELECT before FROM snapshot UNION SELECT after FROM snapshot UNION SELECT base FROM changed_file
    UNION SELECT base FROM snapshot UNION SELECT now FROM changed_file UNION SELECT wanted FROM changed_file WHERE wanted IS NOT NULL
    UNION SELECT redo FROM changed_file WHERE redo IS NOT NULL
    UNION SELECT coalesce(applied ->> 'under', '') FROM changed_file)`);
}

type Turn = Pick<FileSnapshot, 'session' | 'message' | 'at'>;

function begin(connection: Connection, { session, message, at }: Turn, given: NewSnapshot): void {
  const { file, shown, mode, mixed } = given;
  const [before = null, wanted = null, base = null] = [given.before, given.wanted, given.base].map((bytes) =>
    keep(connection, bytes),
  );
  const insert = `INSERT INTO snapshot (session, message, file, shown, mode, before, after, base, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session, message, file) DO UPDATE SET after = excluded.after,
    between_them = max(between_them, after <> excluded.before)`;
  connection.run(insert, session, message, file, shown, mode, stored(before), stored(wanted), stored(base), at);
  // The row keeps its `redo`: a change that was taken back can be made again as long as no other was made.
  const row = connection.get('SELECT * FROM changed_file WHERE file = ?', file);
  const { applied, folders: made = [], ...former } = row === null ? { news: '' as const } : changedOf(row);
  const folders = [...new Set([...made, ...given.folders])];
  const left =
    given.under === undefined || applied === undefined ? null : { ...applied, under: keep(connection, given.under) };
  const blocks = left === null ? {} : { applied: left };
  putChanged(connection, { session, ...former, file, shown, base, mixed, now: before, wanted, folders, ...blocks });
}

function settle(connection: Connection, session: string, message: string, { file, bytes, under }: FileBytes): void {
  const left = stored(keep(connection, bytes));
  const own = 'session = ? AND message = ? AND file = ?';
  connection.run(`UPDATE snapshot SET after = ? WHERE ${own}`, left, session, message, file);
  connection.run(`DELETE FROM snapshot WHERE before = after AND ${own}`, session, message, file);
  const made = "UPDATE changed_file SET session = ?, redo = NULL, news = '' WHERE file = ? AND now <> ?";
  connection.run(made, session, file, left);
  connection.run('UPDATE changed_file SET now = ?, wanted = NULL WHERE file = ?', left, file);
  if (under === undefined) return;
  const set = "UPDATE changed_file SET applied = json_set(applied, '$.under', ?) WHERE file = ?";
  connection.run(set, keep(connection, under), file);
}

function putChanged(connection: Connection, row: ChangedFile): void {
  const { file, shown, session, base, mixed, now, wanted, redo, news, applied, folders = [] } = row;
  const put = `INSERT OR REPLACE INTO changed_file
    (file, shown, session, base, mixed, now, wanted, redo, news, applied, folders) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const maybe = (one: Content | undefined) => (one === undefined ? null : stored(one));
  const blocks = applied === undefined ? null : JSON.stringify(applied);
  const values = [stored(base), Number(mixed), stored(now), maybe(wanted), maybe(redo), news, blocks];
  const made = folders.length === 0 ? null : JSON.stringify(folders);
  connection.run(put, file, shown, session, ...values, made);
}

/** Its name. */
function keep(connection: Connection, bytes: Uint8Array | null): Content {
  if (bytes === null) return null;
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (connection.get('SELECT 1 FROM content WHERE hash = ?', hash) === null)
    connection.run('INSERT INTO content (hash, bytes) VALUES (?, ?)', hash, deflateRawSync(bytes));
  return hash;
}

/** Whole turns in which nothing waits for the user, so that none is taken back in part. */
function trim(connection: Connection, { bytes, since }: SnapshotLimits): void {
  // Also what was being written when its process ended.
  const waits = 'EXISTS (SELECT 1 FROM changed_file WHERE file = snapshot.file AND base <> coalesce(wanted, now))';
  const turns = `SELECT session, message FROM snapshot GROUP BY session, message HAVING max(${waits}) = 0`;
  const old = `DELETE FROM snapshot WHERE (session, message) IN (${turns} AND max(at) < ?)`;
  connection.run(old, since);
  tidy(connection);
  while (bytesIn(connection) > bytes) {
    const turn = connection.get(`${turns} ORDER BY min(id) LIMIT 1`);
    if (turn === null) return;
    connection.run(
      'DELETE FROM snapshot WHERE session = ? AND message = ?',
      String(turn.session),
      String(turn.message),
    );
    tidy(connection);
  }
}

/** A row goes with the snapshots of its file; one of code blocks, which have none, once they are decided upon. */
function tidy(connection: Connection): void {
  const waits = 'applied IS NOT NULL AND base <> now';
  connection.run(`DELETE FROM changed_file WHERE file NOT IN (SELECT file FROM snapshot) AND NOT (${waits})`);
  dropContents(connection);
}

function bytesIn(connection: Connection): number {
  return Number(connection.get('SELECT coalesce(sum(length(bytes)), 0) AS bytes FROM content')?.bytes);
}

/** Columns hold '' where there is no file. */
const stored = (content: Content | undefined): string => content ?? '';
const content = (column: Row[string] | undefined): Content => (column === '' ? null : String(column));

function snapshotOf(row: Row): FileSnapshot {
  return {
    id: Number(row.id),
    session: String(row.session),
    message: String(row.message),
    file: String(row.file),
    shown: String(row.shown),
    mode: row.mode === null ? null : Number(row.mode),
    before: content(row.before),
    after: content(row.after),
    base: content(row.base),
    between: row.between_them === 1,
    at: Number(row.at),
  };
}

function foldersOf({ folders }: Row): readonly string[] {
  return JSON.parse(String(folders)) as readonly string[];
}

function changedOf(row: Row): ChangedFile {
  return {
    file: String(row.file),
    shown: String(row.shown),
    session: String(row.session),
    base: content(row.base),
    mixed: row.mixed === 1,
    now: content(row.now),
    ...(row.wanted === null ? {} : { wanted: content(row.wanted) }),
    ...(row.redo === null ? {} : { redo: content(row.redo) }),
    ...(row.applied === null ? {} : { applied: JSON.parse(String(row.applied)) }),
    ...(row.folders === null ? {} : { folders: foldersOf(row) }),
    news: String(row.news) as ReviewNews,
  };
}
