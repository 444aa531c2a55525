// Memories, work items and decisions, and the audit of every write to them.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openStore, type Store } from '../../src/store/store.ts';
import { refuses } from './refusal.ts';
import { decision, memory, newPath, work } from './samples.ts';

async function withShelves(run: (shelves: Store['shelves'], path: string) => void): Promise<void> {
  const path = newPath();
  const store = await openStore(path);
  try {
    run(store.shelves, path);
  } finally {
    store.close();
  }
}

test('gives back what was put, in the order in which it was added, of the workspace and of everywhere', () =>
  withShelves((shelves) => {
    const [one, everywhere, other] = [memory('z'), memory('y', { workspace: null }), memory('x', { workspace: '/b' })];
    for (const record of [one, everywhere, other]) shelves.putMemory(record);
    const changed = memory('z', { text: 'changed', changed: 2, kind: 'preference' });
    shelves.putMemory(changed);
    assert.deepEqual(shelves.memories('/code/a'), [changed, everywhere]);
    assert.deepEqual(shelves.memories('/b'), [everywhere, other]);
    shelves.putWork(work('w', { state: 'doing' }));
    shelves.putWork(work('v', { workspace: '/b' }));
    shelves.putDecision(decision('d'));
    assert.deepEqual(shelves.work('/code/a'), [work('w', { state: 'doing' })]);
    assert.deepEqual(shelves.decisions('/code/a'), [decision('d')]);
    assert.deepEqual(shelves.decisions('/b'), []);
  }));

test('a record that moves to another workspace is found there only', () =>
  withShelves((shelves) => {
    shelves.putMemory(memory('m'));
    shelves.putMemory(memory('m', { workspace: '/b' }));
    assert.deepEqual([shelves.memories('/code/a').length, shelves.memories('/b').length], [0, 1]);
  }));

test('every write is in the audit with the record before and after, the latest first', () =>
  withShelves((shelves) => {
    const [old, changed] = [work('w', { changed: 5 }), work('w', { changed: 6, state: 'done', source: 'proposal' })];
    shelves.putWork(old);
    shelves.putMemory(memory('w', { changed: 7 }));
    shelves.putWork(changed);
    const [json, jsonChanged, jsonMemory] = [old, changed, memory('w', { changed: 7 })].map((one) =>
      JSON.stringify(one),
    );
    const rows = [
      { at: 6, shelf: 'work', action: 'changed', id: 'w', source: 'proposal', before: json, after: jsonChanged },
      { at: 7, shelf: 'memory', action: 'added', id: 'w', source: 'command', before: '', after: jsonMemory },
      { at: 5, shelf: 'work', action: 'added', id: 'w', source: 'command', before: '', after: json },
    ];
    assert.deepEqual(shelves.audit(9), rows);
    assert.deepEqual(shelves.audit(2), rows.slice(0, 2));
    assert.deepEqual(shelves.audit(0), []);
    assert.deepEqual(shelves.audit(-1), []);
  }));

test('what is forgotten is gone, and its words from all its rows of the audit; those of others stay', () =>
  withShelves((shelves) => {
    shelves.putDecision(decision('d', { text: 'secret one' }));
    shelves.putDecision(decision('d', { text: 'secret two', changed: 2 }));
    shelves.putWork(work('d', { text: 'other shelf' }));
    shelves.putDecision(decision('e', { text: 'other record' }));
    shelves.forget('decision', 'd', 9, 'command');
    assert.deepEqual(
      shelves.decisions('/code/a').map(({ id }) => id),
      ['e'],
    );
    const rows = shelves.audit(99);
    assert.deepEqual(
      rows.map(({ at, shelf, action, id }) => [at, shelf, action, id]),
      [
        [9, 'decision', 'forgotten', 'd'],
        [1, 'decision', 'added', 'e'],
        [1, 'work', 'added', 'd'],
        [2, 'decision', 'changed', 'd'],
        [1, 'decision', 'added', 'd'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(rows), /secret/);
    assert.match(JSON.stringify(rows), /other shelf.*|other record/);
    assert.deepEqual(
      rows.map(({ before, after }) => before === '' && after === ''),
      [true, false, false, true, true],
    );
  }));

test('forgetting what is not there changes nothing and is no error', () =>
  withShelves((shelves) => {
    shelves.putMemory(memory('m'));
    const before = shelves.audit(9);
    shelves.forget('memory', 'n', 9, 'command');
    shelves.forget('work', 'm', 9, 'command');
    assert.deepEqual(shelves.audit(9), before);
    assert.equal(shelves.memories('/code/a').length, 1);
  }));

test('a write whose audit row cannot be written is not made', () =>
  withShelves((shelves, path) => {
    shelves.putMemory(memory('m'));
    const other = new DatabaseSync(path);
    other.exec("CREATE TRIGGER stop BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'stopped'); END");
    other.close();
    refuses(() => shelves.putMemory(memory('n')), /stopped/);
    refuses(() => shelves.putMemory(memory('m', { text: 'changed' })), /stopped/);
    refuses(() => shelves.forget('memory', 'm', 2, 'command'), /stopped/);
    assert.deepEqual(shelves.memories('/code/a'), [memory('m')]);
    assert.equal(shelves.audit(9).length, 1);
  }));
