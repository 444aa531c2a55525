// Thoughts, from a channel of their own (gpt-oss) or in marks: shown as thoughts, kept with the session, and no words of the answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harmony } from '../../../src/core/calls/syntax.ts';
import { openScene, type Scene } from '../scenes/scene.ts';
import { modelInfo } from '../scenes/scriptedModel.ts';

const thought = (words: string) => `<|channel|>analysis<|message|>${words}<|end|><|start|>assistant`;
const final = (words: string) => `<|channel|>final<|message|>${words}`;

function gptOss(answers: string[]) {
  const scene = openScene(answers);
  scene.engine.info = { ...modelInfo, toolCalls: { format: 'harmony', syntax: harmony, schemas: 'template' } };
  return scene;
}

const shown = ({ entries }: Scene) => entries('answer').map(({ thoughts, text }) => [thoughts, text]);

test('the analysis of an answer is its thoughts, while it is written and when it is there', async () => {
  const scene = gptOss([thought('They ask for the tide.') + final('At six.')]);
  await scene.say('when?');
  assert.deepEqual(shown(scene), [['They ask for the tide.', 'At six.']]);
  const live = scene.deltas.filter(({ type }) => type === 'text').length;
  assert.ok(live > 5, `${live} pieces are added to what is shown`);
  const [, answer] = scene.stored.items;
  assert.ok(answer?.origin === 'assistant');
  assert.deepEqual([answer.text, answer.thoughts], ['At six.', 'They ask for the tide.']);
});

test('the thoughts before a tool call stand before its step', async () => {
  const call = '<|channel|>commentary to=functions.echo <|constrain|>json<|message|>{"a": 1}';
  const scene = gptOss([thought('I look.') + call, thought('I see.') + final('Done.')]);
  await scene.say('run');
  assert.deepEqual(scene.kinds(), ['user', 'answer', 'step', 'answer']);
  assert.deepEqual(shown(scene), [
    ['I look.', ''],
    ['I see.', 'Done.'],
  ]);
});

test('a session that is opened again has them, and its next prompt does not', async () => {
  const scene = gptOss([thought('Secret steps.') + final('At six.'), final('Yes.')]);
  await scene.say('when?');
  const again = openScene([], { memory: scene.memory });
  assert.deepEqual(shown(again), [['Secret steps.', 'At six.']]);
  await scene.say('sure?');
  assert.ok(scene.sent().split('\n').includes('At six.') && !scene.sent().includes('Secret'), scene.sent());
});

test('thoughts in marks are kept apart from the answer, which alone is read for code and by whoever asks', async () => {
  const wrong = 'Maybe\n```ts src/sum.ts\nexport const sum = 1;\n```\nor not.';
  const right = 'So:\n```ts src/sum.ts\nexport const sum = 2;\n```';
  const marked = openScene([`<think>\n${wrong}\n</think>\n\n${right}`]);
  await marked.say('sum?');
  const [, answer] = marked.stored.items;
  assert.ok(answer?.origin === 'assistant');
  assert.deepEqual([answer.text, answer.thoughts], [right, wrong]);
  assert.deepEqual(shown(marked), [[wrong, right]]);
});

test('an answer that goes on within its thoughts or behind them is read as one', async () => {
  const cut = openScene(['<|channel>thought\nI look.<channel|>It is 7 and more', ' than 6.']);
  await cut.say('how many?');
  const [, answer] = cut.stored.items;
  assert.ok(answer?.origin === 'assistant');
  assert.deepEqual([answer.text, answer.thoughts], ['It is 7 and more', 'I look.']);
});
