// Storage on bad days: a damaged file is kept aside and what was whole comes back; a file that is gone is said, never written to in secret.

import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openOrRescue } from '../../src/store/rescue/openIn.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { numbers } from '../app/scenes/longChat.ts';
import { someOf } from '../cases.ts';
import { temporary } from '../temporary.ts';
import { isRefusal, refuses } from './refusal.ts';
import { openRescued, salvageScript } from './rescuing.ts';
import { answer, decision, fill, memory, newPath, row, user, work } from './samples.ts';
import { startWindow } from './startWindow.ts';

const turns = 40;

/** Three sessions, one of them with many turns, and one record of each kind of note. */
async function filled(): Promise<string> {
  const path = newPath();
  const store = await openStore(path);
  fill(store);
  fill(store, 's2');
  store.sessions.createSession({ ...row, id: 'long' });
  for (let i = 0; i < turns; i++) {
    store.sessions.appendItem('long', user(`q${i}`, i === 0 ? null : `a${i - 1}`, `question ${i} ${'x'.repeat(300)}`));
    store.sessions.appendItem('long', answer(`a${i}`, `q${i}`, `answer ${i} ${'y'.repeat(300)}`));
  }
  store.memory.putMemory(memory('m'));
  store.memory.putWork(work('w'));
  store.memory.putDecision(decision('d'));
  store.close();
  return path;
}

const original = await filled();

/** A copy with this damage. */
function damagedBy(damage: (bytes: Buffer) => Buffer): { readonly path: string; readonly bytes: Buffer } {
  const path = newPath();
  const bytes = damage(readFileSync(original));
  writeFileSync(path, bytes);
  return { path, bytes };
}

const asideOf = (path: string) => readdirSync(dirname(path)).filter((name) => name.includes('damaged'));

/** Opens, and checks what holds after every rescue. */
async function rescued(path: string, bytes: Buffer): Promise<{ readonly store: Store; readonly words: string }> {
  const opened = await openRescued(path);
  assert.match(
    opened.words,
    /^The database is damaged[\s\S]*was damaged[\s\S]*kept as tidemark\.damaged-1\.sqlite in /,
  );
  assert.deepEqual(asideOf(path), ['tidemark.damaged-1.sqlite']);
  assert.ok(readFileSync(join(dirname(path), 'tidemark.damaged-1.sqlite')).equals(bytes), 'it is kept as it was');
  assert.ok(!readdirSync(dirname(path)).some((name) => /rescue|salvage/.test(name)));
  opened.store.sessions.createSession({ ...row, id: 'after' });
  opened.store.sessions.appendItem('after', user('u', null));
  assert.equal(opened.store.sessions.session('after')?.dialog.items.length, 1);
  return opened;
}

test('a sound file opens without a word, and stays the only one', async () => {
  const { path } = damagedBy((bytes) => bytes);
  const { store, words } = await openRescued(path);
  assert.equal(words, '');
  assert.equal(store.sessions.session('long')?.dialog.items.length, 2 * turns);
  store.close();
  assert.deepEqual(asideOf(path), []);
});

for (const [name, damage] of [
  ['of zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ['of text', () => Buffer.from('not a database at all, but long enough to look at'.repeat(100))],
  ['cut to a part of its first page', (bytes: Buffer) => bytes.subarray(0, 1000)],
] as const) {
  test(`of a file ${name} nothing comes back; it is kept, and a new database works`, async () => {
    const { path, bytes } = damagedBy(damage);
    const { store, words } = await rescued(path, bytes);
    assert.match(words, /nothing of it could be read: a new one is used/);
    store.close();
    const again = await openRescued(path);
    assert.equal(again.words, '');
    assert.equal(again.store.sessions.session('after')?.dialog.items.length, 1);
    again.store.close();
  });
}

/** Returns the number of the page at which a table or an index begins. */
function rootOf(table: string): number {
  const database = new DatabaseSync(original, { readOnly: true });
  const page = Number(database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage);
  database.close();
  return page;
}

test('with the page of the indices torn, every session comes back whole, with its compactions and reports', async () => {
  const page = rootOf('item_user');
  const { path, bytes } = damagedBy((all) => all.fill(0xee, (page - 1) * 4096, page * 4096));
  const { store, words } = await rescued(path, bytes);
  assert.match(words, /3 conversations and 3 entries of the memory/);
  const before = await openStore(original);
  // Token ids may be what was torn; the words are made tokens again.
  const said = (from: Store, id: string) =>
    JSON.parse(from.sessions.exportJson(id), (key, value) => (key === 'generated' ? undefined : value));
  for (const id of ['s1', 's2', 'long']) assert.deepEqual(said(store, id), said(before, id), id);
  assert.equal(store.sessions.session('s1')?.compactions.length, 2);
  before.close();
  store.close();
});

test('with any single page torn, what the other pages hold comes back and whole turns stay whole', async () => {
  const pages = readFileSync(original).length / 4096;
  const random = numbers(7);
  let saved = 0;
  const torn = someOf(
    Array.from({ length: pages }, (_, at) => at + 1),
    5,
  );
  for (const page of torn) {
    const { path, bytes } = damagedBy((all) => {
      for (let i = 0; i < 400; i++) all[(page - 1) * 4096 + Math.floor(random() * 4096)] = Math.floor(random() * 256);
      return all;
    });
    // SQLite may find nothing wrong where only words changed.
    const { store } = await openRescued(path);
    if (asideOf(path).length > 0) assert.ok(readFileSync(join(dirname(path), asideOf(path)[0] ?? '')).equals(bytes));
    const items = store.sessions.session('long')?.dialog.items ?? [];
    const ids = new Set(items.map(({ id }) => id));
    assert.ok(items.every(({ parent, origin }) => parent === null || (ids.has(parent) && origin !== 'result')));
    saved += items.length > 0 ? 1 : 0;
    store.close();
  }
  assert.ok(saved >= torn.length / 2, `${saved} of ${torn.length}`);
});

test('a lost page in the middle of a long session costs the turns in it, and later turns stay readable', async () => {
  const text = readFileSync(original);
  const at = text.indexOf('question 20 ');
  assert.ok(at > 0);
  const page = Math.floor(at / 4096);
  const { path, bytes } = damagedBy((all) => all.fill(0, page * 4096, (page + 1) * 4096));
  const { store } = await rescued(path, bytes);
  const { path: now = [], items = [] } = store.sessions.session('long')?.dialog ?? {};
  const said = now.flatMap((item) => (item.origin === 'user' ? [item.text.slice(0, 11).trim()] : []));
  assert.ok(said.includes('question 1') && said.includes('question 39') && !said.includes('question 20'), said.join());
  assert.ok(items.length > turns && items.length < 2 * turns, `${items.length}`);
  store.close();
});

test('a log without its database is kept, where SQLite alone would delete it', async () => {
  const path = newPath();
  const store = await openStore(path);
  fill(store);
  const lost = newPath();
  cpSync(`${path}-wal`, `${lost}-wal`);
  store.close();
  const bytes = readFileSync(`${lost}-wal`);
  const opened = await openRescued(lost);
  assert.match(opened.words, /was gone.*kept as tidemark\.damaged-1\.sqlite-wal/);
  assert.ok(readFileSync(join(dirname(lost), 'tidemark.damaged-1.sqlite-wal')).equals(bytes));
  opened.store.close();
});

test('conversations go on while a damaged file is read, and what comes back stands beside what was said meanwhile', async () => {
  const page = rootOf('item_user');
  const { path } = damagedBy((all) => all.fill(0xee, (page - 1) * 4096, page * 4096));
  const { store, words, salvaged } = await openOrRescue(path, salvageScript);
  assert.match(words, /Readable data is being recovered into a new one/);
  store.sessions.createSession({ ...row, id: 'meanwhile' });
  let turns = 0;
  const beat = setInterval(() => {
    store.sessions.appendItem('meanwhile', user(`u${turns}`, turns === 0 ? null : `u${turns - 1}`));
    turns += 1;
  }, 5);
  assert.match((await salvaged) ?? '', /3 conversations/);
  clearInterval(beat);
  assert.ok(turns > 3, `${turns}`);
  assert.equal(store.sessions.session('meanwhile')?.dialog.items.length, turns);
  assert.equal(store.sessions.session('long')?.dialog.items.length, 80);
  store.close();
});

test('what a window that ended did not read of a damaged file, the next one reads', async () => {
  const page = rootOf('item_user');
  const torn = damagedBy((all) => all.fill(0xee, (page - 1) * 4096, page * 4096));
  const nobody = new URL('./noSuchThread.ts', import.meta.url);
  const first = await openOrRescue(torn.path, nobody);
  const aside = join(dirname(torn.path), 'tidemark.damaged-1.sqlite');
  assert.match((await first.salvaged) ?? '', /ended early/);
  first.store.close();
  writeFileSync(`${aside}.salvage`, '');
  const { store, words } = await openRescued(torn.path);
  assert.match(words, /3 conversations/);
  assert.ok(!existsSync(`${aside}.salvage`));
  store.close();
  const third = await openRescued(torn.path);
  assert.equal(third.words, '');
  third.store.close();
});

test('records come back beside those that were written meanwhile, and what was deleted since an earlier try does not', async () => {
  const page = rootOf('item_user');
  const torn = damagedBy((all) => all.fill(0xee, (page - 1) * 4096, page * 4096));
  const nobody = new URL('./noSuchThread.ts', import.meta.url);
  const { store, salvaged } = await openOrRescue(torn.path, nobody);
  await salvaged;
  store.memory.putMemory(memory('new'));
  store.close();
  const note = join(dirname(torn.path), 'tidemark.damaged-1.sqlite.salvage');
  writeFileSync(note, 'session long\nwork w\n');
  const again = await openRescued(torn.path);
  assert.match(again.words, /2 conversations and 2 entries/);
  assert.equal(again.store.sessions.session('long'), null);
  assert.deepEqual(
    again.store.memory
      .memories('/code/a')
      .map(({ id }) => id)
      .toSorted(),
    ['m', 'new'],
  );
  again.store.close();
});

test('while another window rescues, this one is told to wait, and nothing is moved; a window that died over it does not bar the way', async () => {
  const { path, bytes } = damagedBy((all) => Buffer.alloc(all.length));
  mkdirSync(`${path}.rescue`);
  await assert.rejects(openRescued(path), (error) => isRefusal(error, /another window is busy/));
  assert.ok(readFileSync(path).equals(bytes));
  utimesSync(`${path}.rescue`, new Date(0), new Date(0));
  (await rescued(path, bytes)).store.close();
});

test('a database that is locked is busy, not damaged, and is left where it is', async (t) => {
  const { path } = damagedBy((bytes) => bytes);
  const lock = new DatabaseSync(path);
  lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  t.after(() => lock.close());
  await assert.rejects(openRescued(path), (error) => isRefusal(error, /another window is busy/));
  assert.deepEqual(asideOf(path), []);
});

const onWindows = process.platform === 'win32' ? 'Windows has no such folders' : false;

test('a damaged file that may not be moved is refused in words, as it is', { skip: onWindows }, async (t) => {
  const { path, bytes } = damagedBy((all) => Buffer.alloc(all.length));
  chmodSync(path, 0o444);
  chmodSync(dirname(path), 0o555);
  const { failed } = (await startWindow(t, 'rescue', path, 'nobody').hear()) as { failed: string };
  assert.match(failed, /^Nothing can be stored: /);
  assert.ok(readFileSync(path).equals(bytes));
});

test('a folder that is deleted or moved while a window writes is said with the next write, not lost in secret', async () => {
  for (const lose of [
    (folder: string) => rmSync(folder, { recursive: true }),
    (folder: string) => renameSync(folder, join(temporary('tidemark-moved-'), 'there')),
  ]) {
    const folder = temporary('tidemark-gone-');
    const path = join(folder, 'tidemark.sqlite');
    const store = await openStore(path);
    fill(store);
    lose(folder);
    refuses(() => store.sessions.appendItem('s1', user('x', null)), /was moved or deleted/);
    mkdirSync(folder);
    (await openStore(path)).close();
    refuses(() => store.sessions.appendItem('s1', user('x', null)), /was moved or deleted/);
    store.close();
    assert.ok(existsSync(path), basename(path));
  }
});
