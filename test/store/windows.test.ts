// Two windows that write to one database at the same time, and one that keeps the others waiting.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openStore } from '../../src/store/store.ts';
import { isRefusal, refuses } from './refusal.ts';
import { memory, newPath, row, user } from './samples.ts';
import { startWindow } from './startWindow.ts';

test('two processes write for a second as fast as they can: what is held up comes a little later, and nothing is lost', async (t) => {
  const path = newPath();
  (await openStore(path)).close();
  const names = ['one', 'two'];
  const windows = names.map((name) => startWindow(t, 'write', path, name));
  await Promise.all(windows.map((window) => window.hear()));
  for (const window of windows) window.tell('go');
  const done = (await Promise.all(windows.map((window) => window.hear()))) as { count: number; errors: string[] }[];
  assert.deepEqual(
    done.map(({ errors }) => errors),
    [[], []],
  );
  const store = await openStore(path);
  for (const [i, { count }] of done.entries()) {
    assert.ok(count > 20, `${count} items in a second`);
    const expected = Array.from({ length: count }, (_, n) => `${names[i]}-${n}`);
    const kept = store.sessions.session(names[i] ?? '');
    assert.deepEqual(
      kept?.dialog.path.map(({ id }) => id),
      expected,
    );
    const mine = store.memory.memories('/code/a').filter(({ id }) => id.startsWith(`${names[i]}-`));
    assert.equal(mine.length, count);
  }
  assert.equal(store.memory.audit(1e6).length, done[0]!.count + done[1]!.count);
  store.close();
});

test('a lock that another window holds for too long is named in words, and nothing is written', async () => {
  const path = newPath();
  const store = await openStore(path);
  store.sessions.createSession(row);
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const started = performance.now();
  refuses(() => store.sessions.appendItem('s1', user('a', null)), /another window is busy with the database/);
  const waited = performance.now() - started;
  // The host stands still meanwhile.
  assert.ok(waited > 50 && waited < 200, `waited ${waited} ms`);
  assert.deepEqual(store.sessions.session('s1')?.dialog.items, []);
  await assert.rejects(openStore(path), (error) => isRefusal(error, /another window is busy with the database/));
  other.exec('ROLLBACK');
  store.sessions.appendItem('s1', user('a', null));
  store.memory.putMemory(memory('m'));
  assert.equal(store.sessions.session('s1')?.dialog.items.length, 1);
  other.close();
  store.close();
});

test('a lock that another window gives up in time is waited for', async (t) => {
  const path = newPath();
  const store = await openStore(path);
  store.sessions.createSession(row);
  assert.equal(await startWindow(t, 'lock', path).hear(), 'locked');
  store.sessions.appendItem('s1', user('a', null));
  assert.equal(store.sessions.session('s1')?.dialog.items.length, 1);
  store.close();
});
