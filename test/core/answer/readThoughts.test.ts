// Thoughts as models of many families write them, whole and while they arrive: nothing of them and none of their marks is in the answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readThoughts } from '../../../src/core/answer/readThoughts.ts';
import type { ThoughtMarks } from '../../../src/core/answer/thoughts.ts';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';

const apriel: ThoughtMarks = {
  open: 'Here are my reasoning steps:',
  close: '[BEGIN FINAL RESPONSE]',
  answer: ['', '<|end|>'],
};
const answer = 'The answer is 7.';
/** Messages by family, with what an engine puts in front where the template opened the thoughts. */
const rows: readonly (readonly [name: string, raw: string, own?: ThoughtMarks])[] = [
  ['Qwen', '<think>\nI look at `x`.\n</think>\n\nThe answer is 7.'],
  ['Qwen, code in its thoughts', '<think>\nSo:\n```ts\nconst a = 1;\n```\n</think>\n\nThe answer is 7.'],
  ['Qwen, thinking twice', '<think>\n\n</think>\n\n<think>\nI look.\n</think>\n\nThe answer is 7.'],
  ['Magistral', '[THINK]I look.[/THINK]The answer is 7.'],
  ['Seed', '<seed:think>I look</seed:think>The answer is 7.'],
  ['Gemma 4', '<|channel>thought\nI look at it.<channel|>The answer is 7.'],
  ['Cohere', '<|START_THINKING|>I look.<|END_THINKING|><|START_TEXT|>The answer is 7.<|END_TEXT|>'],
  ['Cohere, opened by a server', 'I look.<|END_THINKING|><|START_TEXT|>The answer is 7.<|END_TEXT|>'],
  ['Cohere, no thoughts', '<|START_RESPONSE|>The answer is 7.<|END_RESPONSE|>'],
  [
    'Kimi K3',
    '<|open|>think<|sep|>I look.<|close|>think<|sep|><|open|>response<|sep|>The answer is 7.<|close|>response<|sep|>',
  ],
  ['Solar', '<|think|>I look.<|end|><|begin|>assistant<|content|>The answer is 7.'],
  ['Hy3', '<think:opensource>I look</think:opensource>The answer is 7.'],
  ['MiniMax M3', '<mm:think>I look</mm:think>The answer is 7.'],
  ['Apriel', 'Here are my reasoning steps:First I look.\n[BEGIN FINAL RESPONSE]\nThe answer is 7.\n<|end|>', apriel],
  ['Granite', 'The answer is 7.'],
];

test('the answer of each family is its answer alone', () => {
  for (const [name, raw, own] of rows)
    assert.equal(readThoughts(raw, own === undefined ? [] : [own], true).answer.trim(), answer, name);
});

test('while a message arrives its answer only grows, and holds no part of a mark', () => {
  for (const [name, raw, own] of rows) {
    if (name.includes('server')) continue;
    for (let n = 1; n <= raw.length; n++) {
      const said = readThoughts(raw.slice(0, n), own === undefined ? [] : [own]).answer.trim();
      assert.ok(answer.startsWith(said), `${name}: ${JSON.stringify(said)}`);
    }
  }
});

test('a mark that ends any message ends no thoughts that nothing opened', () => {
  const muse: ThoughtMarks = {
    open: 'to=self<|message|>',
    close: '<|eom|>',
    answer: ['<|start|>assistant to=user<|message|>', ''],
  };
  const said = 'to=find<|message|>x<|eom|><|start|>assistant to=find<|message|>y';
  assert.deepEqual(readThoughts(said, [muse], true), { thoughts: '', answer: said, thinking: false });
});

test('thoughts that never end are no answer', () => {
  const { thoughts, answer: said, thinking } = readThoughts('<think>\nI look', [], true);
  assert.deepEqual([thoughts, said, thinking], ['I look', '', true]);
});

test('a short answer that begins like a mark is one once it ended', () => {
  for (const text of ['<', '[', '<think', '<|']) {
    assert.equal(readThoughts(text).answer, '', text);
    assert.equal(readThoughts(text, [], true).answer, text);
  }
});

test('calls are read behind the thoughts, and a call that the thoughts only quote is none', () => {
  const call = '<tool_call>\n{"name": "find", "arguments": {"q": "x"}}\n</tool_call>';
  const read = (raw: string) => {
    const { text, thoughts, calls } = readGeneration(hermes, raw, true);
    return [text, thoughts, calls.length];
  };
  assert.deepEqual(read(`<think>\nI look.\n</think>\n\nHm.\n${call}`), ['Hm.', 'I look.', 1]);
  assert.deepEqual(read(`<think>\nI could write ${call}, or not.\n</think>\n\nNo.`), [
    'No.',
    `I could write ${call}, or not.`,
    0,
  ]);
  // Thoughts that nothing ends do not hide the call that is made in them.
  assert.deepEqual(read(`<think>\nI look.\n${call}`), ['', 'I look.', 1]);
});
