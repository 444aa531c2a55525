// A session that is opened again: while its turn is still ending, and with another window than it had.
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

test('a stored conversation whose model has another window loses nothing, and its prompt fits', async (context) => {
  const store = await storeFor(context);
  const answers = Array.from({ length: 8 }, (_, n) => `${n} ${'word '.repeat(120)}`);
  const before = openScene(answers.slice(0, 6), { storage: store });
  before.engine.info = { ...before.engine.info, contextSize: 8192 };
  for (let n = 0; n < 6; n++) await before.say(`question ${n} ${'tide '.repeat(120)}`);
  const items = () => store.sessions.session(id)?.dialog.items.length ?? 0;
  const id = before.id();
  before.dispose();
  const had = items();
  for (const [n, contextSize] of [2048, 16_384].entries()) {
    const after = openScene([answers[6 + n] ?? ''], { storage: store });
    after.engine.info = { ...after.engine.info, contextSize };
    after.resume();
    assert.equal(after.id(), id);
    await after.say('and now?');
    const { stack } = after.shown();
    assert.ok(stack !== null && stack.budget.window === contextSize && stack.total <= stack.budget.high);
    assert.equal(items(), had + 2 * (n + 1));
    const [first] = after.state().dialog.path;
    assert.match(first !== undefined && 'text' in first ? first.text : '', /^question 0/);
    after.dispose();
  }
});
