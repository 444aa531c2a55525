// The card of an attachment: it says when its text is out of the prompt, and what brings it back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filler, openScene } from '../scenes/scene.ts';

async function withFiles(count: number) {
  const names = Array.from({ length: count }, (_, at) => `${'abcdefg'[at]}.ts`);
  const scene = openScene([...names, 'last', 'last'].map((name) => `About ${name}.`));
  scene.editor.resolve = async ({ name }) => ({ ok: true, head: `${name} (9 lines)`, body: filler(1300) });
  for (const name of names) await scene.say(`What is @file:${name}?`);
  const pruned = () =>
    scene.entries('info').flatMap(({ title, pruned: at }) => (at === undefined ? [] : [[title, at]]));
  return { scene, pruned };
}

test('a card says that its file went, with the number that brings it back, and the last two never say so', async () => {
  const { scene, pruned } = await withFiles(6);
  const gone = pruned();
  assert.ok(gone.length > 0 && gone.length <= 4, JSON.stringify(gone));
  assert.deepEqual(gone[0], ['a.ts (9 lines)', 1]);
  assert.match(await scene.ask('/context restore 1'), /^Restored with your next message/);
  await scene.say('And a.ts?');
  assert.ok(
    pruned().every(([title]) => title !== 'a.ts (9 lines)'),
    JSON.stringify(pruned()),
  );
});

test('while there is room no card says so, and a conversation that is opened again says the same', async () => {
  const { scene, pruned } = await withFiles(3);
  assert.deepEqual(pruned(), []);
  const longer = await withFiles(6);
  const before = longer.pruned();
  const { session } = longer.scene.shown();
  longer.scene.newConversation();
  assert.equal(await longer.scene.openConversation(session), null);
  await longer.scene.ready();
  assert.deepEqual(longer.pruned(), before);
  assert.equal(scene.kinds().filter((kind) => kind === 'info').length, 3);
});
