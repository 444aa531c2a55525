// Two engines in one conversation: which node asks which, each with its own window, slots and counts; what the view shows; what ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { decline } from '../../../src/core/model/model.ts';
import { openEngines } from '../scenes/scene.ts';
import { goodSummary, server } from '../scenes/scriptedModel.ts';

const looking = [{ do: 'decide', engine: 'small' }, { do: 'answer' }] as const;
const look = { call: 'echo', arguments: { a: 1 } };

test('one engine looks up and the other answers, each in its own window, and every call says whose it was', async () => {
  const scene = openEngines(looking, ['It is there.'], [look, decline]);
  await scene.say('Where is it?');
  assert.deepEqual(
    scene.said().map(({ origin }) => origin),
    ['user', 'call', 'result', 'assistant'],
  );
  assert.deepEqual([scene.small.prompts.length, scene.prompts.length], [2, 1]);
  assert.deepEqual([scene.small.prompts[0]?.tools.length, scene.prompts[0]?.tools.length], [1, 0]);
  assert.deepEqual(
    scene.shown().calls.map(({ node, model }) => [node, model]),
    [
      ['decide', 'small'],
      ['decide', 'small'],
      ['answer', 'large (desk.example)'],
    ],
  );
  assert.equal(scene.shown().stack?.budget.window, 4096);
  const answer = scene.said().at(-1);
  assert.equal(answer?.origin === 'assistant' && answer.generated?.model, 'l');
});

test('both are made ready while the user reads, in slots of their own', async () => {
  const scene = openEngines(looking, ['It is there.'], [decline]);
  assert.equal(scene.smallestWindow(), null);
  await scene.say('Where is it?');
  assert.equal(scene.smallestWindow(), 2048, 'what a draft would bring must fit into the smaller one');
  assert.deepEqual([scene.engine.times('warm'), scene.small.times('warm')], [1, 1]);
  assert.deepEqual(
    ['desk', 'small'].map((name) => scene.slots(name).map(({ slot, node }) => [slot, node])),
    [[[0, 1]], [[0, 0]]],
  );
  assert.deepEqual(
    scene.shown().slots.map(({ model }) => model),
    ['large (desk.example)', 'small'],
  );
});

test('the view shows the model that answers, the other one beside it, and where either runs', async () => {
  const scene = openEngines(looking, ['It is there.'], [decline]);
  await scene.say('Where is it?');
  const { engine, beside } = scene.shown();
  assert.deepEqual([engine.model?.name, engine.model?.server], ['large', server]);
  assert.deepEqual(
    beside.map(({ state, model }) => [state, model?.name, model?.server]),
    [['ready', 'small', null]],
  );
});

test('where the other model cannot be loaded the message says so, and is not lost', async () => {
  const scene = openEngines(looking);
  scene.small.failLoads = new FaultError({ kind: 'noModel' });
  await scene.say('Where is it?');
  assert.equal(scene.kinds().at(-1), 'fault');
  assert.equal(scene.shown().draft.text, 'Where is it?');
  assert.deepEqual(
    scene.shown().beside.map(({ state }) => state),
    ['failed'],
  );
  assert.deepEqual(scene.prompts, []);
});

test('summaries are written by the engine that the agent names for them, which takes a slot only meanwhile', async () => {
  const scene = openEngines([{ do: 'act' }, { do: 'summarise', engine: 'small' }]);
  scene.small.summarise = goodSummary;
  scene.small.info = { ...scene.small.info, contextSize: 4096 };
  await scene.talk();
  assert.deepEqual([scene.state().compactions[0]?.outcome, scene.state().compactions[0]?.reason], ['ok', '']);
  assert.deepEqual([scene.summaryPrompts.length, scene.small.summaryPrompts.length], [0, 1]);
  assert.deepEqual(scene.slots('small'), []);
});

test('an agent on another engine moves its conversation there, and back', async () => {
  const scene = openEngines([{ do: 'act' }], ['Large.', 'Large again.'], ['Small.']);
  await scene.say('One?');
  scene.agent({ name: 'small', engine: 'small' });
  await scene.chooseAgent('small');
  assert.deepEqual([scene.shown().engine.model?.name, scene.shown().beside], ['small', []]);
  await scene.write('12345678');
  assert.equal(scene.shown().forecast?.own, '12345678'.length, 'the draft is counted by the model that will read it');
  await scene.say('Two?');
  scene.agent({ name: 'default', engine: null });
  await scene.chooseAgent('large');
  await scene.say('Three?');
  assert.deepEqual([scene.prompts.length, scene.small.prompts.length], [2, 1]);
  const last = scene.sent().split('\n');
  assert.ok(last.includes('Large.') && last.includes('Small.'), 'all that was said stands in the prompt');
});

test('an engine that no agent names any more ends, and so does one that is the one for all by now', async () => {
  const scene = openEngines(looking, ['One.', 'Two.'], [decline, decline]);
  const ends = () => scene.small.times('dispose');
  await scene.say('Where is it?');
  assert.equal(ends(), 0);
  scene.engines.named.clear();
  scene.agent({ graph: null });
  await scene.ready();
  assert.deepEqual([ends(), scene.engineCount(), scene.shown().beside], [1, 1, []]);
  scene.modelOf('small');
  scene.engines.main = 'small';
  await scene.ready();
  assert.deepEqual([ends(), scene.engineCount()], [2, 1]);
});
