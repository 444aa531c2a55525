// Thoughts and answer, whole and as they arrive.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readThoughts } from '../../../src/core/answer/readThoughts.ts';
import { endOfThoughts } from '../../../src/core/answer/thoughts.ts';

const parts = (text: string) => {
  const { thoughts, answer, thinking } = readThoughts(text, [], true);
  return [thoughts, answer, thinking];
};

test('thoughts in their marks stand apart from the answer', () => {
  assert.deepEqual(parts('<think>\nhm\n</think>\n\nYes.'), ['hm', 'Yes.', false]);
  assert.deepEqual(parts('[THINK]hm[/THINK]Yes.'), ['hm', 'Yes.', false]);
  assert.deepEqual(parts('◁think▷hm◁/think▷Yes.'), ['hm', 'Yes.', false]);
  assert.deepEqual(parts('<think></think>Yes.'), ['', 'Yes.', false]);
  assert.deepEqual(parts('<think>A</think>\nB\n<think>C</think>\nD'), ['A', 'B\n<think>C</think>\nD', false]);
});

test('thoughts whose opening mark a server kept to itself end with the mark before a blank line', () => {
  assert.deepEqual(parts('hm\n</think>\n\nYes.'), ['hm', 'Yes.', false]);
  const code = 'The user has `foo`.\nSo:\n```ts\nx\n```';
  assert.deepEqual(parts(`${code}\n</think>\n\nYes.`), [code, 'Yes.', false]);
});

test('a mark that the thoughts quote does not end them', () => {
  for (const quoted of [
    'The template has `{% if x %}</think>` in it.',
    '```html\n</think>\n```',
    'Both `<think>` and `</think>`.',
  ])
    assert.deepEqual(parts(`<think>\n${quoted}\n</think>\n\nYes.`), [quoted, 'Yes.', false], quoted);
  assert.equal(endOfThoughts('one `</think>` two', '</think>'), -1);
});

test('an answer about such marks is no thought', () => {
  for (const text of [
    'Models close with `</think>`\nand go on.',
    'The tag </think> ends it.',
    'a <think>b</think> c',
    'Here:\n```html\n<think>\na\n</think>\n```\nDone',
    'Remove the line\n</think>\nfrom the template.',
  ]) {
    assert.deepEqual(parts(text), ['', text, false]);
  }
});

test('while it is written a thought is never shown as an answer', () => {
  const whole = '<think>one `two`</think>Yes.';
  for (let n = 1; n < whole.indexOf('</think>'); n++)
    assert.equal(readThoughts(whole.slice(0, n)).answer, '', String(n));
  assert.deepEqual(parts('<think>one'), ['one', '', true]);
});
