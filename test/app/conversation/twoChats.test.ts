// Two conversations in one window: they share engine and slots, one asks the model at a time, and idle work gives way to either.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTwo } from '../scenes/scene.ts';
import { gate, soon } from '../scenes/waiting.ts';

test('a turn that starts while the other runs waits, says so, and goes on when it ended', async () => {
  const { one, other, engine } = await openTwo(['first answer', 'second answer']);
  const open = engine.hold('generate');
  const first = one.say('first');
  await soon();
  const second = other.say('second');
  await soon();
  assert.equal(other.shown().waitsForOther, true);
  assert.equal(one.shown().waitsForOther, false);
  assert.equal(engine.most, 1);
  open();
  await Promise.all([first, second]);
  assert.equal(engine.most, 1);
  assert.equal(other.shown().waitsForOther, false);
  for (const chat of [one, other]) assert.deepEqual(chat.kinds(), ['user', 'answer']);
});

test('a turn that is stopped while it waits gives its words back, and the next one does not wait for it', async () => {
  const { one, other, engine } = await openTwo(['first answer', 'third answer']);
  const open = engine.hold('generate');
  const first = one.say('first');
  await soon();
  const second = other.say('second');
  await soon();
  other.stop();
  await second;
  assert.equal(other.shown().waitsForOther, false);
  assert.equal(other.shown().draft.text, 'second');
  assert.deepEqual(other.kinds(), []);
  open();
  await first;
  await other.say('third');
  assert.deepEqual(other.kinds(), ['user', 'answer']);
});

test('a turn that fails gives the scheduler back', async () => {
  const { one, other } = await openTwo([{ crash: 'so f' }, 'second answer']);
  await one.say('first');
  await other.say('second');
  assert.deepEqual(other.kinds(), ['user', 'answer']);
});

test('idle work gives way to a turn of the other, and goes on when that is done', async () => {
  const { one, other, engine } = await openTwo(['first answer', 'second answer']);
  await one.say('first');
  const { closed, open } = gate();
  const warmed: number[] = [];
  engine.answer('warm', async ({ slot }, usual) => {
    if (warmed.push(slot) === 1) await closed;
    return usual();
  });
  const idle = one.ready();
  await soon();
  assert.deepEqual(warmed, [0]);
  const second = other.say('second');
  await soon();
  open();
  await Promise.all([idle, second]);
  await soon();
  assert.deepEqual(warmed, [0, 1, 0], 'first the one that just spoke, then what was left');
});

test('idle work does not begin while the other asks the model', async () => {
  const { one, other, engine } = await openTwo(['first answer', 'second answer']);
  await one.say('first');
  const open = engine.hold('generate');
  const second = other.say('second');
  await soon();
  engine.asked.length = 0;
  await one.ready();
  assert.ok(!engine.asked.includes('warm'));
  open();
  await second;
  await soon();
  assert.equal(engine.times('warm'), 2);
});

test('each conversation has a slot of its own, and both are listed in either', async () => {
  const { one, other } = await openTwo(['first answer', 'second answer']);
  await one.say('first');
  await other.say('second');
  assert.deepEqual(
    one
      .slots()
      .map(({ slot, session }) => [slot, session])
      .toSorted(),
    [
      [0, one.id()],
      [1, other.id()],
    ],
  );
  const open = other.shown().slots.map((slot) => slot.open);
  assert.deepEqual(open.toSorted(), [false, true]);
});

test('a chat that closes lets its turn end, and leaves the floor', async () => {
  const { one, other, engine } = await openTwo(['first answer', 'second answer']);
  const open = engine.hold('generate');
  const first = one.say('first');
  await soon();
  const closing = one.close();
  open();
  await closing;
  await first;
  const said = one.said().map(({ origin }) => origin);
  assert.deepEqual(said, ['user', 'assistant'], 'the turn was closed before the session was let go');
  await other.say('second');
  assert.deepEqual(other.kinds(), ['user', 'answer']);
});

test('an import that is asked for in one conversation opens there, and does not end the answer of the other', async () => {
  const { one, other, engine } = await openTwo(['first answer', 'second answer']);
  let imports = 0;
  other.editor.importFile = (into) => {
    imports += 1;
    into.set({ listing: true });
  };
  const open = engine.hold('generate');
  const answering = one.say('first');
  await soon();
  await other.command('/sessions import');
  assert.deepEqual([imports, one.shown().listing, other.shown().listing], [1, false, true]);
  assert.equal(one.shown().running, true);
  open();
  await answering;
  assert.deepEqual(one.kinds(), ['user', 'answer']);
});
