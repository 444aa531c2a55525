// The chat when things happen at the same time, or are cut off: loading, stopping, new sessions, crashes, a busy journal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { memoryStorage } from '../scenes/memory.ts';
import { openScene } from '../scenes/scene.ts';
import { failing } from '../scenes/storeScene.ts';

test('a question shows while the model loads, and Stop gives its words back at once', async () => {
  const scene = openScene();
  const load = scene.engine.hold('load');
  const sent = scene.say('while loading');
  assert.deepEqual(scene.kinds(), ['user']);
  scene.stop();
  await sent;
  assert.deepEqual(scene.kinds(), []);
  assert.equal(scene.shown().draft.text, 'while loading');
  assert.equal(scene.shown().running, false);
  load();
});

test('New Session while a question waits for the model leaves the old session as it was', async () => {
  const scene = openScene(['one']);
  await scene.say('first');
  const load = scene.engine.hold('load');
  const sent = scene.say('second');
  scene.newConversation();
  load();
  await sent;
  assert.deepEqual(scene.shown().entries, []);
  assert.equal(scene.stored.items.length, 2);
});

test('a load that is no longer wanted does not speak, and the new one is loaded once', async () => {
  const scene = openScene(['yes']);
  const load = scene.engine.hold('load');
  const first = scene.ready();
  scene.wanted.load = { ...scene.wanted.load, contextSize: 1024 };
  const second = scene.ready();
  load();
  await Promise.all([first, second]);
  assert.equal(scene.shown().engine.state, 'ready');
  assert.equal(scene.engine.times('load'), 2);
  assert.equal(scene.engine.times('dispose'), 1);
});

test('after a crash in an answer nothing idle runs before the restart, and no notice stays', async () => {
  const scene = openScene([{ crash: 'The' }]);
  await scene.say('hi');
  assert.equal(scene.engine.asked.at(-1), 'generate');
  assert.equal(scene.shown().notice, '');
});

test('a turn cut off by the end of the window is closed when its session comes back', () => {
  const cut: Item[] = [
    { origin: 'user', id: 'a', parent: null, text: 'hi' },
    { origin: 'call', id: 'b', parent: 'a', text: '', calls: [{ id: 'c1', name: 'echo', arguments: {} }] },
  ];
  const scene = openScene([], { memory: memoryStorage({ items: [...cut], sessions: ['s'] }) });
  assert.deepEqual(
    scene.stored.items.map(({ origin }) => origin),
    ['user', 'call', 'result', 'assistant'],
  );
  assert.ok(scene.shown().entries.every((entry) => entry.kind !== 'step' || entry.state === 'failed'));
});

test('an item that could not be stored is stored before the next one', async () => {
  const memory = memoryStorage();
  let busy = 1;
  const storage = failing(memory, (name) => name === 'appendItem' && busy-- > 0);
  const scene = openScene(['yes'], { memory, storage });
  await scene.say('hi');
  assert.deepEqual(
    scene.stored.items.map(({ origin }) => origin),
    ['user', 'assistant'],
  );
  assert.equal(scene.shown().notice, '');
});

test('an edit without words, or while an answer runs, changes nothing and loses no words', async () => {
  const scene = openScene(['one', 'word '.repeat(50)]);
  await scene.say('first');
  const first = scene.message(0);
  await scene.edit(first, '  ');
  assert.deepEqual(scene.kinds(), ['user', 'answer']);
  const running = scene.say('second');
  await scene.edit(first, 'edited');
  assert.equal(scene.shown().draft.text, 'edited');
  await running;
  assert.deepEqual(scene.kinds(), ['user', 'answer', 'user', 'answer']);
});

test('a window without folders begins a new session and resumes none', async () => {
  const items: Item[] = [{ origin: 'user', id: 'a', parent: null, text: 'other window' }];
  const scene = openScene([], { memory: memoryStorage({ items, sessions: ['s'] }), folders: [] });
  assert.notEqual(scene.id(), 's');
  assert.deepEqual(scene.shown().entries, []);
});
