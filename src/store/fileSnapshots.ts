// Files as they were before an agent changed them. A content is kept once, under the SHA-256 of its bytes, compressed.
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

/** Contents that no row names any more. */
export function dropContents(connection: Connection): void {
  connection.run(`DELETE FROM content WHERE hash NOT IN (
    SELECT before FROM snapshot UNION SELECT after FROM snapshot UNION SELECT base FROM changed_file
    UNION SELECT now FROM changed_file UNION SELECT wanted FROM changed_file WHERE wanted IS NOT NULL
    UNION SELECT redo FROM changed_file WHERE redo IS NOT NULL)`);
}

type Turn = Pick<FileSnapshot, 'session' | 'message' | 'at'>;

function begin(connection: Connection, { session, message, at }: Turn, given: NewSnapshot): void {
  const { file, shown, mode } = given;
  const [before, wanted, base] = [given.before, given.wanted, given.base].map((bytes) => keep(connection, bytes));
  const insert = `INSERT INTO snapshot (session, message, file, shown, mode, before, after, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (session, message, file) DO UPDATE SET after = excluded.after`;
  connection.run(insert, session, message, file, shown, mode, stored(before), stored(wanted), at);
  const now = before ?? null;
  putChanged(connection, { file, shown, session, base: base ?? null, now, wanted: wanted ?? null, news: '' });
}

function settle(connection: Connection, session: string, message: string, { file, bytes }: FileBytes): void {
  const left = stored(keep(connection, bytes));
  const snapshot = 'UPDATE snapshot SET after = ? WHERE session = ? AND message = ? AND file = ?';
  connection.run(snapshot, left, session, message, file);
  connection.run('UPDATE changed_file SET now = ?, wanted = NULL WHERE file = ?', left, file);
}

function putChanged(
  connection: Connection,
  { file, shown, session, base, now, wanted, redo, news }: ChangedFile,
): void {
  const put =
    'INSERT OR REPLACE INTO changed_file (file, shown, session, base, now, wanted, redo, news) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
  const maybe = (one: Content | undefined) => (one === undefined ? null : stored(one));
  connection.run(put, file, shown, session, stored(base), stored(now), maybe(wanted), maybe(redo), news);
}

/** Its name. */
function keep(connection: Connection, bytes: Uint8Array | null): Content {
  if (bytes === null) return null;
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (connection.get('SELECT 1 FROM content WHERE hash = ?', hash) === null)
    connection.run('INSERT INTO content (hash, bytes) VALUES (?, ?)', hash, deflateRawSync(bytes));
  return hash;
}

/** The oldest go first. What still waits for the user's word keeps what it needs until it is too old as well. */
function trim(connection: Connection, { bytes, since }: SnapshotLimits): void {
  const before = connection.run('DELETE FROM snapshot WHERE at < ?', since);
  if (before > 0) tidy(connection);
  while (bytesIn(connection) > bytes) {
    const oldest = 'SELECT id FROM snapshot ORDER BY id LIMIT max(1, (SELECT count(*) / 8 FROM snapshot))';
    if (connection.run(`DELETE FROM snapshot WHERE id IN (${oldest})`) === 0) return;
    tidy(connection);
  }
}

function tidy(connection: Connection): void {
  connection.run('DELETE FROM changed_file WHERE file NOT IN (SELECT file FROM snapshot)');
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
    at: Number(row.at),
  };
}

function changedOf(row: Row): ChangedFile {
  return {
    file: String(row.file),
    shown: String(row.shown),
    session: String(row.session),
    base: content(row.base),
    now: content(row.now),
    ...(row.wanted === null ? {} : { wanted: content(row.wanted) }),
    ...(row.redo === null ? {} : { redo: content(row.redo) }),
    news: String(row.news) as ReviewNews,
  };
}
