// Databases that an earlier Tidemark wrote, or a newer one, and two windows that open one at the same time.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { noChoices } from '../../src/core/conversation/conversation.ts';
import type { Item } from '../../src/core/dialog/dialog.ts';
import { mark, noMarks } from '../../src/core/dialog/marks.ts';
import { openStore } from '../../src/store/store.ts';
import { oldDatabase } from './oldVersions.ts';
import { isRefusal } from './refusal.ts';
import { bytesOf, items, marks, memory, newPath, pruned, user } from './samples.ts';

const latest = 9;
const newer = latest + 1;

for (const version of [1, 2] as const) {
  test(`a database of version ${version} opens and keeps all sessions, items, reports and marks`, async () => {
    const path = oldDatabase(version, ['a', 'b']);
    const { sessions, close } = await opened(path);
    for (const id of ['a', 'b']) {
      const session = sessions.latestSession(`/code/${id}`);
      assert.deepEqual(
        session?.dialog.path.map((item) => item.id),
        [1, 2, 3, 5].map((n) => `${id}-${n}`),
      );
      assert.equal(session.dialog.items.length, 5);
      assert.deepEqual([session.id, session.system, session.created], [id, 'Be brief.', 1234]);
      assert.deepEqual([session.title, session.pruned, session.compactions], ['', [], []]);
      assert.deepEqual(session.choices, noChoices);
      assert.deepEqual(session.marks, version === 2 && id === 'a' ? mark(noMarks, 'a-1', 'pinned') : noMarks);
      assert.deepEqual(sessions.sessions(`/code/${id}`), [
        { id, workspace: `/code/${id}`, created: 1234, written: 1234, title: 'text 1', turns: 2 },
      ]);
      assert.equal((await sessions.search(`/code/${id}`, 'TEXT', 9)).hits.length, 4);
      assert.deepEqual(JSON.parse(sessions.exportJson(id)).reports, [{ turn: 1 }]);
    }
    close();
    assert.equal(numberIn(path, 'SELECT count(*) AS n FROM report'), 2);
    assert.equal(numberIn(path, 'SELECT user_version AS n FROM pragma_user_version'), latest);
  });

  test(`a database of version ${version} can be written to in all its new parts`, async () => {
    const path = oldDatabase(version, ['a']);
    const { sessions, memory: memoryStore, leases, close } = await opened(path);
    sessions.appendItem('a', user('a-6', 'a-5'));
    sessions.appendItem('a', user('a-7', 'a-4'));
    sessions.setPruned('a', [{ runs: [], cleared: [], capped: [], fold: null }]);
    memoryStore.putMemory(memory('m'));
    sessions.setChoices('a', { agent: 'edit' });
    assert.ok(leases.acquire('session:a', `${process.pid}:x`, 0, 10));
    assert.equal(sessions.sessions('/code/a')[0]?.turns, 3);
    assert.ok(Number(sessions.sessions('/code/a')[0]?.written) > 1_000_000);
    assert.equal(sessions.session('a')?.pruned.length, 1);
    assert.deepEqual(sessions.session('a')?.choices, { agent: 'edit' });
    close();
  });
}

async function opened(path: string) {
  const store = await openStore(path);
  return { ...store, close: () => store.close() };
}

function numberIn(path: string, sql: string): unknown {
  const database = new DatabaseSync(path);
  const { n } = database.prepare(sql).get() ?? {};
  database.close();
  return n;
}

test('a database of a newer version is refused in words and stays as it is, byte by byte', async () => {
  const path = oldDatabase(1, ['a']);
  const database = new DatabaseSync(path);
  database.exec(
    `PRAGMA journal_mode = DELETE; ALTER TABLE session ADD COLUMN future TEXT; PRAGMA user_version = ${newer}`,
  );
  database.close();
  const before = readFileSync(path);
  await assert.rejects(openStore(path), (error) =>
    isRefusal(error, new RegExp(`newer Tidemark \\(schema ${newer}\\)`)),
  );
  assert.ok(before.equals(readFileSync(path)));
  assert.ok(!existsSync(`${path}-wal`));
});

test('a newer database that a crash left with its log stays as it is, byte by byte', async () => {
  const crashed = newPath();
  const database = new DatabaseSync(crashed);
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA user_version = ${newer}; CREATE TABLE future (a); INSERT INTO future VALUES (1)`,
  );
  const path = newPath();
  for (const end of ['', '-wal']) copyFileSync(crashed + end, path + end);
  database.close();
  const before = bytesOf(path);
  await assert.rejects(openStore(path), (error) =>
    isRefusal(error, new RegExp(`newer Tidemark \\(schema ${newer}\\)`)),
  );
  assert.ok(bytesOf(path) === before);
  assert.equal(numberIn(path, 'SELECT a AS n FROM future'), 1);
});

test('a migration that fails leaves the database in the version it had', async () => {
  const path = oldDatabase(1, ['a']);
  const database = new DatabaseSync(path);
  database.exec("ALTER TABLE session ADD COLUMN held TEXT NOT NULL DEFAULT ''");
  database.close();
  await assert.rejects(openStore(path), (error) => isRefusal(error, /held/));
  assert.equal(numberIn(path, 'SELECT user_version AS n FROM pragma_user_version'), 1);
  assert.equal(numberIn(path, 'SELECT count(*) AS n FROM item'), 5);
  assert.equal(numberIn(path, "SELECT count(*) AS n FROM sqlite_schema WHERE name = 'memory'"), 0);
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
      store.sessions.setMarks('a', { pinned: ['a-1'], evicted: [] });
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
  ['of version 1', () => oldDatabase(1, ['a'])],
  ['of version 2', () => oldDatabase(2, ['a'])],
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

test('a database from before anything was found for a message opens with every item, and takes one that was', async () => {
  const path = newPath();
  copyFileSync(new URL('../fixtures/databases/before-finding.sqlite', import.meta.url), path);
  const { sessions, close } = await opened(path);
  assert.deepEqual(sessions.session('s1')?.dialog.items, items);
  const found = { path: 'src/a.ts', from: 2, to: 9, why: 'declares tide' };
  const head = sessions.session('s1')?.dialog.head ?? '';
  const item = { origin: 'attachment', id: 'f1', parent: head, head: 'Found: src/a.ts:2-9', body: 'x', found } as const;
  sessions.appendItem('s1', item);
  assert.deepEqual(sessions.session('s1')?.dialog.items.at(-1), item);
  assert.match(sessions.exportJson('s1'), /declares tide/);
  close();
});

/** Items that before-rooms.sqlite has after `items`: every kind of end, thoughts, a day, and a passage that was found. */
const sinceFinding: readonly Item[] = [
  { origin: 'assistant', id: 'a3', parent: 'u2b', text: 'In a circle', thoughts: 'Well, well.', end: 'repeats' },
  { origin: 'user', id: 'u4', parent: 'a3', text: 'What is retried?', day: '2026-11-22' },
  {
    origin: 'attachment',
    id: 'f4',
    parent: 'u4',
    head: 'src/a.ts:2-9',
    body: 'x',
    found: { path: 'src/a.ts', from: 2, to: 9, why: 'declares tide' },
  },
  { origin: 'assistant', id: 'a4', parent: 'f4', text: 'All of it.', end: 'cancelled' },
];

test('a database from before answers were kept while they are written opens with every item, and goes on', async () => {
  const path = newPath();
  copyFileSync(new URL('../fixtures/databases/before-rooms.sqlite', import.meta.url), path);
  const { sessions, memory, abilities, close } = await opened(path);
  const before = sessions.session('s1');
  assert.deepEqual(before?.dialog.items, [...items, ...sinceFinding]);
  assert.deepEqual(
    [before?.dialog.head, before?.marks, before?.pruned, before?.unfinished],
    ['a4', marks, pruned, null],
  );
  assert.deepEqual(
    before?.compactions.map(({ id, outcome }) => [id, outcome]),
    [
      ['f1', 'ok'],
      ['f2', 'failed'],
    ],
  );
  assert.deepEqual([sessions.reports('s1').length, memory.memories('/code/a').length], [2, 1]);
  assert.deepEqual([memory.work('/code/a').length, memory.decisions('/code/a').length], [1, 1]);
  assert.equal(abilities.nature('f1')?.calls, 'dressed');
  assert.deepEqual(Object.keys(abilities.paces()), ['f1']);
  sessions.setUnfinished('s1', { parent: 'a4', text: 'It' });
  sessions.setHead('s1', 'a2');
  assert.deepEqual([sessions.session('s1')?.dialog.head, sessions.session('s1')?.unfinished?.text], ['a2', 'It']);
  close();
});
