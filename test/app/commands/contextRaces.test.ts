// `/context` when things happen at the same time: a running answer, a new session, an edit, a busy journal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { decline } from '../../../src/core/model/model.ts';
import { memoryStorage } from '../scenes/memory.ts';
import { openEngines, openScene } from '../scenes/scene.ts';
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

/** A window whose model is loading, with a conversation of one turn. */
async function openLoading() {
  const memory = memoryStorage();
  await openScene(['one'], { memory }).say('hi');
  const scene = openScene([], { memory });
  const load = scene.engine.hold('load');
  const opened = scene.ready();
  const loaded = () => {
    load();
    return opened;
  };
  await tick();
  return { ...scene, loaded };
}

test('what is decided about an item while the model loads is done and shown at once, with the estimate', async () => {
  const scene = await openLoading();
  const shown = () => scene.shown().stack?.decisions[0]?.state;
  assert.match(await scene.ask('/context list'), /^\| # [\s\S]*\| 0 \| You: hi \|/);
  assert.match(await scene.ask('/context pin 0'), /^Pinned/);
  assert.equal(scene.shown().stack?.decisions[0]?.pinned, true);
  assert.match(await scene.ask('/context remove 0'), /^Removed from the next message on/);
  assert.equal(scene.stored.marks?.evicted.size, 1);
  assert.equal(scene.shown().engine.state, 'loading');
  await scene.loaded();
  assert.equal(shown(), 'trimmed');
});

test('a model that was unloaded is not loaded to show the context', async () => {
  const scene = openScene(['one']);
  await scene.say('hi');
  await scene.model.unload(5);
  scene.engine.asked.length = 0;
  for (const line of ['/context', '/context list', '/context detail 0', '/context remove 0', '/pin', '/context help'])
    assert.notEqual(await scene.ask(line), '', line);
  await scene.say('/context metrics');
  assert.match(scene.document(), /^# HELP tidemark_/);
  assert.deepEqual([scene.engine.asked, scene.shown().engine.state], [[], 'off']);
});

test('neither is another model that a node runs on', async () => {
  const scene = openEngines([{ do: 'decide', engine: 'small' }, { do: 'answer' }], ['One.'], [decline]);
  await scene.say('hi');
  await scene.modelOf('small').unload(5);
  scene.small.asked.length = 0;
  assert.match(await scene.ask('/context remove 0'), /^Removed from the next message on/);
  assert.deepEqual(scene.small.asked, []);
});

test('a command that needs the model waits for it among the queued messages, and answers then', async () => {
  const scene = await openLoading();
  const exported = scene.say('/context export json');
  const asked = scene.command('/context whatif 1024');
  assert.deepEqual(
    scene.shown().queue.map(({ text }) => text),
    ['/context export json', '/context whatif 1024'],
  );
  await scene.loaded();
  await Promise.all([exported, asked]);
  assert.deepEqual(scene.shown().queue, []);
  assert.match(scene.told(), /^Simulated from the first message/);
  assert.match(scene.document(), /^\{/);
});

test('a command that is taken back while it waits returns to the composer, and nothing comes of it', async () => {
  const scene = await openLoading();
  const asked = scene.say('/context export json');
  assert.equal(scene.shown().draft.text, '');
  scene.takeBack(0);
  await asked;
  assert.deepEqual([scene.shown().draft.text, scene.shown().queue], ['/context export json', []]);
  await scene.loaded();
  assert.deepEqual([scene.kinds(), scene.editor.documents], [['user', 'answer'], []]);
});

test('messages go past a command that waits, and those that are given back leave it waiting', async () => {
  const scene = await openLoading();
  const asked = scene.say('/context export json');
  const turn = scene.say('second');
  await scene.say('third');
  scene.stop();
  await turn;
  assert.equal(scene.shown().draft.text, 'second\n\nthird');
  assert.deepEqual(
    scene.shown().queue.map(({ text }) => text),
    ['/context export json'],
  );
  await scene.loaded();
  await asked;
  assert.match(scene.document(), /^\{/);
});

test('a new session while a command waits for the model gets nothing of it', async () => {
  const scene = await openLoading();
  const asked = scene.say('/context export json');
  scene.newConversation();
  assert.deepEqual(scene.shown().queue, []);
  await scene.loaded();
  await asked;
  assert.deepEqual([scene.shown().entries, scene.editor.documents, scene.shown().draft.text], [[], [], '']);
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
  // The edit may take the answer of the command away again, so it is looked for in all deltas.
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
