// The model is unloaded once nothing needed it for a while, with nothing lost, and comes back when it is asked for.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Unloading } from '../../../src/app/idle/unloading.ts';
import { gate, kinds } from '../scenes/openChat.ts';
import { emptyFolder, settled, windowOn } from '../scenes/snapshotScene.ts';
import { storeFor } from '../scenes/storeScene.ts';

const minute = 60_000;

/** Two minutes have passed with the third tick: the first one may come at once. */
async function resting(context: TestContext, minutes = 2) {
  const window = windowOn(await storeFor(context), emptyFolder());
  const { chat, life, ports, pass } = window;
  const place = { lost: false };
  const engine = { busy: false };
  const { every } = ports;
  const unloading = new Unloading(() => [{ life, snapshots: chat.engines.snapshots }], place, {
    every,
    busy: () => engine.busy,
    minutes: () => minutes,
  });
  unloading.watch(chat);
  context.after(() => unloading.dispose());
  const rest = async (times: number) => {
    for (let i = 0; i < times; i++) await pass(minute);
  };
  return { ...window, place, asked: engine, unloading, rest };
}

test('after the minutes that are set the slots are stored, the process ends, and the view says what happened', async (context) => {
  const { chat, engine, saves, rest, life } = await resting(context);
  await chat.send('First.');
  await rest(2);
  assert.equal(chat.snapshot.engine.state, 'ready');
  assert.equal(saves.length, 0);
  await rest(1);
  const { engine: shown, warm, slots, entries } = chat.snapshot;
  assert.deepEqual(
    [shown.state, shown.message, shown.advice],
    ['off', 'The model was unloaded after 2 minutes of rest.', 'It is loaded again with your next message.'],
  );
  assert.deepEqual([warm, slots, entries.length, life.waits], [null, [], 2, true]);
  assert.deepEqual([saves.length, engine.log.at(-1)], [1, 'dispose']);
});

test('the next message loads it again and goes on from what was stored', async (context) => {
  const { chat, engine, loads, rest } = await resting(context);
  await chat.send('First.');
  await rest(3);
  await chat.send('Second.');
  assert.deepEqual(kinds(chat), ['user', 'answer', 'user', 'answer']);
  assert.equal(engine.log.filter((name) => name === 'load').length, 2);
  assert.equal(loads.at(-1)?.path, `${chat.session.id}/0`);
  assert.equal(chat.snapshot.engine.state, 'ready');
  await rest(3);
  assert.equal(chat.snapshot.engine.state, 'off', 'and it rests again');
});

test('a message, a command and words in the composer each begin the time anew', async (context) => {
  const { chat, rest } = await resting(context);
  await chat.open();
  for (const use of [() => chat.send('Hi.'), () => chat.send('/context'), () => chat.draft.written('half a sen')]) {
    await rest(2);
    await use();
    assert.equal(chat.snapshot.engine.state, 'ready');
  }
  await rest(2);
  assert.equal(chat.snapshot.engine.state, 'ready');
  await rest(1);
  assert.equal(chat.snapshot.engine.state, 'off');
});

test('what happens without the user does not keep it: a changed file, the store’s notice', async (context) => {
  const { chat, rest } = await resting(context);
  await chat.open();
  await rest(2);
  chat.showStale();
  chat.set({ notice: 'Nothing can be stored.' });
  await rest(1);
  assert.equal(chat.snapshot.engine.state, 'off');
});

test('a running turn, a fold and a request that waits are no rest, however long they take', async (context) => {
  const { chat, engine, rest, asked } = await resting(context);
  await chat.open();
  const slow = gate();
  const { model } = engine;
  engine.model = (...args) => {
    const real = model(...args);
    return {
      ...real,
      generate: async (...request) => {
        await slow.closed;
        return real.generate(...request);
      },
    };
  };
  const sending = chat.send('Slowly.');
  await rest(9);
  assert.deepEqual([chat.snapshot.running, chat.snapshot.engine.state], [true, 'ready']);
  slow.open();
  await sending;
  chat.set({ folding: true });
  await rest(9);
  chat.set({ folding: false });
  asked.busy = true;
  await rest(9);
  assert.equal(chat.snapshot.engine.state, 'ready');
  asked.busy = false;
  await rest(3);
  assert.equal(chat.snapshot.engine.state, 'off');
});

test('a message that comes while the slots are stored keeps the model, and is answered', async (context) => {
  const { chat, engine, rest } = await resting(context);
  await chat.send('First.');
  const slow = gate();
  const { save } = engine.snapshots;
  engine.snapshots.save = async (params) => {
    await slow.closed;
    return save(params);
  };
  await rest(3);
  assert.equal(chat.snapshot.engine.state, 'ready');
  const sending = chat.send('Second.');
  slow.open();
  await sending;
  await settled();
  assert.deepEqual([chat.snapshot.engine.state, engine.log.includes('dispose')], ['ready', false]);
  assert.deepEqual(kinds(chat), ['user', 'answer', 'user', 'answer']);
});

test('a message that comes while the process ends is answered by a new one, which has the place', async (context) => {
  const { chat, engine, rest, place, life } = await resting(context);
  await chat.send('First.');
  const slow = gate();
  engine.dispose = () => slow.closed;
  await rest(3);
  assert.equal(chat.snapshot.engine.state, 'off');
  await chat.send('Second.');
  slow.open();
  await settled();
  assert.deepEqual([chat.snapshot.engine.state, life.loaded !== null, place.lost], ['ready', true, false]);
});

test('with 0 it stays loaded', async (context) => {
  const { chat, rest } = await resting(context, 0);
  await chat.open();
  await rest(500);
  assert.equal(chat.snapshot.engine.state, 'ready');
});

test('a window that lost the machine’s place gives its model up at its next rest, and asks like any other', async (context) => {
  const { chat, rest, place, life } = await resting(context);
  await chat.send('First.');
  place.lost = true;
  await rest(1);
  assert.equal(chat.snapshot.engine.message, 'The model is running in another window.');
  assert.deepEqual([chat.snapshot.engine.actions[0]?.do.type, life.waits], ['loadHere', true]);
});

test('a conversation that was closed is watched no longer', async (context) => {
  const { chat, unloading, rest } = await resting(context);
  await chat.send('First.');
  const other = {
    snapshot: { ...chat.snapshot, warming: { done: 1, of: 9 } },
    subscribe: () => ({ dispose: () => undefined }),
  };
  const watching = unloading.watch(other);
  await rest(4);
  assert.equal(chat.snapshot.engine.state, 'ready', 'it is being warmed');
  watching.dispose();
  await rest(3);
  assert.equal(chat.snapshot.engine.state, 'off');
});
