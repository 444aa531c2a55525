// A conversation without a view: it runs turns, queues and settles with nobody looking, and says in events what happens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { openScene } from '../scenes/scene.ts';
import { openUnseen } from '../scenes/unseen.ts';
import { until } from '../scenes/waiting.ts';

test('a turn runs and the slot is made ready with nobody looking', async () => {
  const scene = openUnseen([{ call: 'echo', arguments: { a: 1 } }, 'It is there.']);
  await scene.say('where is it?');
  assert.deepEqual(
    scene.said().map(({ origin }) => origin),
    ['user', 'call', 'result', 'assistant'],
  );
  assert.deepEqual([scene.running(), scene.calls().length], [false, 2]);
  assert.ok((scene.stack()?.total ?? 0) > 0);
  const seen = scene.events.map(({ type }) => type).filter((type) => !['turn', 'warming', 'slots'].includes(type));
  assert.deepEqual(seen, ['running', 'modelAsked', 'asked', 'called', 'called', 'ended', 'running', 'stack', 'warm']);
});

test('what is sent meanwhile waits, is said to wait, and is sent in its order', async () => {
  const { say, said, events } = openUnseen(['one', 'two', 'three']);
  await Promise.all([say('first'), say('second'), say('third')]);
  const texts = said().flatMap((item) => (item.origin === 'user' ? [item.text] : []));
  assert.deepEqual(texts, ['first', 'second', 'third']);
  const queues = events.flatMap((event) => (event.type === 'queued' ? [event.queue.map(({ text }) => text)] : []));
  assert.deepEqual(queues, [['second'], ['second', 'third'], ['third'], []]);
});

test('a failure is an event, and what waited comes back', async () => {
  const { say, running, events, back } = openUnseen([{ crash: 'so f' }]);
  await Promise.all([say('first'), say('second')]);
  assert.deepEqual([running(), back], [false, ['second']]);
  const failed = events.find((event) => event.type === 'failed');
  assert.equal(failed?.type === 'failed' && failed.canContinue, true);
});

test('what happens in a session that was left concerns nobody, and the turn there still ends', async () => {
  const { say, leave, kept, running, events } = openUnseen(['word '.repeat(40)]);
  const left = kept();
  const turn = say('first');
  await until(() => events.some((event) => event.type === 'turn' && event.event.type === 'text'));
  leave();
  events.length = 0;
  await turn;
  assert.deepEqual(events, []);
  assert.equal(left().at(-1)?.origin, 'assistant');
  assert.equal(running(), false);
});

test('a message that another window kept from the model goes once it is loaded here, unless it was changed by then', async () => {
  const { say, resend, turns, modelElsewhere, back } = openUnseen(['It is there.', 'And here.']);
  modelElsewhere(true);
  await say('where is it?');
  assert.deepEqual([back, turns()], [['where is it?'], 0]);
  modelElsewhere(false);
  await resend();
  assert.deepEqual([back, turns()], [[], 1]);
  modelElsewhere(true);
  await say('and then?');
  modelElsewhere(false);
  back.push('and then what?');
  await resend();
  assert.deepEqual([back.length, turns()], [2, 1]);
});

test('a message without a model is said to have none, and the words are gone once there is one', async () => {
  const scene = openScene(['It is there.']);
  scene.engine.failLoads = new FaultError({ kind: 'noModel' });
  await scene.ready();
  await scene.say('hi');
  assert.deepEqual(scene.kinds(), ['fault']);
  scene.engine.failLoads = null;
  await scene.model.restart();
  assert.deepEqual(scene.kinds(), []);
  await scene.say('hi');
  assert.deepEqual(scene.kinds(), ['user', 'answer']);
});
