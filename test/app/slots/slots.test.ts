// Which conversation is in which slot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from '../../../src/app/slots/slots.ts';
import { modelInfo } from '../scenes/scriptedModel.ts';

const session = (id: string) => ({ id }) as Parameters<Slots['take']>[0];
const [a, b, c] = [session('a'), session('b'), session('c')];

function slotsOf(count: number) {
  const loaded = { info: { ...modelInfo, slots: count } };
  return { loaded, slots: new Slots(() => loaded.info) };
}

test('a conversation keeps its slot, also when it is opened again', () => {
  const { slots } = slotsOf(2);
  assert.equal(slots.take(a, 0).slot, 0);
  assert.equal(slots.take(b, 0).slot, 1);
  assert.equal(slots.take(session('a'), 0).slot, 0);
  assert.equal(slots.of(b, 0)?.slot, 1);
  assert.equal(slots.of(b, 1), null);
});

test('the one that was used least recently gives way', () => {
  const { slots } = slotsOf(2);
  slots.take(a, 0);
  slots.take(b, 0);
  slots.take(a, 0);
  assert.equal(slots.take(c, 0).slot, 1);
  assert.equal(slots.of(b, 0), null);
  assert.deepEqual(
    slots.all.map(({ session: { id } }) => id),
    ['a', 'c'],
  );
});

test('the nodes of one conversation do not push each other out', () => {
  const { slots } = slotsOf(4);
  for (const one of [a, b]) for (const node of [0, 1]) slots.take(one, node);
  // The first slot of `a` is taken again, so that the second is its older one.
  slots.take(a, 0);
  const taken = [slots.take(c, 0).slot, slots.take(c, 1).slot];
  assert.deepEqual(taken, [1, 2]);
  assert.equal(slots.of(a, 0)?.slot, 0);
  assert.equal(slots.of(b, 1)?.slot, 3);
});

test('what is known of a slot stays with its conversation and goes with it', () => {
  const { slots } = slotsOf(1);
  slots.take(a, 0).approximate = 700;
  assert.equal(slots.take(a, 0).approximate, 700);
  slots.take(b, 0);
  assert.equal(slots.take(a, 0).approximate, 0);
});

test('a session that is gone leaves its slots to the next one', () => {
  const { slots } = slotsOf(2);
  slots.take(a, 0);
  slots.take(b, 0);
  slots.leave('b');
  assert.equal(slots.take(c, 0).slot, 1);
  assert.equal(slots.of(a, 0)?.slot, 0);
});

test('a model that was loaded anew has empty slots', () => {
  const { slots, loaded } = slotsOf(2);
  slots.take(a, 0);
  slots.take(b, 0);
  loaded.info = { ...loaded.info };
  assert.deepEqual(slots.all, []);
  assert.equal(slots.take(b, 0).slot, 0);
});
