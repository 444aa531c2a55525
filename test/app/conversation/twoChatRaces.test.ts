// Events in one of two conversations while the other is at work: settings change, the engine ends, a place closes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTwo, type Scene } from '../scenes/scene.ts';
import { gate, soon } from '../scenes/waiting.ts';

const answers = (scene: Scene) => scene.entries('answer').map(({ text, end }) => [text, end]);

test('settings that change while one answers take hold when it ended, whatever the other does', async () => {
  const { one, other, engine } = await openTwo(['first answer', 'second answer']);
  const open = engine.hold('generate');
  const first = one.say('first');
  await soon();
  engine.asked.length = 0;
  one.wanted.load = { ...one.wanted.load, contextSize: 1024 };
  await other.ready();
  const second = other.say('second');
  await soon();
  assert.ok(!engine.asked.includes('dispose'), 'the answer that is being written is not cut off');
  open();
  await Promise.all([first, second]);
  await soon();
  assert.equal(engine.times('dispose'), 1);
  assert.deepEqual(answers(one), [['first answer', 'done']]);
  assert.deepEqual(answers(other), [['second answer', 'done']]);
});

test('a turn that waited for the other goes on with the model that is loaded by then', async () => {
  const { one, other, engine } = await openTwo(['first answer', 'second answer']);
  const open = engine.hold('generate');
  const first = one.say('first');
  await soon();
  const second = other.say('second');
  await soon();
  engine.info = { ...engine.info, fingerprint: 'f2' };
  void one.model.crash();
  await soon();
  open();
  await Promise.all([first, second]);
  assert.equal(one.model.loaded()?.fingerprint, 'f2');
  assert.ok((await other.inspector.prompt('sent')).total > 0, 'it was sent to the model that is loaded');
});

test('a chat that closed while it answered does no idle work afterwards', async () => {
  const { one, engine } = await openTwo(['first answer']);
  const open = engine.hold('generate');
  const first = one.say('first');
  await soon();
  const closing = one.close();
  engine.asked.length = 0;
  open();
  await Promise.all([closing, first]);
  await soon();
  assert.ok(!engine.asked.includes('warm'), 'its slot is not made ready for a message that cannot come');
});

test('both are made ready, one after the other, when both begin with that at once', async () => {
  const { one, other, engine } = await openTwo(['first answer', 'second answer']);
  await one.say('first');
  await other.say('second');
  const gates = [gate(), gate()] as const;
  const warmed: number[] = [];
  engine.answer('warm', async ({ slot }, usual) => {
    await gates[warmed.push(slot) - 1]?.closed;
    return usual();
  });
  const both = [one.ready(), other.ready()];
  await soon();
  for (const { open } of gates) open();
  await Promise.all(both);
  await soon();
  assert.equal(warmed.at(-1), 0, 'the one that gave way comes back when the later one is done');
  assert.deepEqual([...new Set(warmed)].toSorted(), [0, 1]);
});

test('a conversation that is opened while the other answers shows its prompt when that is done', async () => {
  const { one, other, engine } = await openTwo(['first answer']);
  const open = engine.hold('generate');
  const first = one.say('first');
  await soon();
  await other.ready();
  assert.equal(other.shown().stack, null);
  open();
  await first;
  await soon();
  assert.notEqual(other.shown().stack, null);
});

test('compacting that waits for the other and is given up says that, and is no failure', async () => {
  const { one, other, engine } = await openTwo(['zero', 'first answer', 'second answer']);
  await other.say('zero');
  const open = engine.hold('generate');
  const first = one.say('first');
  await soon();
  const compacting = other.say('/compact');
  await soon();
  const second = other.say('second');
  await compacting;
  assert.deepEqual(other.entries('fault'), []);
  assert.deepEqual(
    other.entries('info').map(({ text }) => text),
    ['Nothing was compacted: it was interrupted.'],
  );
  open();
  await Promise.all([first, second]);
});

test('the speed is not measured while the other asks the model', async () => {
  const { one, other, engine } = await openTwo(['first answer']);
  const open = engine.hold('generate');
  const first = one.say('first');
  await soon();
  await other.say('/speed');
  assert.ok(!engine.asked.includes('speed'));
  open();
  await first;
});

test('a conversation whose slot the other took is not called warm any more', async () => {
  const { one, other, engine } = await openTwo(['first answer', 'second answer']);
  engine.info = { ...engine.info, slots: 1 };
  await one.model.restart();
  await one.say('first');
  assert.equal(one.shown().warm?.warmed, 10);
  await other.say('second');
  await soon();
  assert.equal(other.shown().warm?.warmed, 10);
  assert.equal(one.shown().warm?.warmed, 0);
  assert.match(one.shown().warm?.reason ?? '', /another conversation took its place/);
});

const leavings = {
  'is left for a new one': (scene: Scene) => scene.newConversation(),
  'was closed': (scene: Scene) => void scene.close(),
};

for (const [name, leave] of Object.entries(leavings))
  test(`a conversation that ${name} while it is answered opens elsewhere at once, and its end is stored once`, async () => {
    const { one, other, engine } = await openTwo(['first answer']);
    const open = engine.hold('generate');
    const first = one.say('first');
    await soon();
    const id = one.id();
    leave(one);
    assert.equal(other.openConversation(id), null);
    open();
    await first;
    assert.deepEqual(
      one.stored.items.map(({ origin }) => origin),
      ['user', 'assistant'],
      'closed by whom it was opened',
    );
  });

test('a conversation that is closed while it is warmed ends that, and what is still told of it goes to nobody', async () => {
  const { one, other, engine } = await openTwo(['a1', 'b1']);
  await one.say('main');
  const [asked, go] = [gate(), gate()];
  let [aborted, tell] = [false, () => undefined as unknown];
  engine.answer('warm', async (_, usual, signal, hearing) => {
    tell = () => hearing?.prefilling?.({ done: 5, of: 10, decoded: 5, milliseconds: 1 });
    signal?.addEventListener('abort', () => {
      aborted = true;
    });
    asked.open();
    await go.closed;
    return usual();
  });
  const sent = other.say('beside');
  await asked.closed;
  const closed = other.close();
  await soon();
  assert.equal(aborted, true);
  tell();
  assert.deepEqual([one.shown().warming, other.shown().warming], [null, null]);
  go.open();
  await Promise.all([closed, sent]);
  assert.equal(one.shown().warming, null);
});
