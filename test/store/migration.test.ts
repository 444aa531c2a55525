// Databases that an earlier Tidemark wrote, or a newer one, and two windows that open one at the same time.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { FaultError } from '../../src/core/faults.ts';
import { mark, noMarks } from '../../src/core/marks.ts';
import { openStore } from '../../src/store/store.ts';

/** The tables as the first version made them. */
const firstSchema = `
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

const newPath = () => join(mkdtempSync(join(tmpdir(), 'tidemark-store-')), 'tidemark.sqlite');

function firstVersion(sessions: readonly string[]): string {
  const path = newPath();
  const database = new DatabaseSync(path);
  database.exec(firstSchema);
  for (const id of sessions) {
    database.prepare('INSERT INTO session VALUES (?, ?, ?, 1, ?)').run(id, `/code/${id}`, 'Be brief.', `${id}-2`);
    for (const [n, parent] of [
      [1, null],
      [2, `${id}-1`],
    ] as const) {
      const item = { origin: 'user', id: `${id}-${n}`, parent, text: `text ${n}` };
      database.prepare('INSERT INTO item (session, id, json) VALUES (?, ?, ?)').run(id, item.id, JSON.stringify(item));
    }
    database.prepare('INSERT INTO report (session, json) VALUES (?, ?)').run(id, '{"turn":1}');
  }
  database.close();
  return path;
}

test('a database of version 1 opens, keeps all sessions, items and reports, and each session can be marked', async () => {
  const path = firstVersion(['a', 'b']);
  const store = await openStore(path);
  for (const id of ['a', 'b']) {
    const session = store.latestSession(`/code/${id}`);
    assert.deepEqual(
      session?.dialog.path.map((item) => item.id),
      [`${id}-1`, `${id}-2`],
    );
    assert.deepEqual(session?.marks, noMarks);
  }
  const marks = mark(mark(noMarks, 'a-1', 'pinned'), 'a-2', 'evicted');
  store.setMarks('a', marks);
  store.close();
  const again = await openStore(path);
  assert.deepEqual(again.latestSession('/code/a')?.marks, marks);
  assert.deepEqual(again.latestSession('/code/b')?.marks, noMarks);
  again.close();
  const database = new DatabaseSync(path);
  assert.equal(database.prepare('SELECT count(*) AS n FROM report').get()?.n, 2);
  assert.equal(database.prepare('PRAGMA user_version').get()?.user_version, 2);
  database.close();
});

test('a database of a newer version is refused in words and stays as it is, byte by byte', async () => {
  const path = firstVersion(['a']);
  const database = new DatabaseSync(path);
  database.exec('ALTER TABLE session ADD COLUMN future TEXT; PRAGMA user_version = 3');
  database.close();
  const before = readFileSync(path);
  await assert.rejects(openStore(path), (error: FaultError) => /newer Tidemark \(schema 3\)/.test(error.message));
  assert.ok(before.equals(readFileSync(path)));
  assert.ok(!existsSync(`${path}-wal`));
});

test('a migration that fails leaves the database in the version it had', async () => {
  const path = firstVersion(['a']);
  const database = new DatabaseSync(path);
  database.exec("ALTER TABLE session ADD COLUMN marks TEXT NOT NULL DEFAULT ''");
  database.close();
  await assert.rejects(openStore(path), (error: FaultError) => error.fault.kind === 'storeUnavailable');
  const after = new DatabaseSync(path);
  assert.equal(after.prepare('PRAGMA user_version').get()?.user_version, 1);
  assert.equal(after.prepare('SELECT count(*) AS n FROM item').get()?.n, 2);
  after.close();
});

/** Opens the store in a thread of its own once all are there; says 'ok' or what is wrong. */
function opener(path: string, barrier: SharedArrayBuffer, openers: number): Promise<string> {
  const source = `
    const { parentPort } = require('node:worker_threads');
    const { path, module, barrier, openers } = require('node:worker_threads').workerData;
    import(module).then(async ({ openStore }) => {
      const there = new Int32Array(barrier);
      Atomics.add(there, 0, 1);
      Atomics.notify(there, 0);
      for (let n = Atomics.load(there, 0); n < openers; n = Atomics.load(there, 0)) Atomics.wait(there, 0, n, 50);
      const store = await openStore(path);
      store.setMarks('a', { pinned: ['a-1'], evicted: [] });
      store.close();
      return 'ok';
    }).catch(String).then((words) => parentPort.postMessage(words));`;
  const module = new URL('../../src/store/store.ts', import.meta.url).href;
  const worker = new Worker(source, { eval: true, workerData: { path, module, barrier, openers } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

for (const [name, make] of [
  ['of version 1', () => firstVersion(['a'])],
  ['that is not there yet', newPath],
] as const) {
  test(`windows that open a database ${name} at the same moment all get it`, async () => {
    const openers = 4;
    for (let round = 0; round < 3; round++) {
      const path = make();
      const barrier = new SharedArrayBuffer(4);
      const said = await Promise.all(Array.from({ length: openers }, () => opener(path, barrier, openers)));
      assert.deepEqual(said, Array(openers).fill('ok'));
      const store = await openStore(path);
      store.close();
    }
  });
}
