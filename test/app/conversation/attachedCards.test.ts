// The card of an attachment: it says when its text is out of the prompt, and what brings it back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Passage } from '../../../src/core/prompt/found.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
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
  assert.deepEqual(gone[0], ['a.ts (9 lines)', { at: [1], of: 1, tokens: 326 }]);
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

test('the card of what was found counts the passages that went, says their tokens, and brings all of them back', async () => {
  const scene = openScene(['one', 'two', 'three']);
  scene.engine.info = { ...scene.engine.info, erases: true };
  scene.agent({ retrieval: defaultRetrieval });
  let asked = 0;
  scene.editor.find = async () => {
    asked += 1;
    const passages: Passage[] = ['a', 'b'].map((name) => ({
      ...{ kind: 'file', path: `${name}${asked}.ts`, why: 'matches it' },
      stretches: [{ from: 1, lines: [filler(700)] }],
    }));
    return { passages, weak: '' };
  };
  for (const words of ['where is alpha?', 'where is beta?', 'where is gamma?']) await scene.say(words);
  const cards = scene.entries('info').filter(({ title }) => title.startsWith('Found'));
  const [first, second] = cards;
  assert.deepEqual(first?.pruned?.of, 2);
  assert.equal(first?.pruned?.at.length, 2);
  assert.ok((first?.pruned?.tokens ?? 0) > 100, JSON.stringify(first?.pruned));
  assert.equal(second?.pruned?.at.length ?? 0, 1);
  await scene.ask(`/context restore ${first?.pruned?.at.join(',')}`);
  await scene.say('and alpha again?');
  assert.match(scene.sent(), /Restored: Found: a1\.ts[\s\S]*Restored: Found: b1\.ts/);
});
