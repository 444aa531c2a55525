// The tables, as steps that bring a database from each version to the next; a new one goes through all.
import type { DatabaseSync } from 'node:sqlite';
import type { Item } from '../core/dialog/dialog.ts';

type Migration = string | ((database: DatabaseSync) => void);

const migrations: readonly Migration[] = [
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
  toThird,
  'CREATE TABLE nature (fingerprint TEXT PRIMARY KEY, version INTEGER NOT NULL, json TEXT NOT NULL) STRICT',
  `CREATE TABLE unfinished (
    session TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE, json TEXT NOT NULL
  ) STRICT`,
  `ALTER TABLE session ADD COLUMN choices TEXT NOT NULL DEFAULT '{"agent":null}'`,
  `
  ALTER TABLE session ADD COLUMN restored TEXT NOT NULL DEFAULT '[]';
  CREATE TABLE content (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE snapshot (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    message TEXT NOT NULL, file TEXT NOT NULL, shown TEXT NOT NULL, mode INTEGER, before TEXT NOT NULL,
    after TEXT NOT NULL, base TEXT NOT NULL, between_them INTEGER NOT NULL DEFAULT 0, at INTEGER NOT NULL,
    UNIQUE (session, message, file)
  ) STRICT;
  CREATE INDEX snapshot_file ON snapshot (file);
  CREATE TABLE changed_file (
    file TEXT PRIMARY KEY, shown TEXT NOT NULL, session TEXT NOT NULL, base TEXT NOT NULL, mixed INTEGER NOT NULL, now TEXT NOT NULL, wanted TEXT, redo TEXT, news TEXT NOT NULL
  ) STRICT;
  CREATE INDEX changed_file_session ON changed_file (session);
  `,
  'ALTER TABLE changed_file ADD COLUMN applied TEXT',
  'ALTER TABLE changed_file ADD COLUMN folders TEXT',
];

/**
 * `session.last` is the sequence of its last item; `item.turns` the turns from the root to it. The origin is a column
 * because SQLite's JSON functions refuse what is nested deeper than 1,000, and a model may write such arguments.
 */
const third = `
  ALTER TABLE session ADD COLUMN title TEXT NOT NULL DEFAULT '';
  ALTER TABLE session ADD COLUMN written INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE session ADD COLUMN last INTEGER;
  ALTER TABLE session ADD COLUMN held TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE item ADD COLUMN origin TEXT NOT NULL DEFAULT '';
  ALTER TABLE item ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;
  UPDATE session SET written = created, last = (SELECT max(sequence) FROM item WHERE item.session = session.id);
  CREATE INDEX session_last ON session (workspace, last);
  CREATE INDEX item_user ON item (session) WHERE origin = 'user';
  CREATE INDEX item_spoken ON item (sequence) WHERE origin IN ('user', 'assistant');
  CREATE INDEX report_session ON report (session);
  CREATE TABLE fold (
    sequence INTEGER PRIMARY KEY, session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    id TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (session, id)
  ) STRICT;
  CREATE TABLE memory (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace TEXT, json TEXT NOT NULL) STRICT;
  CREATE TABLE work (
    sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, json TEXT NOT NULL
  ) STRICT;
  CREATE TABLE decision (
    sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, json TEXT NOT NULL
  ) STRICT;
  CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, shelf TEXT NOT NULL, action TEXT NOT NULL, id TEXT NOT NULL,
    source TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL
  ) STRICT;
  CREATE TABLE lease (name TEXT PRIMARY KEY, holder TEXT NOT NULL, expires INTEGER NOT NULL) STRICT;
`;

function toThird(database: DatabaseSync): void {
  database.exec(third);
  const turns = new Map<string, number>();
  const select = database.prepare('SELECT session, json FROM item WHERE sequence = ?');
  const update = database.prepare('UPDATE item SET origin = ?, turns = ? WHERE sequence = ?');
  for (const { sequence = null } of database.prepare('SELECT sequence FROM item ORDER BY sequence').all()) {
    const { session, json } = select.get(sequence) ?? {};
    const item = itemIn(json);
    // A damaged item is left out when its conversation is read.
    if (item === null) continue;
    const { id, parent, origin } = item;
    const count = (turns.get(`${session} ${parent}`) ?? 0) + (origin === 'user' ? 1 : 0);
    turns.set(`${session} ${id}`, count);
    update.run(origin, count, sequence);
  }
}

function itemIn(json: unknown): Item | null {
  try {
    return JSON.parse(String(json)) as Item;
  } catch {
    return null;
  }
}

export const latestVersion = migrations.length;

/** Throws for a database that a newer Tidemark wrote. */
export function versionOf(database: DatabaseSync): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version <= latestVersion) return version;
  throw new Error(`the database was written by a newer Tidemark (schema ${version})`);
}

export function migrate(database: DatabaseSync): void {
  const version = versionOf(database);
  for (const migration of migrations.slice(version)) {
    if (typeof migration === 'string') database.exec(migration);
    else migration(database);
  }
  if (version < latestVersion) database.exec(`PRAGMA user_version = ${latestVersion}`);
}
