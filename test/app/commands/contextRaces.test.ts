// `/context` when things happen at the same time: a running answer, a new session, an edit, a busy journal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { memoryStorage } from '../scenes/memory.ts';
import { openScene } from '../scenes/scene.ts';
import { failing } from '../scenes/storeScene.ts';
import { tick } from '../scenes/waiting.ts';

test('a command while an answer runs is answered, and the answer ends as it would', async () => {
  const scene = openScene(['word '.repeat(50)]);
  const sent = scene.say('hi');
  await Promise.all([sent, scene.say('/context list')]);
  assert.deepEqual(scene.kinds().toSorted(), ['answer', 'info', 'user']);
  assert.equal(scene.shown().draft.text, '');
  assert.equal(scene.entries('answer')[0]?.end, 'done');
});

test('an export that fails while an answer runs says so and does not split the answer', async () => {
  const scene = openScene(['word '.repeat(80)]);
  await scene.ready();
  scene.engine.answer('spell', () => Promise.reject(new FaultError({ kind: 'engineFailed', reason: 'no' })));
  let exported: Promise<void> | null = null;
  scene.hear((delta) => {
    if (delta.type === 'text') exported ??= scene.command('/context export json');
  });
  await scene.say('hi');
  await exported;
  assert.deepEqual(scene.kinds(), ['user', 'answer', 'fault']);
  assert.deepEqual(scene.editor.documents, []);
  assert.equal(scene.entries('answer')[0]?.end, 'done');
});

test('a new session while a command waits for the model gets nothing of it', async () => {
  const memory = memoryStorage();
  const first = openScene(['one'], { memory });
  await first.say('hi');
  const scene = openScene([], { memory });
  const load = scene.engine.hold('load');
  const asked = scene.say('/context evict 0');
  scene.newConversation();
  load();
  await asked;
  assert.deepEqual(scene.shown().entries, []);
  assert.equal(memory.stored.marks, undefined);
});

test('a message edited while a command waits does not move the command to another item', async () => {
  const scene = openScene(['one', 'two', 'three']);
  await scene.say('first');
  await scene.say('second');
  const open = scene.engine.hold('measure');
  const asked = scene.say('/context detail 2');
  await tick();
  const edited = scene.edit(scene.message(-1), 'another');
  open();
  await Promise.all([asked, edited]);
  // What was edited may take it away again.
  const told = scene.deltas.flatMap((delta) => (delta.type === 'entry' ? [delta.entry] : []));
  const info = told.find(({ kind }) => kind === 'info');
  assert.ok(info?.kind === 'info' && /As sent:\n```\nsecond\n```/.test(info.text), JSON.stringify(info));
});

test('marks of a busy journal are kept with the next one that works, and the notice goes', async () => {
  const memory = memoryStorage();
  let busy = true;
  const scene = openScene(['one'], { memory, storage: failing(memory, (name) => busy && name === 'setMarks') });
  await scene.say('hi');
  await scene.say('/context pin 0');
  assert.match(scene.shown().notice, /no setMarks/);
  busy = false;
  await scene.say('/context pin 1');
  assert.equal(scene.stored.marks?.pinned.size, 2);
  assert.equal(scene.shown().notice, '');
});
