// The model is unloaded once nothing needed it for a while, with nothing lost, and comes back when it is asked for.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emptyFolder } from '../scenes/memory.ts';
import { openCompacting } from '../scenes/scene.ts';
import { storeFor } from '../scenes/storeScene.ts';
import { gate, settled } from '../scenes/waiting.ts';

const minute = 60_000;

/** Two minutes have passed with the third tick: the first one may come at once. */
async function resting(context: TestContext, minutes = 2) {
  const scene = openCompacting({ storage: await storeFor(context), folder: emptyFolder() });
  const rest = async (times: number) => {
    for (let i = 0; i < times; i++) await scene.pass(minute);
  };
  return { ...scene, ...scene.unloads(minutes), rest };
}

test('after the minutes that are set the slots are stored, the process ends, and the view says what happened', async (context) => {
  const scene = await resting(context);
  await scene.say('First.');
  await scene.rest(2);
  assert.equal(scene.shown().engine.state, 'ready');
  assert.equal(scene.saves.length, 0);
  await scene.rest(1);
  const { engine: shown, warm, slots, entries } = scene.shown();
  assert.deepEqual(
    [shown.state, shown.message, shown.advice],
    ['off', 'The model was unloaded after 2 minutes of rest.', 'It is loaded again with your next message.'],
  );
  assert.deepEqual([warm, slots, entries.length, scene.model.waits()], [null, [], 2, true]);
  assert.deepEqual([scene.saves.length, scene.engine.asked.at(-1)], [1, 'dispose']);
});

test('the next message loads it again and goes on from what was stored', async (context) => {
  const scene = await resting(context);
  await scene.say('First.');
  await scene.rest(3);
  await scene.say('Second.');
  assert.deepEqual(scene.kinds(), ['user', 'answer', 'user', 'answer']);
  assert.equal(scene.engine.times('load'), 2);
  assert.equal(scene.loads.at(-1)?.path, `${scene.id()}/0`);
  assert.equal(scene.shown().engine.state, 'ready');
  await scene.rest(3);
  assert.equal(scene.shown().engine.state, 'off', 'and it rests again');
});

test('a message, a command and words in the composer each begin the time anew', async (context) => {
  const scene = await resting(context);
  await scene.ready();
  for (const use of [() => scene.say('Hi.'), () => scene.say('/context'), () => scene.write('half a sen')]) {
    await scene.rest(2);
    await use();
    assert.equal(scene.shown().engine.state, 'ready');
  }
  await scene.rest(2);
  assert.equal(scene.shown().engine.state, 'ready');
  await scene.rest(1);
  assert.equal(scene.shown().engine.state, 'off');
});

test('what happens without the user does not keep it: a changed file, an index, the store’s notice', async (context) => {
  const scene = await resting(context);
  await scene.ready();
  await scene.write('half a sen');
  await scene.rest(2);
  scene.filesChanged();
  scene.show({ notice: 'Nothing can be stored.' });
  scene.show({ index: { files: 1, left: 0, passages: 1, bytes: 1, vectors: null } });
  await scene.indexChanged();
  await scene.rest(1);
  assert.equal(scene.shown().engine.state, 'off');
});

test('a running turn, a compaction and a request that waits are no rest, however long they take', async (context) => {
  const scene = await resting(context);
  await scene.ready();
  const open = scene.engine.hold('generate');
  const sending = scene.say('Slowly.');
  await scene.rest(9);
  assert.deepEqual([scene.shown().running, scene.shown().engine.state], [true, 'ready']);
  open();
  await sending;
  scene.show({ compacting: true });
  await scene.rest(9);
  scene.show({ compacting: false });
  scene.busy.is = true;
  await scene.rest(9);
  assert.equal(scene.shown().engine.state, 'ready');
  scene.busy.is = false;
  await scene.rest(3);
  assert.equal(scene.shown().engine.state, 'off');
});

test('a message that comes while the slots are stored keeps the model, and is answered', async (context) => {
  const scene = await resting(context);
  await scene.say('First.');
  const open = scene.engine.hold('saveSnapshot');
  await scene.rest(3);
  assert.equal(scene.shown().engine.state, 'ready');
  const sending = scene.say('Second.');
  open();
  await sending;
  await settled();
  assert.deepEqual([scene.shown().engine.state, scene.engine.asked.includes('dispose')], ['ready', false]);
  assert.deepEqual(scene.kinds(), ['user', 'answer', 'user', 'answer']);
});

test('a message that comes while the process ends is answered by a new one, which has the place', async (context) => {
  const scene = await resting(context);
  await scene.say('First.');
  const slow = gate();
  scene.engine.dispose = () => slow.closed;
  await scene.rest(3);
  assert.equal(scene.shown().engine.state, 'off');
  await scene.say('Second.');
  slow.open();
  await settled();
  assert.deepEqual(
    [scene.shown().engine.state, scene.model.loaded() !== null, scene.place.lost],
    ['ready', true, false],
  );
});

test('with 0 it stays loaded', async (context) => {
  const scene = await resting(context, 0);
  await scene.ready();
  await scene.rest(500);
  assert.equal(scene.shown().engine.state, 'ready');
});

test('a window that lost the machine’s place gives its model up at its next rest, and asks like any other', async (context) => {
  const scene = await resting(context);
  await scene.say('First.');
  scene.place.lost = true;
  await scene.rest(1);
  assert.equal(scene.shown().engine.message, 'The model is running in another window.');
  assert.deepEqual([scene.shown().engine.actions[0]?.do.type, scene.model.waits()], ['loadHere', true]);
});

test('a conversation that was closed is watched no longer', async (context) => {
  const scene = await resting(context);
  await scene.say('First.');
  const watching = scene.watch({ ...scene.shown(), warming: { done: 1, of: 9 } });
  await scene.rest(4);
  assert.equal(scene.shown().engine.state, 'ready', 'it is being warmed');
  watching.dispose();
  await scene.rest(3);
  assert.equal(scene.shown().engine.state, 'off');
});
