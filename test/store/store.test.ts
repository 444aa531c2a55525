// Sessions on real SQLite files: written item by item and read back whole.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { noChoices } from '../../src/core/conversation/conversation.ts';
import { append, emptyDialog } from '../../src/core/dialog/dialog.ts';
import { openStore } from '../../src/store/store.ts';
import { refuses } from './refusal.ts';
import { compactionRow, fill, items, marks, newPath, pruned, report, row, user } from './samples.ts';

test('gives back a session as it was written, branches and head included', async () => {
  const store = await openStore(newPath());
  fill(store);
  const expected = {
    ...row,
    title: '',
    dialog: items.reduce(append, emptyDialog),
    marks,
    choices: noChoices,
    restored: [],
    pruned,
    unfinished: null,
    compactions: [
      compactionRow('f1'),
      compactionRow('f2', { outcome: 'failed', checkpoint: null, previous: 'f1', proposals: [] }),
    ],
  };
  assert.deepEqual(store.sessions.session('s1'), expected);
  assert.deepEqual(store.sessions.latestSession('/code/a'), expected);
  assert.equal(expected.dialog.path.at(-1)?.id, 'u2b');
  assert.equal(store.sessions.session('nowhere'), null);
  assert.deepEqual([store.sessions.has('s1'), store.sessions.has('nowhere')], [true, false]);
  store.close();
});

test('gives back the reports of a session in their order', async () => {
  const store = await openStore(newPath());
  fill(store);
  assert.deepEqual(store.sessions.reports('s1'), [report(1), report(2)]);
  assert.deepEqual(store.sessions.reports('nowhere'), []);
  store.close();
});

test('finds the session of a workspace that was written to last', async () => {
  const { sessions, close } = await open();
  for (const id of ['s1', 's2', 's3', 's4'])
    sessions.createSession({ ...row, id, workspace: id === 's3' ? '/other' : '/code/a' });
  for (const id of ['s2', 's1', 's3']) sessions.appendItem(id, user(`item-${id}`, null));
  assert.equal(sessions.latestSession('/code/a')?.id, 's1');
  sessions.appendItem('s2', user('more', 'item-s2'));
  assert.equal(sessions.latestSession('/code/a')?.id, 's2');
  assert.equal(sessions.latestSession('/nowhere'), null);
  close();
});

async function open(path = newPath()) {
  const store = await openStore(path);
  return { ...store, close: () => store.close() };
}

test('an item is on disk when appendItem returns', async () => {
  const path = newPath();
  const { sessions, close } = await open(path);
  sessions.createSession(row);
  sessions.appendItem('s1', user('a', null));
  const other = new DatabaseSync(path, { readOnly: true });
  assert.equal(other.prepare('SELECT count(*) AS n FROM item').get()?.n, 1);
  assert.equal(other.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
  other.close();
  close();
});

test('two stores on one file see each other’s sessions', async () => {
  const path = newPath();
  const [one, two] = await Promise.all([openStore(path), openStore(path)]);
  one.sessions.createSession(row);
  one.sessions.appendItem('s1', user('a', null));
  two.sessions.appendItem('s1', user('b', 'a'));
  assert.equal(one.sessions.latestSession('/code/a')?.dialog.items.length, 2);
  one.close();
  two.close();
});

test('an item that is already stored is refused, and the head and the time stay', async () => {
  const { sessions, close } = await open();
  sessions.createSession(row);
  sessions.appendItem('s1', user('a', null));
  sessions.appendItem('s1', user('b', 'a'));
  const before = sessions.sessions('/code/a');
  refuses(() => sessions.appendItem('s1', user('a', null)), /UNIQUE/);
  assert.equal(sessions.latestSession('/code/a')?.dialog.head, 'b');
  assert.deepEqual(sessions.sessions('/code/a'), before);
  close();
});

test('an item for a session that another window deleted is refused in words', async () => {
  const path = newPath();
  const [one, two] = [await open(path), await open(path)];
  one.sessions.createSession(row);
  one.sessions.appendItem('s1', user('a', null));
  two.sessions.delete('s1');
  refuses(() => one.sessions.appendItem('s1', user('b', 'a')), /no longer there/);
  refuses(() => one.sessions.putCompaction('s1', compactionRow('f'), pruned), /no longer there/);
  assert.equal(one.sessions.session('s1'), null);
  one.close();
  two.close();
});

test('a compaction that is put again keeps its place, and sets with it what the slots let go of', async () => {
  const { sessions, close } = await open();
  sessions.createSession(row);
  sessions.putCompaction('s1', compactionRow('f1'), pruned);
  sessions.putCompaction('s1', compactionRow('f2'), pruned);
  sessions.putCompaction('s1', compactionRow('f1', { undone: true }), []);
  const { compactions, pruned: now } = sessions.session('s1') ?? { compactions: [], pruned: null };
  assert.deepEqual(
    compactions.map(({ id, undone }) => [id, undone]),
    [
      ['f1', true],
      ['f2', false],
    ],
  );
  assert.deepEqual(now, []);
  sessions.setPruned('s1', pruned);
  assert.deepEqual(sessions.session('s1')?.pruned, pruned);
  close();
});

test('a compaction whose slots cannot be set is not put either', async () => {
  const path = newPath();
  const { sessions, close } = await open(path);
  sessions.createSession(row);
  const other = new DatabaseSync(path);
  other.exec("CREATE TRIGGER stop BEFORE UPDATE OF held ON session BEGIN SELECT RAISE(ABORT, 'stopped'); END");
  refuses(() => sessions.putCompaction('s1', compactionRow('f1'), pruned), /stopped/);
  assert.deepEqual(sessions.session('s1')?.compactions, []);
  other.close();
  close();
});

test('an item whose head cannot be set is not added either', async () => {
  const path = newPath();
  const { sessions, close } = await open(path);
  sessions.createSession(row);
  const other = new DatabaseSync(path);
  other.exec("CREATE TRIGGER stop BEFORE UPDATE OF head ON session BEGIN SELECT RAISE(ABORT, 'stopped'); END");
  refuses(() => sessions.appendItem('s1', user('a', null)), /stopped/);
  assert.deepEqual(sessions.session('s1')?.dialog.items, []);
  other.close();
  close();
});

test('a store can be closed twice, and then refuses everything', async () => {
  const store = await openStore(newPath());
  store.close();
  store.close();
  refuses(() => store.sessions.sessions('/code/a'), /not open/);
  refuses(() => store.sessions.createSession(row), /not open/);
});

test('what an answer said so far stands with what it follows, the latest only, and goes with its session', async () => {
  const store = await openStore(newPath());
  fill(store);
  store.sessions.setUnfinished('s1', { parent: 'u2b', text: 'It ri' });
  store.sessions.setUnfinished('s1', { parent: 'u2b', text: 'It rises', thoughts: 'Well' });
  assert.deepEqual(store.sessions.session('s1')?.unfinished, { parent: 'u2b', text: 'It rises', thoughts: 'Well' });
  store.sessions.delete('s1');
  fill(store);
  assert.equal(store.sessions.session('s1')?.unfinished, null);
});

test('thoughts that an earlier version kept within the text come back apart from it', async () => {
  const store = await openStore(newPath());
  fill(store);
  const said = { origin: 'assistant', text: '<think>\nI look.\n</think>\n\nAt six.', end: 'done' } as const;
  store.sessions.appendItem('s1', { id: 'old', parent: 'u2b', ...said });
  const item = store.sessions.session('s1')?.dialog.path.at(-1);
  assert.deepEqual(item, { ...said, id: 'old', parent: 'u2b', text: 'At six.', thoughts: 'I look.' });
});

test('a branch that was opened is the one that comes back', async () => {
  const path = newPath();
  const store = await openStore(path);
  fill(store);
  const before = store.sessions.session('s1');
  const [first] = before?.dialog.items ?? [];
  assert.notEqual(before?.dialog.head, first?.id);
  store.sessions.setHead('s1', first?.id ?? '');
  store.close();
  const again = await openStore(path);
  assert.equal(again.sessions.session('s1')?.dialog.head, first?.id);
  assert.deepEqual(again.sessions.session('s1')?.dialog.items, before?.dialog.items);
  again.close();
});
