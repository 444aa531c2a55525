// Branches: where a message stands among those asked in its place, and where its conversation goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { branchHead, branchPlaces } from '../../../src/core/dialog/branches.ts';
import { append, type Dialog, emptyDialog, type Item, moveHead } from '../../../src/core/dialog/dialog.ts';

const says = (id: string, parent: string | null): Item => ({ origin: 'user', id, parent, text: id });
const answers = (id: string, parent: string): Item => ({ origin: 'assistant', id, parent, text: id, end: 'done' });
const items: readonly Item[] = [
  says('a', null),
  answers('b', 'a'),
  says('c', 'b'),
  answers('d', 'c'),
  says('c2', 'b'),
  answers('d2', 'c2'),
  says('e', 'd'),
];

test('a message that was asked in three ways has three places, and one that was not has none', () => {
  const place = branchPlaces(items);
  assert.deepEqual(
    ['a', 'c', 'c2', 'e'].map((id) => place(items.find((item) => item.id === id) ?? says(id, null))),
    [null, { at: 1, of: 2 }, { at: 2, of: 2 }, null],
  );
  assert.deepEqual(place(says('c3', 'b')), { at: 3, of: 3 });
  assert.deepEqual(place(says('a2', null)), { at: 2, of: 2 });
  assert.equal(branchPlaces([])(says('a', null)), null);
});

test('a branch goes on from the item that was added to it last, and a place that there is not has none', () => {
  assert.equal(branchHead(items, 'c2', 1), 'e');
  assert.equal(branchHead(items, 'c', 2), 'd2');
  assert.equal(branchHead(items, 'e', 1), 'e');
  for (const [message, at] of [
    ['c', 0],
    ['c', 3],
    ['x', 1],
  ] as const) {
    assert.equal(branchHead(items, message, at), null);
  }
});

test('from any conversation each branch of each message can be reached, and each goes back', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 15 }), (places) => {
      let dialog: Dialog = emptyDialog;
      for (const [i, from] of places.entries()) {
        const parent = dialog.items[from % (dialog.items.length + 1)];
        const behind = parent?.origin === 'assistant' ? parent.id : null;
        dialog = append(dialog, says(`u${i}`, behind));
        dialog = append(dialog, answers(`a${i}`, `u${i}`));
      }
      const place = branchPlaces(dialog.items);
      for (const item of dialog.items.filter(({ origin }) => origin === 'user')) {
        const own = place(item);
        if (own === null) continue;
        for (let at = 1; at <= own.of; at++) {
          const head = branchHead(dialog.items, item.id, at);
          const there = moveHead(dialog, head).path.find(
            ({ parent, origin }) => parent === item.parent && origin === 'user',
          );
          assert.deepEqual(there === undefined ? null : place(there), { at, of: own.of });
          assert.ok(dialog.items.every(({ parent }) => parent !== head));
        }
      }
    }),
  );
});
