// Tests that what the user deleted or had forgotten stands nowhere in the bytes of the database and its log.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { openStore } from '../../src/store/store.ts';
import { bytesOf, compactionRow, memory, newPath, pruned, report, row, user, work } from './samples.ts';

/** Times a word is said in a text: few fit many to a page, many take pages of their own. */
const lengths = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 110 }) },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 2000 }) },
);

/** The same at every run. */
function sample<T>(of: fc.Arbitrary<T>, count: number): readonly T[] {
  return fc.sample(fc.array(of, { minLength: count, maxLength: count }), { numRuns: 1, seed: 5 }).flat();
}

test('deleting a session takes all its words out of the file, and only its own', async () => {
  const path = newPath();
  const store = await openStore(path);
  const { sessions } = store;
  for (const [id, word] of [
    ['s1', 'Zanzibar'],
    ['s2', 'Timbuktu'],
  ] as const) {
    sessions.createSession({ ...row, id, system: `system ${word}` });
    sessions.appendItem(id, user(`${id}-1`, null, `text ${word}`));
    sessions.rename(id, `title ${word}`);
    sessions.setPruned(id, [
      { runs: [], cleared: [], capped: [['x', { text: `capped ${word}`, before: 1 }]], fold: null },
    ]);
    sessions.putCompaction(id, compactionRow('f', { reason: `fold ${word}` }), pruned);
    sessions.addReport(id, { ...report(1), tools: [{ name: word, tokens: 1 }] });
    for (const name of [`session:${id}`, `fold:${id}`]) store.leases.acquire(name, `${process.pid}:${word}`, 0, 9);
  }
  assert.match(bytesOf(path), /Zanzibar/);
  sessions.delete('s1');
  assert.doesNotMatch(bytesOf(path), /Zanzibar/);
  for (const what of ['system', 'text', 'title']) assert.match(bytesOf(path), new RegExp(`${what} Timbuktu`));
  assert.equal(sessions.session('s1'), null);
  assert.deepEqual(
    sessions.sessions('/code/a').map(({ id }) => id),
    ['s2'],
  );
  const other = new DatabaseSync(path);
  const counts = ['item', 'report', 'fold'].map(
    (table) => other.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n,
  );
  assert.deepEqual(counts, [1, 1, 1]);
  assert.equal(other.prepare('SELECT count(*) AS n FROM lease').get()?.n, 2);
  other.close();
  sessions.delete('s1');
  store.close();
});

test('of many sessions in many sizes, none that is deleted leaves a word, in whatever order they go', async () => {
  const path = newPath();
  const [store, other] = [await openStore(path), await openStore(path)];
  for (let n = 0; n < 30; n++) store.sessions.createSession({ ...row, id: `s${n}`, system: `word${n}x ` });
  const said = sample(fc.tuple(fc.nat(29), lengths), 1500);
  for (const [i, [n, times]] of said.entries()) {
    const { sessions } = i % 2 === 0 ? store : other;
    sessions.appendItem(`s${n}`, user(`${i}`, null, `word${n}x `.repeat(times)));
  }
  const all = Array.from({ length: 30 }, (_, n) => n);
  const order = sample(fc.shuffledSubarray(all, { minLength: 30 }), 1).flat();
  const kept = order.pop();
  for (const [i, n] of order.entries()) {
    store.sessions.delete(`s${n}`);
    const bytes = bytesOf(path);
    for (const gone of order.slice(0, i + 1)) assert.ok(!bytes.includes(`word${gone}x`), `session ${gone}`);
  }
  assert.equal(other.sessions.session(`s${kept}`)?.dialog.items.length, said.filter(([n]) => n === kept).length);
  store.close();
  other.close();
});

test('forgetting takes all words a record ever had out of the file', async () => {
  const path = newPath();
  const store = await openStore(path);
  store.memory.putMemory(memory('m', { text: 'Zanzibar' }));
  store.memory.putMemory(memory('m', { text: 'Timbuktu' }));
  store.memory.putWork(work('w', { text: 'Samarkand' }));
  store.memory.forget('memory', 'm', 2, 'command');
  assert.doesNotMatch(bytesOf(path), /Zanzibar|Timbuktu/);
  store.memory.forget('work', 'w', 2, 'command');
  assert.doesNotMatch(bytesOf(path), /Samarkand/);
  store.close();
});

test('of many records in many sizes, changed again and again, none that is forgotten leaves a word', async () => {
  const path = newPath();
  const store = await openStore(path);
  const gone = new Set<number>();
  for (const [n, times, kind] of sample(fc.tuple(fc.nat(59), lengths, fc.nat(9)), 1000)) {
    if (kind > 0) {
      store.memory.putMemory(memory(`m${n}`, { text: `word${n}x `.repeat(times) }));
      gone.delete(n);
    } else {
      store.memory.forget('memory', `m${n}`, 2, 'command');
      gone.add(n);
      const bytes = bytesOf(path);
      for (const one of gone) assert.ok(!bytes.includes(`word${one}x`), `memory ${one}`);
    }
  }
  store.close();
});

test('a window that reads at that moment does not make deleting fail, and the words go when the store closes', async () => {
  const path = newPath();
  const store = await openStore(path);
  store.sessions.createSession(row);
  store.sessions.appendItem('s1', user('a', null, 'Zanzibar'));
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT * FROM item').all();
  store.sessions.delete('s1');
  assert.equal(store.sessions.session('s1'), null);
  reader.exec('COMMIT');
  store.close();
  assert.doesNotMatch(bytesOf(path), /Zanzibar/);
  assert.equal(statSync(`${path}-wal`).size, 0);
  reader.close();
});
