// Two engines in one conversation: which node asks which, each with its own window, slots and counts; what the view shows; what ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { decline } from '../../../src/core/model/model.ts';
import { conversation } from '../scenes/foldScene.ts';
import { goodSummary } from '../scenes/longChat.ts';
import { server, twoEngines } from '../scenes/twoEngines.ts';

const looking = [{ do: 'decide', engine: 'small' }, { do: 'answer' }] as const;
const look = { call: 'echo', arguments: { a: 1 } };

test('one engine looks up and the other answers, each in its own window, and every call says whose it was', async () => {
  const { chat, engine, small } = await twoEngines(looking, ['It is there.'], [look, decline]);
  await chat.send('Where is it?');
  assert.deepEqual(
    chat.session.state.dialog.path.map(({ origin }) => origin),
    ['user', 'call', 'result', 'assistant'],
  );
  assert.deepEqual([small.prompts.length, engine.prompts.length], [2, 1]);
  assert.deepEqual([small.prompts[0]?.tools.length, engine.prompts[0]?.tools.length], [1, 0]);
  assert.deepEqual(
    chat.snapshot.calls.map(({ node, model }) => [node, model]),
    [
      ['decide', 'small'],
      ['decide', 'small'],
      ['answer', 'large (desk.example)'],
    ],
  );
  assert.equal(chat.snapshot.stack?.budget.window, 4096);
  const answer = chat.session.state.dialog.path.at(-1);
  assert.equal(answer?.origin === 'assistant' && answer.generated?.model, 'l');
});

test('both are made ready while the user reads, in slots of their own', async () => {
  const { chat, engine, small, together } = await twoEngines(looking, ['It is there.'], [decline]);
  assert.equal(chat.engines.window, null);
  await chat.send('Where is it?');
  assert.equal(chat.engines.window, 2048, 'what a draft would bring must fit into the smaller one');
  const warmed = [engine, small].map(({ log }) => log.filter((name) => name === 'warm').length);
  assert.deepEqual(warmed, [1, 1]);
  assert.deepEqual(
    ['desk', 'small'].map((name) =>
      together.engines.of(name).snapshots.slots.all.map(({ slot, node }) => [slot, node]),
    ),
    [[[0, 1]], [[0, 0]]],
  );
  assert.deepEqual(
    chat.snapshot.slots.map(({ model }) => model),
    ['large (desk.example)', 'small'],
  );
});

test('the view shows the model that answers, the other one beside it, and where either runs', async () => {
  const { chat } = await twoEngines(looking, ['It is there.'], [decline]);
  await chat.send('Where is it?');
  const { engine, beside } = chat.snapshot;
  assert.deepEqual([engine.model?.name, engine.model?.server], ['large', server]);
  assert.deepEqual(
    beside.map(({ state, model }) => [state, model?.name, model?.server]),
    [['ready', 'small', null]],
  );
});

test('where the other model cannot be loaded the message says so, and is not lost', async () => {
  const { chat, engine, small } = await twoEngines(looking, [], []);
  small.failLoads = new FaultError({ kind: 'noModel' });
  await chat.send('Where is it?');
  assert.equal(chat.snapshot.entries.at(-1)?.kind, 'fault');
  assert.equal(chat.snapshot.draft.text, 'Where is it?');
  assert.deepEqual(
    chat.snapshot.beside.map(({ state }) => state),
    ['failed'],
  );
  assert.deepEqual(engine.prompts, []);
});

test('summaries are written by the engine that the agent names for them, which takes a slot only meanwhile', async () => {
  const scene = await twoEngines([{ do: 'act' }, { do: 'summarise', engine: 'small' }], [], []);
  const { chat, engine, small, together } = scene;
  small.summarise = goodSummary;
  small.info = { ...small.info, contextSize: 4096 };
  await conversation(scene);
  assert.deepEqual([chat.session.state.folds[0]?.outcome, chat.session.state.folds[0]?.reason], ['ok', '']);
  assert.deepEqual([engine.folds.length, small.folds.length], [0, 1]);
  assert.deepEqual(together.engines.of('small').snapshots.slots.all, []);
});

test('an agent on another engine moves its conversation there, and back', async () => {
  const { chat, engine, small, settings } = await twoEngines([{ do: 'act' }], ['Large.', 'Large again.'], ['Small.']);
  const agents = { large: settings.agent, small: { ...settings.agent, name: 'small', engine: 'small' } };
  await chat.send('One?');
  settings.agent = agents.small;
  await chat.choose({ agent: 'small' });
  assert.deepEqual([chat.snapshot.engine.model?.name, chat.snapshot.beside], ['small', []]);
  await chat.draft.written('12345678');
  assert.equal(chat.snapshot.forecast?.own, '12345678'.length, 'the draft is counted by the model that will read it');
  await chat.send('Two?');
  settings.agent = agents.large;
  await chat.choose({ agent: 'large' });
  await chat.send('Three?');
  assert.deepEqual([engine.prompts.length, small.prompts.length], [2, 1]);
  const last = engine.prompts.at(-1)?.messages.flatMap(({ segments }) => segments.map(({ text }) => text)) ?? [];
  assert.ok(
    ['Large.', 'Small.'].every((text) => last.includes(text)),
    'all that was said stands in the prompt',
  );
});

test('an engine that no agent names any more ends, and so does one that is the one for all by now', async () => {
  const scene = await twoEngines(looking, ['One.', 'Two.'], [decline, decline]);
  const { chat, small, named, together, rename, settings } = scene;
  const ends = () => small.log.filter((name) => name === 'dispose').length;
  await chat.send('Where is it?');
  assert.equal(ends(), 0);
  named.clear();
  const { graph: _, ...agent } = settings.agent;
  settings.agent = { ...agent, graph: null };
  await chat.open();
  assert.deepEqual([ends(), together.engines.all.length, chat.snapshot.beside], [1, 1, []]);
  together.engines.of('small');
  rename('small');
  await chat.open();
  assert.deepEqual([ends(), together.engines.all.length], [2, 1]);
});
