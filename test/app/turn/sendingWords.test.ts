// No words of the user are lost, and none are said in another session, whatever happens while they wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { memoryStorage } from '../scenes/memory.ts';
import { openScene } from '../scenes/scene.ts';
import { failing } from '../scenes/storeScene.ts';
import { gate, tick } from '../scenes/waiting.ts';

test('New Session takes what waited for the answer along in the composer', async () => {
  const scene = openScene(['word '.repeat(50)]);
  const first = scene.say('first');
  await scene.say('second');
  await scene.say('third');
  scene.newConversation();
  assert.equal(scene.shown().draft.text.endsWith('second\n\nthird'), true, scene.shown().draft.text);
  await first;
  assert.deepEqual([scene.shown().queue, scene.shown().entries], [[], []]);
});

test('so does the command /new', async () => {
  const scene = openScene(['word '.repeat(50)]);
  const first = scene.say('first');
  await scene.say('second');
  await scene.say('/new');
  await first;
  assert.match(scene.shown().draft.text, /second$/);
});

test('words that come back have a number of their own in every session, and wait for a view that is hidden', async () => {
  const scene = openScene();
  await scene.say('/words');
  const { id } = scene.shown().draft;
  scene.newConversation();
  assert.equal(scene.shown().draft.text, '/words');
  await scene.say('/more');
  assert.notEqual(scene.shown().draft.id, id);
});

test('what could not be sent and what waited behind it come back at once', async () => {
  const scene = openScene();
  const load = scene.engine.hold('load');
  const first = scene.say('first');
  await scene.say('second');
  const { id } = scene.shown().draft;
  scene.stop();
  await first;
  assert.deepEqual(scene.shown().draft, { id: id + 1, text: 'first\n\nsecond' });
  load();
});

/** A chat whose prompt files come when they are let. */
function slowPrompts(answers: string[], text = 'Mind the tide.') {
  const scene = openScene(answers);
  const { closed, open: read } = gate();
  scene.editor.promptFiles = () => closed.then(() => [{ name: 'tide', text }]);
  return { ...scene, read };
}

test('a prompt that is read while another session is opened is not said there', async () => {
  const scene = slowPrompts(['One.', 'Two.']);
  const sent = scene.say('/tide');
  scene.newConversation();
  scene.read();
  await sent;
  assert.deepEqual(scene.kinds(), []);
  assert.equal(scene.shown().draft.text, '/tide');
});

test('an edit to a prompt that is read while another session is opened cuts nothing there', async () => {
  const scene = slowPrompts(['One.', 'Two.']);
  await scene.say('first');
  const edited = scene.edit(scene.message(0), '/tide');
  scene.newConversation();
  await scene.say('other');
  scene.read();
  await edited;
  assert.deepEqual(scene.kinds(), ['user', 'answer']);
  assert.deepEqual(
    scene.said().map(({ origin }) => origin),
    ['user', 'assistant'],
  );
});

test('a waiting prompt that cannot be used gives back what waits behind it', async () => {
  const scene = slowPrompts(['One.'], '{{#arguments}}');
  const first = scene.say('first');
  await scene.say('/tide');
  await scene.say('last');
  scene.read();
  await first;
  assert.deepEqual(scene.shown().queue, []);
  assert.equal(scene.shown().draft.text, '/tide\n\nlast');
  assert.equal(scene.shown().running, false);
});

test('what a prompt was called comes back, not its long words, when it cannot be sent', async () => {
  const scene = openScene();
  const load = scene.engine.hold('load');
  const sent = scene.say('/explain this');
  await tick();
  scene.stop();
  await sent;
  assert.equal(scene.shown().draft.text, '/explain this');
  load();
});

test('what a full disk kept from being remembered comes back', async () => {
  const scene = openScene([], { storage: failing(memoryStorage(), (name) => name === 'putMemory') });
  await scene.say('/remember the tide turns at six');
  assert.deepEqual(scene.kinds(), ['fault']);
  assert.equal(scene.shown().draft.text, '/remember the tide turns at six');
});

test('what is written while another message waits keeps its cost and its mentions when that one is sent', async () => {
  const scene = openScene(['One.', 'Two.']);
  scene.editor.resolve = async () => ({ ok: true, head: 'a.ts', body: 'text' });
  const first = scene.say('first');
  await scene.say('second');
  await scene.write('third with @file:a.ts');
  await first;
  assert.deepEqual(
    scene.shown().mentions.map(({ title }) => title),
    ['a.ts'],
  );
  assert.notEqual(scene.shown().forecast, null);
});

test('what a command answered while the model was loading stays when that fails', async () => {
  const scene = openScene();
  const load = scene.engine.hold('load');
  scene.engine.failLoads = new FaultError({ kind: 'engineFailed', reason: 'no' });
  const sent = scene.say('first');
  await scene.say('/help');
  assert.deepEqual(scene.kinds(), ['user', 'info']);
  load();
  await sent;
  assert.deepEqual(scene.kinds(), ['info', 'fault']);
  assert.equal(scene.shown().draft.text, 'first');
});
