// Answers to a message that was asked again, as the view shows them: each can be gone back to, and the conversation goes on from it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScene, type Scene } from '../scenes/scene.ts';

/** The texts, and the place of each answer among its branches. */
const shown = (scene: Scene) => [
  scene.texts(),
  scene.entries('answer').map(({ branch }) => (branch === undefined ? '' : `${branch.at}/${branch.of}`)),
];

async function asked() {
  const scene = openScene(['first', 'second', 'third', 'on from one', 'after']);
  await scene.say('Which?');
  await scene.regenerate();
  await scene.regenerate();
  return { scene, message: scene.message(0) };
}

test('an answer that was asked for three times is the third of three, and the others are one step away', async () => {
  const { scene, message } = await asked();
  assert.deepEqual(shown(scene), [['Which?', 'third'], ['3/3']]);
  await scene.openBranch(message, 1);
  assert.deepEqual(shown(scene), [['Which?', 'first'], ['1/3']]);
  await scene.openBranch(message, 2);
  assert.deepEqual(scene.texts(), ['Which?', 'second']);
  await scene.openBranch(message, 4);
  await scene.openBranch('nobody', 1);
  assert.deepEqual(scene.texts(), ['Which?', 'second']);
});

test('the conversation goes on from the branch that is shown, and coming back to it shows what was added', async () => {
  const { scene, message } = await asked();
  await scene.openBranch(message, 1);
  await scene.say('And then?');
  const sent = scene.sent();
  assert.ok(sent.includes('first') && !sent.includes('third'));
  await scene.openBranch(message, 3);
  assert.deepEqual(scene.texts(), ['Which?', 'third']);
  await scene.openBranch(message, 1);
  assert.deepEqual(shown(scene), [
    ['Which?', 'first', 'And then?', 'on from one'],
    ['1/3', ''],
  ]);
});

test('a window that comes back shows the branch that was shown', async () => {
  const { scene, message } = await asked();
  await scene.openBranch(message, 2);
  const again = openScene([], { memory: scene.memory });
  again.resume();
  assert.deepEqual(shown(again), [['Which?', 'second'], ['2/3']]);
});

test('while an answer is written no other branch is opened', async () => {
  const { scene, message } = await asked();
  const running = scene.say('And then?');
  await scene.openBranch(message, 1);
  await running;
  assert.deepEqual(scene.texts(), ['Which?', 'third', 'And then?', 'on from one']);
});
