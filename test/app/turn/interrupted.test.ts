// An answer that its window or its process did not survive: what was on the screen stands there again and can be continued.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../../src/store/store.ts';
import { openScene, type Scene } from '../scenes/scene.ts';
import { fileFor } from '../scenes/storeScene.ts';
import { until } from '../scenes/waiting.ts';

const lastText = (scene: Scene) => {
  const entry = scene.shown().entries.at(-1);
  return entry?.kind === 'answer' ? entry.text : '';
};
const written = (scene: Scene, characters: number) => until(() => lastText(scene).length >= characters);

test('a window that closes while an answer is written keeps all of its words', async (context) => {
  const file = fileFor(context);
  const store = await openStore(file);
  const scene = openScene(['word '.repeat(400)], { storage: store });
  const sent = scene.say('Tell me about tides.');
  await written(scene, 600);
  const shown = lastText(scene);
  const end = scene.ending(() => store.close());
  // The editor calls the one, and disposes of the other at once.
  await Promise.all([end(), end()]);
  await sent;
  const again = openScene([], { storage: await openStore(file), name: 'next' });
  const [answer] = again.entries('answer');
  assert.ok(answer?.text.startsWith(shown.trimEnd()) === true);
  assert.equal(answer.end, 'interrupted');
});

test('a process that dies while it writes leaves the words of the last second, as interrupted', async (context) => {
  const file = fileFor(context);
  const store = await openStore(file);
  const scene = openScene(['word '.repeat(400)], { storage: store });
  const { now } = performance;
  let seconds = 0;
  context.mock.method(performance, 'now', () => now.call(performance) + seconds * 1000);
  const sent = scene.say('Tell me about tides.');
  await written(scene, 300);
  seconds = 2;
  const before = lastText(scene);
  await written(scene, before.length + 20);
  // Another process opens the file, as it would after a kill, and finds that the first one is gone.
  const other = await openStore(file);
  other.leases.release(`session:${scene.id()}`, scene.holder);
  const again = openScene(['Go on.'], { storage: other, name: 'next' });
  const [answer] = again.entries('answer');
  assert.ok(answer !== undefined && answer.text.length >= before.length, JSON.stringify(answer));
  assert.equal(answer.end, 'interrupted');
  assert.equal(again.said().at(-1)?.origin, 'assistant');
  await again.say('Continue.');
  assert.equal(lastText(again), 'Go on.');
  scene.stop();
  await sent;
  other.close();
  store.close();
});

test('words of an answer that was finished since count no more', async (context) => {
  const file = fileFor(context);
  const store = await openStore(file);
  const scene = openScene(['One answer, whole.', 'Two.'], { storage: store });
  await scene.say('first');
  await scene.say('second');
  scene.dispose();
  store.close();
  const again = openScene([], { storage: await openStore(file), name: 'next' });
  assert.deepEqual(again.answers(), ['One answer, whole.', 'Two.']);
});
