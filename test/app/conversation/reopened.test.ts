// A session that is left and opened again while its turn is still ending: what is stored is what is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dialog } from '../../../src/core/dialog/dialog.ts';
import { openScene } from '../scenes/scene.ts';
import { storeFor } from '../scenes/storeScene.ts';

test('a turn that ends after its session was opened anew writes nothing more into it', async (context) => {
  const store = await storeFor(context);
  const scene = openScene(['One.', 'There.', 'word '.repeat(50), 'Three.'], { storage: store });
  await scene.say('first');
  const id = scene.id();
  scene.newConversation();
  await scene.say('elsewhere');
  const other = scene.id();
  assert.equal(scene.openConversation(id), null);
  const sent = scene.say('second');
  await scene.answering();
  assert.equal(scene.openConversation(other), null);
  assert.equal(scene.openConversation(id), null);
  await sent;
  const ids = (of: Pick<Dialog, 'items'> | undefined) => of?.items.map((item) => item.id);
  assert.deepEqual(ids(store.sessions.session(id)?.dialog), ids(scene.state().dialog));
  await scene.say('third');
  assert.deepEqual(ids(store.sessions.session(id)?.dialog), ids(scene.state().dialog));
  assert.equal(store.sessions.reports(id).length, 2, 'of the first turn and the third');
});
