// The store on real SQLite files.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { append, emptyDialog, type Item } from '../../src/core/dialog.ts';
import { FaultError } from '../../src/core/faults.ts';
import { openStore } from '../../src/store/store.ts';

const session = { id: 's1', workspace: '/code/a', system: 'Be brief.', created: 1 };
const user = (id: string, parent: string | null): Item => ({ origin: 'user', id, parent, text: `text of ${id}` });

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'tidemark-store-')), 'tidemark.sqlite');
}

test('gives back a session as it was written, branches and head included', async () => {
  const store = await openStore(newPath());
  store.createSession(session);
  const items = [user('a', null), user('b', 'a'), user('c', 'a')];
  for (const item of items) store.appendItem('s1', item);
  const dialog = items.reduce(append, emptyDialog);
  assert.deepEqual(store.latestSession('/code/a')?.dialog, dialog);
  assert.deepEqual(
    dialog.path.map(({ id }) => id),
    ['a', 'c'],
  );
  store.close();
});

test('finds the session of a workspace that was written to last', async () => {
  const store = await openStore(newPath());
  for (const id of ['s1', 's2', 's3'])
    store.createSession({ ...session, id, workspace: id === 's3' ? '/other' : '/code/a' });
  for (const id of ['s2', 's1', 's3']) store.appendItem(id, user(`item-${id}`, null));
  assert.equal(store.latestSession('/code/a')?.id, 's1');
  assert.equal(store.latestSession('/nowhere'), null);
  store.close();
});

test('an item is on disk when appendItem returns', async () => {
  const path = newPath();
  const store = await openStore(path);
  store.createSession(session);
  store.appendItem('s1', user('a', null));
  const other = new DatabaseSync(path, { readOnly: true });
  assert.equal(other.prepare('SELECT count(*) AS n FROM item').get()?.n, 1);
  assert.equal(other.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
  other.close();
  store.close();
});

test('two stores on one file see each other’s sessions', async () => {
  const path = newPath();
  const [one, two] = await Promise.all([openStore(path), openStore(path)]);
  one.createSession(session);
  one.appendItem('s1', user('a', null));
  two.appendItem('s1', user('b', 'a'));
  assert.equal(one.latestSession('/code/a')?.dialog.items.length, 2);
  one.close();
  two.close();
});

test('an item that is already stored is refused and the head stays', async () => {
  const store = await openStore(newPath());
  store.createSession(session);
  store.appendItem('s1', user('a', null));
  assert.throws(() => store.appendItem('s1', user('a', null)), FaultError);
  assert.equal(store.latestSession('/code/a')?.dialog.head, 'a');
  store.close();
});

test('a file that is no database, and one of a newer version, are refused in words', async () => {
  const garbage = newPath();
  writeFileSync(garbage, 'not a database at all, but long enough to look at'.repeat(100));
  const newer = newPath();
  const database = new DatabaseSync(newer);
  database.exec('PRAGMA user_version = 99');
  database.close();
  for (const [path, words] of [
    [garbage, /not a database/],
    [newer, /newer Tidemark \(schema 99\)/],
  ] as const) {
    await assert.rejects(openStore(path), (error: FaultError) => {
      assert.equal(error.fault.kind, 'storeUnavailable');
      assert.match(error.message, words);
      return true;
    });
  }
});
