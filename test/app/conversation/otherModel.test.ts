// A conversation goes on with another model: it is said once, before its first answer, and again when the conversation is opened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChat } from '../scenes/openChat.ts';
import { storeFor } from '../scenes/storeScene.ts';

test('a change of the model is named where it happened, and a conversation that keeps its model says nothing', async (context) => {
  const { chat, engine, life } = openChat(['One.', 'Two.', 'Three.', 'Four.'], await storeFor(context));
  const shown = () => chat.snapshot.entries.map((entry) => (entry.kind === 'info' ? entry.title : entry.kind));
  await chat.send('First?');
  await chat.send('Second?');
  assert.deepEqual(shown(), ['user', 'answer', 'user', 'answer']);
  engine.info = { ...engine.info, fingerprint: 'f2', name: 'Other' };
  await life.restart();
  await chat.send('Third?');
  await chat.send('Fourth?');
  assert.deepEqual(shown().slice(4), ['user', 'Other answers from here on', 'answer', 'user', 'answer']);
  const { id } = chat.session;
  chat.newSession();
  assert.equal(chat.openSession(id), null);
  assert.deepEqual(shown().slice(4), ['user', 'Another model answered from here on', 'answer', 'user', 'answer']);
});
