// Storage that fails: a full disk, a folder that may not be written, a file that is damaged.

import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openConnection } from '../../src/store/open.ts';
import { openStore, Store } from '../../src/store/store.ts';
import { temporary } from '../temporary.ts';
import { oldDatabase } from './oldVersions.ts';
import { isRefusal, refuses } from './refusal.ts';
import { compactionRow, fill, items, memory, newPath, pruned, row, user } from './samples.ts';
import { startWindow } from './startWindow.ts';

const large = 'x'.repeat(200_000);

test('a full disk is named in words, what was stored stays whole, and writing goes on once there is space', async () => {
  const path = newPath();
  const connection = await openConnection(path);
  const store = new Store(connection);
  const { sessions, memory: memoryStore } = store;
  fill(store);
  const before = sessions.exportJson('s1');
  const pages = Number(connection.get('PRAGMA page_count')?.page_count);
  connection.all(`PRAGMA max_page_count = ${pages + 2}`);
  for (const write of [
    () => sessions.appendItem('s1', user('more', 'u2b', large)),
    () => sessions.putCompaction('s1', compactionRow('f3', { reason: large }), []),
    () => sessions.importJson(before.replace('And then?', large), '/b', () => 'new'),
    () => memoryStore.putMemory(memory('m', { text: large })),
    () => sessions.createSession({ ...row, id: 's2', system: large }),
  ])
    refuses(write, /the disk is full/);
  assert.equal(sessions.exportJson('s1'), before);
  assert.deepEqual([sessions.session('new'), memoryStore.memories('/code/a'), memoryStore.audit(9)], [null, [], []]);
  assert.equal(connection.get('PRAGMA integrity_check')?.integrity_check, 'ok');
  connection.all('PRAGMA max_page_count = 100000');
  sessions.appendItem('s1', user('more', 'u2b', large));
  sessions.putCompaction('s1', compactionRow('f3'), pruned);
  store.close();
  const again = await openStore(path);
  assert.equal(again.sessions.session('s1')?.dialog.items.length, items.length + 1);
  again.close();
});

/** Made with a session in it, for whoever may read and not write. */
async function unwritable(make: (path: string) => Promise<void> | void): Promise<string> {
  const folder = temporary('tidemark-readonly-');
  const path = join(folder, 'a b#%3f.sqlite');
  await make(path);
  chmodSync(path, 0o444);
  chmodSync(folder, 0o555);
  return path;
}

/** Returns what a window says that runs with the rights of the user `nobody`. */
async function readBy(t: TestContext, path: string): Promise<Record<string, unknown>> {
  return (await startWindow(t, 'read', path, 'nobody').hear()) as Record<string, unknown>;
}

const onPosix = { skip: process.platform === 'win32' ? 'Windows has no such folders' : false };

async function filled(path: string): Promise<Store> {
  const store = await openStore(path);
  fill(store);
  store.memory.putMemory(memory('m'));
  store.leases.acquire('x', `${process.pid}:x`, 0, 10);
  return store;
}

function isReadOnly(said: Record<string, unknown>): void {
  const { refused, ...read } = said;
  assert.deepEqual(read, {
    readOnly: true,
    titles: ['What does “measure” do? In détail, please: 100%_\\ 😀'],
    items: items.length,
    hits: 2,
    memories: 1,
  });
  const words = Object.entries(refused as Record<string, string>);
  assert.equal(words.length, 11);
  for (const [write, message] of words) {
    assert.match(message, /^Nothing can be stored: the storage is read-only/, write);
  }
}

test(
  'in a folder that may not be written, sessions are read, and every write is refused in words',
  onPosix,
  async (t) => {
    const path = await unwritable(async (one) => (await filled(one)).close());
    const before = readFileSync(path);
    isReadOnly(await readBy(t, path));
    assert.ok(readFileSync(path).equals(before));
  },
);

test('a file that may not be written in a folder that may is read only as well', onPosix, async (t) => {
  const path = await unwritable(async (one) => (await filled(one)).close());
  chmodSync(dirname(path), 0o777);
  isReadOnly(await readBy(t, path));
});

test('while another user’s window writes, what it wrote so far is read', onPosix, async (t) => {
  let other: Store | undefined;
  const path = await unwritable(async (one) => {
    other = await filled(one);
  });
  isReadOnly(await readBy(t, path));
  chmodSync(dirname(path), 0o755);
  other?.close();
});

test('what a crash left unfinished cannot be read without writing, and is refused in words', onPosix, async (t) => {
  const crashed = newPath();
  const store = await filled(crashed);
  const path = await unwritable((one) => {
    for (const end of ['', '-wal']) copyFileSync(crashed + end, one + end);
  });
  store.close();
  const { failed } = await readBy(t, path);
  assert.match(String(failed), /^Nothing can be stored: the (storage is read-only|database file .* cannot be opened)/);
});

test('a database of an earlier version that may not be written is refused in words', onPosix, async (t) => {
  const path = await unwritable((one) => copyFileSync(oldDatabase(2, ['a']), one));
  const { failed } = await readBy(t, path);
  assert.match(String(failed), /the storage is read-only, and the database is of an earlier version \(schema 2\)/);
});

test('a store that may be written says so', async () => {
  const store = await openStore(newPath());
  assert.equal(store.readOnly, false);
  store.close();
});

const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 8192) * 4096);

for (const [name, damage] of [
  ['of random bytes', (bytes: Buffer) => bytes.map((_, i) => (i * 7919 + (i >> 3) * 31) & 0xff)],
  ['of text', () => Buffer.from('not a database at all, but long enough to look at'.repeat(100))],
  ['of a word', () => Buffer.from('hello')],
  ['that lost its second half', half],
  ['that lost all but a part of its first page', (bytes: Buffer) => bytes.subarray(0, 1000)],
  ['whose first page is not its own', (bytes: Buffer) => Buffer.concat([Buffer.alloc(4096, 1), bytes.subarray(4096)])],
] as const) {
  test(`a database file ${name} is refused in words that name it, and stays as it is`, async () => {
    const path = newPath();
    (await filled(path)).close();
    writeFileSync(path, damage(readFileSync(path)));
    const before = readFileSync(path);
    await assert.rejects(openStore(path), (error) => {
      isRefusal(error, /is damaged; move it away to start anew/);
      return String(error).includes(path);
    });
    assert.ok(readFileSync(path).equals(before));
  });
}

test('damage in the middle of a file is named when it is met', async () => {
  const path = newPath();
  (await filled(path)).close();
  const database = new DatabaseSync(path, { readOnly: true });
  const page = Number(database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'item'").get()?.rootpage);
  database.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xee, (page - 1) * 4096, page * 4096));
  const store = await openStore(path);
  refuses(() => store.sessions.session('s1'), /is damaged; move it away to start anew/);
  refuses(() => store.sessions.appendItem('s1', user('x', null)), /is damaged; move it away to start anew/);
  store.close();
});

test('a folder in the place of the file, and a folder that is not there, are named in words', async () => {
  const path = newPath();
  const folder = dirname(path);
  await assert.rejects(openStore(folder), (error) =>
    isRefusal(error, /the disk reports an error at the database file/),
  );
  const lost = join(path, 'nowhere', 'tidemark.sqlite');
  await assert.rejects(openStore(lost), (error) => isRefusal(error, /the database file .* cannot be opened/));
  assert.ok(statSync(folder).isDirectory());
});
