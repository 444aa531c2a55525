// A session that is left and opened again while its turn is still ending: what is stored is what is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChat } from '../scenes/openChat.ts';
import { storeFor } from '../scenes/storeScene.ts';

test('a turn that ends after its session was opened anew writes nothing more into it', async (context) => {
  const store = await storeFor(context);
  const { chat } = openChat(['One.', 'There.', 'word '.repeat(50), 'Three.'], store);
  await chat.send('first');
  const { id } = chat.session;
  chat.newSession();
  await chat.send('elsewhere');
  const other = chat.session.id;
  assert.equal(chat.openSession(id), null);
  const sent = chat.send('second');
  while (!chat.snapshot.entries.some((entry) => entry.kind === 'answer' && entry.end === 'running'))
    await new Promise((resolve) => setImmediate(resolve));
  assert.equal(chat.openSession(other), null);
  assert.equal(chat.openSession(id), null);
  await sent;
  const shown = () => chat.session.state.dialog.items.map((item) => item.id);
  assert.deepEqual(
    store.sessions.session(id)?.dialog.items.map((item) => item.id),
    shown(),
  );
  await chat.send('third');
  assert.deepEqual(
    store.sessions.session(id)?.dialog.items.map((item) => item.id),
    shown(),
  );
  assert.equal(store.sessions.reports(id).length, 2, 'of the first turn and the third');
});
