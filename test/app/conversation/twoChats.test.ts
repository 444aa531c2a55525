// Two conversations in one window: they share engine and slots, one asks the model at a time, and idle work gives way to either.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, kinds, memoryJournal, memoryStorage } from '../scenes/openChat.ts';
import { slowly, soon, two } from '../scenes/twoScene.ts';

test('a turn that starts while the other runs waits, says so, and goes on when it ended', async () => {
  const { one, other, engine } = await two(['first answer', 'second answer']);
  const { open, counts } = slowly(engine);
  const first = one.send('first');
  await soon();
  const second = other.send('second');
  await soon();
  assert.equal(other.snapshot.waitsForOther, true);
  assert.equal(one.snapshot.waitsForOther, false);
  assert.equal(counts.most, 1);
  open();
  await Promise.all([first, second]);
  assert.equal(counts.most, 1);
  assert.equal(other.snapshot.waitsForOther, false);
  for (const chat of [one, other]) assert.deepEqual(kinds(chat), ['user', 'answer']);
});

test('a turn that is stopped while it waits gives its words back, and the next one does not wait for it', async () => {
  const { one, other, engine } = await two(['first answer', 'third answer']);
  const { open } = slowly(engine);
  const first = one.send('first');
  await soon();
  const second = other.send('second');
  await soon();
  other.cancel();
  await second;
  assert.equal(other.snapshot.waitsForOther, false);
  assert.equal(other.snapshot.draft.text, 'second');
  assert.deepEqual(kinds(other), []);
  open();
  await first;
  await other.send('third');
  assert.deepEqual(kinds(other), ['user', 'answer']);
});

test('a turn that fails gives the scheduler back', async () => {
  const { one, other } = await two([{ crash: 'so f' }, 'second answer']);
  await one.send('first');
  await other.send('second');
  assert.deepEqual(kinds(other), ['user', 'answer']);
});

test('idle work gives way to a turn of the other, and goes on when that is done', async () => {
  const { one, other, engine } = await two(['first answer', 'second answer']);
  await one.send('first');
  const { request } = engine;
  const { closed, open } = gate();
  const warmed: number[] = [];
  engine.request = async (name, params) => {
    if (name === 'warm') {
      warmed.push((params as { slot: number }).slot);
      if (warmed.length === 1) await closed;
    }
    return request(name, params);
  };
  const idle = one.open();
  await soon();
  assert.deepEqual(warmed, [0]);
  const second = other.send('second');
  await soon();
  open();
  await Promise.all([idle, second]);
  await soon();
  assert.deepEqual(warmed, [0, 1, 0], 'first the one that just spoke, then what was left');
});

test('idle work does not begin while the other asks the model', async () => {
  const { one, other, engine } = await two(['first answer', 'second answer']);
  await one.send('first');
  const { open } = slowly(engine);
  const second = other.send('second');
  await soon();
  engine.log.length = 0;
  await one.open();
  assert.ok(!engine.log.includes('warm'));
  open();
  await second;
  await soon();
  assert.equal(engine.log.filter((name) => name === 'warm').length, 2);
});

test('each conversation has a slot of its own, and both are listed in either', async () => {
  const { one, other, together } = await two(['first answer', 'second answer']);
  await one.send('first');
  await other.send('second');
  assert.deepEqual(
    together.engines
      .of(null)
      .snapshots.slots.all.map(({ slot, session }) => [slot, session.id])
      .toSorted(),
    [
      [0, one.session.id],
      [1, other.session.id],
    ],
  );
  assert.deepEqual(other.snapshot.slots.map(({ open }) => open).toSorted(), [false, true]);
});

test('a chat that closes lets its turn end, and leaves the floor', async () => {
  const { one, other, engine } = await two(['first answer', 'second answer']);
  const { open } = slowly(engine);
  const first = one.send('first');
  await soon();
  const closing = one.close();
  open();
  await closing;
  await first;
  const said = one.session.state.dialog.path.map(({ origin }) => origin);
  assert.deepEqual(said, ['user', 'assistant'], 'the turn was closed before the session was let go');
  await other.send('second');
  assert.deepEqual(kinds(other), ['user', 'answer']);
});

test('an import that is asked for in one conversation opens there, and does not end the answer of the other', async () => {
  const storage = memoryStorage(memoryJournal({ items: [], sessions: [] }));
  const { one, other, engine, imports } = await two(['first answer', 'second answer'], storage);
  const { open } = slowly(engine);
  const answering = one.send('first');
  await soon();
  await other.command('/sessions import');
  assert.ok(imports.length === 1 && imports[0] === other);
  assert.equal(one.snapshot.running, true);
  open();
  await answering;
  assert.deepEqual(kinds(one), ['user', 'answer']);
});
