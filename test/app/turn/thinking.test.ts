// The switch for thinking, from the settings and the button to what the model is asked: only where its template has one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThinkingSwitch } from '../../../src/core/model/thinking.ts';
import type { GenerateParams } from '../../../src/protocol/engine.ts';
import { openScene } from '../scenes/scene.ts';
import { ableModels, ableNature, modelInfo } from '../scenes/scriptedModel.ts';

const plainSwitch: ThinkingSwitch = { on: {}, off: { enable_thinking: false }, onlyLess: false };

/** A scene whose model writes so many tokens per second, and what it was asked. */
function thinking(writing = 100, found: ThinkingSwitch | null = plainSwitch, says: string[] = []) {
  const scene = openScene(says);
  scene.editor.abilities = { ...ableModels, of: () => ({ ...ableNature, writing }) };
  scene.engine.info = { ...modelInfo, thinking: { marks: [], switch: found } };
  const asked: GenerateParams[] = [];
  scene.engine.answer('generate', (params, usual) => {
    asked.push(params);
    return usual();
  });
  const last = () => [asked.at(-1)?.prompt.thinking, asked.at(-1)?.thoughtTokens];
  return { scene, asked, last };
}

test('by itself a model thinks where a token takes at most 70 ms, and not while nobody knows', async () => {
  for (const [writing, ...wanted] of [
    [15, 'on', 256],
    [14, 'off', 0],
    [0, 'off', 0],
  ] as const) {
    const { scene, last } = thinking(writing);
    await scene.say('when?');
    assert.deepEqual(last(), wanted, String(writing));
  }
});

test('the settings say whether it thinks, and for how long; with the reply at most a quarter of the window', async () => {
  const { scene, last } = thinking(1);
  scene.settings.thinking = 'on';
  scene.settings.thinkingTokens = 100;
  await scene.say('when?');
  assert.deepEqual(last(), ['on', 100]);
  scene.settings.thinkingTokens = 5000;
  await scene.say('and then?');
  assert.deepEqual(last(), ['on', 256], 'half of what is set aside in a window of 2,048');
  scene.settings.thinking = 'off';
  await scene.say('and then?');
  assert.deepEqual(last(), ['off', 0]);
});

test('a model without a switch is asked as before, and has no button', async () => {
  const { scene, last } = thinking(100, null);
  scene.settings.thinking = 'off';
  await scene.say('when?');
  assert.deepEqual(last(), [undefined, 128]);
  assert.equal(scene.shown().thinking, null);
});

test('one that only thinks less is given half of an answer for it', async () => {
  const { scene, last } = thinking(1, { ...plainSwitch, onlyLess: true });
  await scene.say('when?');
  assert.deepEqual(last(), ['off', 128]);
  assert.equal(scene.shown().thinking?.onlyLess, true);
});

test('the button shows what thoughts cost here, and switches this conversation alone, whatever the mode', async () => {
  const { scene, last } = thinking(10);
  await scene.say('when?');
  assert.deepEqual(scene.shown().thinking, { on: false, tokens: 256, seconds: 26, onlyLess: false });
  await scene.think(true);
  assert.equal(scene.shown().thinking?.on, true);
  await scene.say('and then?');
  assert.deepEqual(last(), ['on', 256]);
  await scene.chooseAgent('edit');
  assert.equal(scene.shown().thinking?.on, true);
  scene.newConversation();
  assert.equal(scene.shown().thinking?.on, false);
});

test('a turn that does not think is drawn as the publisher advises for those, under what the user set', async () => {
  const { scene, asked } = thinking(1);
  const more = { sampling: { temperature: 1, topK: 20 }, plainSampling: { temperature: 0.7, topK: 20 } };
  scene.engine.info = { ...scene.engine.info, ...more };
  scene.settings.sampling = { seed: 3 };
  const drawn = async () => {
    await scene.say('when?');
    const { temperature, topK, seed } = asked.at(-1)?.sampling ?? { seed: null };
    return [temperature, topK, seed];
  };
  assert.deepEqual(await drawn(), [0.7, 20, 3]);
  await scene.think(true);
  assert.deepEqual(await drawn(), [1, 20, 3]);
  await scene.think(false);
  scene.settings.sampling = { seed: 3, temperature: 0.2 };
  assert.deepEqual(await drawn(), [0.2, 20, 3]);
});

test('one that only thinks less is drawn as one that thinks', async () => {
  const { scene, asked } = thinking(1, { ...plainSwitch, onlyLess: true });
  scene.engine.info = { ...scene.engine.info, sampling: { temperature: 1 }, plainSampling: { temperature: 0.7 } };
  scene.settings.sampling = { seed: 3 };
  await scene.say('when?');
  assert.equal(asked.at(-1)?.sampling.temperature, 1);
});

test('marks that only the template shows are read as thoughts in a turn', async () => {
  const { scene } = thinking(1, null, ['Here are my reasoning steps:I look.[BEGIN FINAL RESPONSE]At six.']);
  const marks = [{ open: 'Here are my reasoning steps:', close: '[BEGIN FINAL RESPONSE]' }];
  scene.engine.info = { ...modelInfo, thinking: { marks, switch: null } };
  await scene.say('when?');
  assert.deepEqual(
    scene.entries('answer').map(({ thoughts, text }) => [thoughts, text]),
    [['I look.', 'At six.']],
  );
});
