// A conversation goes on with another model: it is said once, before its first answer, and again when the conversation is opened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScene } from '../scenes/scene.ts';
import { storeFor } from '../scenes/storeScene.ts';

test('a change of the model is named where it happened, and a conversation that keeps its model says nothing', async (context) => {
  const scene = openScene(['One.', 'Two.', 'Three.', 'Four.'], { storage: await storeFor(context) });
  const shown = () => scene.shown().entries.map((entry) => (entry.kind === 'info' ? entry.title : entry.kind));
  await scene.say('First?');
  await scene.say('Second?');
  assert.deepEqual(shown(), ['user', 'answer', 'user', 'answer']);
  scene.engine.info = { ...scene.engine.info, fingerprint: 'f2', name: 'Other' };
  await scene.model.restart();
  await scene.say('Third?');
  await scene.say('Fourth?');
  assert.deepEqual(shown().slice(4), ['user', 'Other answers from here on', 'answer', 'user', 'answer']);
  const id = scene.id();
  scene.newConversation();
  assert.equal(scene.openConversation(id), null);
  assert.deepEqual(shown().slice(4), ['user', 'Another model answered from here on', 'answer', 'user', 'answer']);
});
