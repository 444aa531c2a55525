// Databases as earlier versions made them, with what a user of that time would have in them.
import { DatabaseSync } from 'node:sqlite';
import { newPath } from './samples.ts';

const first = `
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
  PRAGMA user_version = 1;
`;

const second = `
  ALTER TABLE session ADD COLUMN marks TEXT NOT NULL DEFAULT '{"pinned":[],"evicted":[]}';
  PRAGMA user_version = 2;
`;

/** Arguments that SQLite's own JSON functions refuse to read, as a model gone astray may write them. */
export const deep = `${'['.repeat(1500)}${']'.repeat(1500)}`;

/** A session of two turns, the second edited; then an empty one. */
function fill(database: DatabaseSync, id: string): void {
  const insert = database.prepare('INSERT INTO session (id, workspace, system, created, head) VALUES (?, ?, ?, ?, ?)');
  insert.run(id, `/code/${id}`, 'Be brief.', 1234, `${id}-5`);
  insert.run(`${id}-empty`, `/code/${id}`, 'Be brief.', 1235, null);
  const path = [
    { origin: 'user', id: `${id}-1`, parent: null, text: 'text 1' },
    { origin: 'call', id: `${id}-2`, parent: `${id}-1`, text: '', calls: [{ id: 'c', name: 'x', arguments: {} }] },
    { origin: 'assistant', id: `${id}-3`, parent: `${id}-2`, text: 'text 3', end: 'done' },
    { origin: 'user', id: `${id}-4`, parent: `${id}-3`, text: 'text 4' },
    { origin: 'user', id: `${id}-5`, parent: `${id}-3`, text: 'text 5' },
  ];
  for (const item of path) {
    const json = JSON.stringify(item).replace('"arguments":{}', `"arguments":{"a":${deep}}`);
    database.prepare('INSERT INTO item (session, id, json) VALUES (?, ?, ?)').run(id, item.id, json);
  }
  database.prepare('INSERT INTO report (session, json) VALUES (?, ?)').run(id, '{"turn":1}');
}

/** With a session of each id in a workspace of its own. */
export function oldDatabase(version: 1 | 2, sessions: readonly string[]): string {
  const path = newPath();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(first);
  if (version === 2) database.exec(second);
  for (const id of sessions) fill(database, id);
  if (version === 2) {
    const marks = JSON.stringify({ pinned: [`${sessions[0]}-1`], evicted: [] });
    database.prepare('UPDATE session SET marks = ? WHERE id = ?').run(marks, sessions[0] ?? '');
  }
  database.close();
  return path;
}
