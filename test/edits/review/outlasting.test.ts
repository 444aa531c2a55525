// Changes that wait for Keep or Undo outlast a clock that jumps, a process that dies over them, and a database that is damaged.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { keepBefore } from '../../../src/edits/review/keeper.ts';
import { Reviews } from '../../../src/edits/review/reviews.ts';
import { openIn } from '../../../src/store/rescue/openIn.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { sha256Of } from '../../../src/tools/files/hash.ts';
import { salvageScript } from '../../store/rescuing.ts';
import { newPath, row, user } from '../../store/samples.ts';
import { makeFolder } from '../../tools/sandbox.ts';

/** Two changed files and a new one wait. `done`: false where the process died before it could say what it had left. */
async function waiting(t: TestContext, done = true) {
  const folder = makeFolder(t, { 'a.txt': 'before a\n', 'b.txt': 'before b\n' });
  const path = newPath();
  const store = await openStore(path);
  store.sessions.createSession(row);
  store.sessions.appendItem('s1', user('q', null));
  const ports = { store: store.fileSnapshots, files: diskFiles, now: () => 1000 };
  const staged = [];
  for (const name of ['a.txt', 'b.txt', 'new.txt']) {
    const real = join(folder, name);
    const found = await diskFiles.read(real);
    const before = found.is === 'text' ? found : null;
    staged.push({ real, shown: name, before, after: `after ${name}\n` });
  }
  const settle = await keepBefore(ports, 's1', 'q', staged);
  for (const { real, before, after } of staged)
    await diskFiles.change([{ do: 'write', path: real, before: before?.hash ?? null, text: after }]);
  if (done) await settle();
  return { folder, path, store, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

function reviewsOf(store: Store): Reviews {
  const ports = { store: store.fileSnapshots, files: diskFiles, now: () => 1000 };
  return new Reviews({ ...ports, agree: async () => true, failed: (error) => assert.fail(String(error)) });
}

for (const done of [true, false])
  test(`what waits never goes by age or size, ${done ? 'once it was written' : 'also where the process died over it'}`, async (t) => {
    const { store, read } = await waiting(t, done);
    t.after(() => store.close());
    store.fileSnapshots.trim({ bytes: 1e9, since: Date.now() * 2 });
    store.fileSnapshots.trim({ bytes: 0, since: Date.now() * 2 });
    const review = reviewsOf(store);
    assert.equal((await review.of('s1')).length, 3);
    assert.deepEqual(await review.undoTurns('s1', new Set(['q'])), []);
    assert.deepEqual([read('a.txt'), read('b.txt')], ['before a\n', 'before b\n']);
    // Former texts go once their changes were decided upon.
    store.fileSnapshots.trim({ bytes: 1e9, since: Date.now() * 2 });
    assert.equal(store.fileSnapshots.size().snapshots, 0);
  });

/** Returns the bytes of the file at which the first page of a table or an index begins and ends. */
function pageOf(path: string, name: string): readonly [from: number, to: number] {
  const database = new DatabaseSync(path);
  const { size } = database.prepare('SELECT page_size AS size FROM pragma_page_size').get() ?? {};
  const { page } = database.prepare('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?').get(name) ?? {
    page: 1,
  };
  database.close();
  return [(Number(page) - 1) * Number(size), Number(page) * Number(size)];
}

/** The database is opened again after a page of it was overwritten. */
async function rescued(t: TestContext, path: string, name: string) {
  const bytes = readFileSync(path);
  bytes.fill(0, ...pageOf(path, name));
  writeFileSync(path, bytes);
  const opened = await openIn(dirname(path), salvageScript);
  const { store } = opened;
  assert.ok(store !== null);
  t.after(() => store.close());
  return { store, words: `${opened.words} ${await opened.salvaged}` };
}

for (const name of [
  'sqlite_autoindex_content_1',
  'snapshot_file',
  'sqlite_autoindex_changed_file_1',
  'report',
  'lease',
])
  test(`a rescue takes along what files were before, where ${name} is damaged`, async (t) => {
    const { path, store: former, read } = await waiting(t);
    former.close();
    const { store, words } = await rescued(t, path, name);
    assert.match(words, /1 conversation and 3 changed files/);
    const review = reviewsOf(store);
    assert.equal((await review.of('s1')).length, 3);
    assert.equal(store.fileSnapshots.size().snapshots, 3);
    assert.deepEqual(await review.undoTurns('s1', new Set(['q'])), []);
    assert.deepEqual([read('a.txt'), read('b.txt')], ['before a\n', 'before b\n']);
    assert.deepEqual(await review.redoTurns('s1', new Set(['q'])), []);
    assert.equal(read('a.txt'), 'after a.txt\n');
  });

test('a file whose contents are lost does not come back, and the others do', async (t) => {
  const { path, store: former, read } = await waiting(t);
  former.close();
  const database = new DatabaseSync(path);
  const other = 'UPDATE content SET bytes = (SELECT bytes FROM content WHERE hash = ?) WHERE hash = ?';
  database.prepare(other).run(sha256Of('before b\n'), sha256Of('before a\n'));
  database.close();
  const { store, words } = await rescued(t, path, 'report');
  assert.match(words, /1 conversation and 2 changed files/);
  const review = reviewsOf(store);
  assert.deepEqual(await review.undoTurns('s1', new Set(['q'])), []);
  assert.deepEqual([read('a.txt'), read('b.txt')], ['after a.txt\n', 'before b\n']);
});

test('of a damaged database of which nothing is known any more the end is said soon', async (t) => {
  const { path, store: former } = await waiting(t);
  former.close();
  const begun = performance.now();
  const { words } = await rescued(t, path, 'sqlite_schema');
  assert.match(words, /nothing of it could be read/);
  assert.ok(performance.now() - begun < 10_000);
});
