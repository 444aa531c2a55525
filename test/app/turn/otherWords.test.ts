// Other words: where hardly anything of a question stands in the folder, a small model names words to search for as well.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Found, Passage } from '../../../src/core/prompt/found.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { openScene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';
import { settled } from '../scenes/waiting.ts';

const passage = (path: string, score: number): Passage => ({
  ...{ kind: 'file', path, score, why: 'matches it' },
  stretches: [{ from: 3, lines: [`in ${path}`] }],
});

const weak = 'no indexed file has "finishing"';
const plain: Found = { weak, passages: [passage('a.ts', 1), passage('b.ts', 0.8)] };
const byWords: Found = { weak: '', passages: [passage('c.ts', 1), passage('a.ts', 0.9)] };

async function opened(says: Say[], info: object = { parameters: 1.5e9, erases: true }, found = plain) {
  const scene = openScene(says);
  scene.engine.info = { ...scene.engine.info, ...info };
  scene.agent({ retrieval: defaultRetrieval });
  const asked: string[] = [];
  scene.editor.find = async ({ text }) => {
    asked.push(text);
    return text.startsWith('rollback') ? byWords : found;
  };
  return { ...scene, asked };
}

const question = 'what if I go without finishing?';
const sentPaths = (text: string) => [...text.matchAll(/Found: (\w)\.ts/g)].map(([, name]) => name);

test('the best for the question and the best for the words of the model go with it, and both are said', async () => {
  const scene = await opened(['rollback commit', 'answer']);
  await scene.say(question);
  assert.deepEqual(scene.asked, [question, 'rollback commit']);
  assert.deepEqual(sentPaths(scene.sent()), ['c', 'a']);
  const shown = scene.shown().entries.find((one) => one.kind === 'info');
  assert.match(shown?.kind === 'info' ? shown.text : '', /Searched for words of the model as well: rollback commit\./);
  const [first, second] = scene.prompts.slice(-2).map((prompt) => segmentsOf(prompt));
  const same = first?.findIndex(({ text }, at) => text !== second?.[at]?.text) ?? 0;
  assert.equal(same, (first?.length ?? 0) - 1, 'only the words of the last message are others');
});

test('words that were asked for while the question was written are not asked for again', async () => {
  const scene = await opened(['one', 'rollback commit', 'answer']);
  await scene.say('hello');
  assert.equal(scene.prompts.length, 1, 'a greeting is not searched for in other words');
  scene.engine.answer('warm', async (_, usual) => ({ ...(await usual()), warmed: 10, of: 10 }));
  await scene.write(question);
  await settled();
  const before = scene.prompts.length;
  await scene.say(question);
  assert.equal(scene.prompts.length, before + 1);
  assert.deepEqual(sentPaths(scene.sent().slice(-400)), ['c', 'a']);
});

for (const [what, info, found] of [
  ['a large model', { parameters: 7e9, erases: true }, plain],
  ['a slot that does not erase', { parameters: 1.5e9 }, plain],
  ['a question whose names are there', { parameters: 1.5e9, erases: true }, { ...plain, weak: '' }],
] as const)
  test(`it is not asked for: ${what}`, async () => {
    const scene = await opened(['answer'], info, found);
    await scene.say(question);
    assert.equal(scene.prompts.length, 1);
    assert.deepEqual(scene.asked, [question]);
  });

test('an answer in sentences finds nothing, and the question is answered as without', async () => {
  const scene = await opened(['Here are some. They are words.', 'answer']);
  await scene.say(question);
  assert.deepEqual(scene.asked, [question]);
  assert.deepEqual(sentPaths(scene.sent()), ['b', 'a']);
});

test('a stop while it is asked ends the turn', async () => {
  const scene = await opened(['rollback commit', 'answer']);
  const release = scene.engine.hold('generate');
  const said = scene.say(question);
  await settled();
  scene.stop();
  release();
  await said;
  assert.equal(scene.shown().running, false);
});
