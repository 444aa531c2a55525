// Tests the dialog: append-only items, branches by parent, and turns on a path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  append,
  type Dialog,
  dialogOf,
  emptyDialog,
  type Item,
  type ItemId,
  moveHead,
  turnsOf,
} from '../../../src/core/dialog/dialog.ts';
import { cases } from '../../cases.ts';
import { freeze } from '../scenes/freeze.ts';

const user = (id: ItemId, parent: ItemId | null): Item => ({ origin: 'user', id, parent, text: id });
const answer = (id: ItemId, parent: ItemId | null): Item => ({
  origin: 'assistant',
  id,
  parent,
  text: id,
  end: 'done',
});
const idsOf = (items: readonly Item[]) => items.map(({ id }) => id);

const talk = [user('u1', null), answer('a1', 'u1'), user('u2', 'a1'), answer('a2', 'u2')].reduce(append, emptyDialog);

test('appends below the head and leaves the former dialog as it was', () => {
  const before = freeze(talk);
  const after = append(before, user('u3', 'a2'));
  assert.deepEqual(idsOf(after.path), ['u1', 'a1', 'u2', 'a2', 'u3']);
  assert.equal(after.head, 'u3');
  assert.equal(before.path.length, 4);
});

test('an edited message makes a branch, and the other branch stays', () => {
  const branched = append(talk, user('u2b', 'a1'));
  assert.deepEqual(idsOf(branched.path), ['u1', 'a1', 'u2b']);
  assert.deepEqual(idsOf(moveHead(branched, 'a2').path), ['u1', 'a1', 'u2', 'a2']);
  assert.equal(branched.items.length, 5);
});

test('the head can go back before the first item', () => {
  const empty = moveHead(talk, null);
  assert.deepEqual([empty.head, empty.path.length, empty.items.length], [null, 0, 4]);
  assert.deepEqual(idsOf(append(empty, user('v1', null)).path), ['v1']);
});

test('an unknown parent, an unknown head and a taken id are refused', () => {
  assert.throws(() => append(talk, user('u9', 'nowhere')), /nowhere/);
  assert.throws(() => moveHead(talk, 'nowhere'), /nowhere/);
  assert.throws(() => dialogOf([...talk.items, user('u2', 'a2')], 'u2'), /twice/);
});

test('turns begin at user messages, from an index on', () => {
  assert.deepEqual(turnsOf(talk.path), [
    { start: 0, end: 2 },
    { start: 2, end: 4 },
  ]);
  assert.deepEqual(turnsOf(talk.path, 2), [{ start: 2, end: 4 }]);
  assert.deepEqual(turnsOf(talk.path, 4), []);
});

test('stored items give the same dialog back, whatever was branched', () => {
  const growth = fc.array(fc.nat(), { maxLength: 30 });
  fc.assert(
    fc.property(growth, (parents) => {
      let dialog: Dialog = emptyDialog;
      parents.forEach((at, i) => {
        const parent = i === 0 ? null : (dialog.items[at % i]?.id ?? null);
        dialog = append(dialog, i % 2 === 0 ? user(`n${i}`, parent) : answer(`n${i}`, parent));
      });
      assert.deepEqual(dialogOf(dialog.items, dialog.head), dialog);
      for (const [i, item] of dialog.path.entries()) assert.equal(item.parent, dialog.path[i - 1]?.id ?? null);
    }),
    { numRuns: cases(300) },
  );
});
