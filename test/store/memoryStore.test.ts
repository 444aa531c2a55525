// Memories, work items and decisions, and the audit of every write to them.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openStore, type Store } from '../../src/store/store.ts';
import { refuses } from './refusal.ts';
import { decision, memory, newPath, work } from './samples.ts';

async function withMemory(run: (memory: Store['memory'], path: string) => void): Promise<void> {
  const path = newPath();
  const store = await openStore(path);
  try {
    run(store.memory, path);
  } finally {
    store.close();
  }
}

test('gives back what was put, in the order in which it was added, of the workspace and of everywhere', () =>
  withMemory((memoryStore) => {
    const [one, everywhere, other] = [memory('z'), memory('y', { workspace: null }), memory('x', { workspace: '/b' })];
    for (const record of [one, everywhere, other]) memoryStore.putMemory(record);
    const changed = memory('z', { text: 'changed', changed: 2, kind: 'preference' });
    memoryStore.putMemory(changed);
    assert.deepEqual(memoryStore.memories('/code/a'), [changed, everywhere]);
    assert.deepEqual(memoryStore.memories('/b'), [everywhere, other]);
    memoryStore.putWork(work('w', { state: 'doing' }));
    memoryStore.putWork(work('v', { workspace: '/b' }));
    memoryStore.putDecision(decision('d'));
    assert.deepEqual(memoryStore.work('/code/a'), [work('w', { state: 'doing' })]);
    assert.deepEqual(memoryStore.decisions('/code/a'), [decision('d')]);
    assert.deepEqual(memoryStore.decisions('/b'), []);
  }));

test('a record that moves to another workspace is found there only', () =>
  withMemory((memoryStore) => {
    memoryStore.putMemory(memory('m'));
    memoryStore.putMemory(memory('m', { workspace: '/b' }));
    assert.deepEqual([memoryStore.memories('/code/a').length, memoryStore.memories('/b').length], [0, 1]);
  }));

test('every write is in the audit with the record before and after, the latest first', () =>
  withMemory((memoryStore) => {
    const [old, changed] = [work('w', { changed: 5 }), work('w', { changed: 6, state: 'done', source: 'proposal' })];
    memoryStore.putWork(old);
    memoryStore.putMemory(memory('w', { changed: 7 }));
    memoryStore.putWork(changed);
    const [json, jsonChanged, jsonMemory] = [old, changed, memory('w', { changed: 7 })].map((one) =>
      JSON.stringify(one),
    );
    const rows = [
      { at: 6, kind: 'work', action: 'changed', id: 'w', source: 'proposal', before: json, after: jsonChanged },
      { at: 7, kind: 'memory', action: 'added', id: 'w', source: 'command', before: '', after: jsonMemory },
      { at: 5, kind: 'work', action: 'added', id: 'w', source: 'command', before: '', after: json },
    ];
    assert.deepEqual(memoryStore.audit(9), rows);
    assert.deepEqual(memoryStore.audit(2), rows.slice(0, 2));
    assert.deepEqual(memoryStore.audit(0), []);
    assert.deepEqual(memoryStore.audit(-1), []);
  }));

test('what is forgotten is gone, and its words from all its rows of the audit; those of others stay', () =>
  withMemory((memory) => {
    memory.putDecision(decision('d', { text: 'secret one' }));
    memory.putDecision(decision('d', { text: 'secret two', changed: 2 }));
    memory.putWork(work('d', { text: 'other kind' }));
    memory.putDecision(decision('e', { text: 'other record' }));
    memory.forget('decision', 'd', 9, 'command');
    assert.deepEqual(
      memory.decisions('/code/a').map(({ id }) => id),
      ['e'],
    );
    const rows = memory.audit(99);
    assert.deepEqual(
      rows.map(({ at, kind, action, id }) => [at, kind, action, id]),
      [
        [9, 'decision', 'forgotten', 'd'],
        [1, 'decision', 'added', 'e'],
        [1, 'work', 'added', 'd'],
        [2, 'decision', 'changed', 'd'],
        [1, 'decision', 'added', 'd'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(rows), /secret/);
    assert.match(JSON.stringify(rows), /other kind.*|other record/);
    assert.deepEqual(
      rows.map(({ before, after }) => before === '' && after === ''),
      [true, false, false, true, true],
    );
  }));

test('forgetting what is not there changes nothing and is no error', () =>
  withMemory((memoryStore) => {
    memoryStore.putMemory(memory('m'));
    const before = memoryStore.audit(9);
    memoryStore.forget('memory', 'n', 9, 'command');
    memoryStore.forget('work', 'm', 9, 'command');
    assert.deepEqual(memoryStore.audit(9), before);
    assert.equal(memoryStore.memories('/code/a').length, 1);
  }));

test('a write whose audit row cannot be written is not made', () =>
  withMemory((memoryStore, path) => {
    memoryStore.putMemory(memory('m'));
    const other = new DatabaseSync(path);
    other.exec("CREATE TRIGGER stop BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'stopped'); END");
    other.close();
    refuses(() => memoryStore.putMemory(memory('n')), /stopped/);
    refuses(() => memoryStore.putMemory(memory('m', { text: 'changed' })), /stopped/);
    refuses(() => memoryStore.forget('memory', 'm', 2, 'command'), /stopped/);
    assert.deepEqual(memoryStore.memories('/code/a'), [memory('m')]);
    assert.equal(memoryStore.audit(9).length, 1);
  }));
