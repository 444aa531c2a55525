// Thoughts and answer, whole and as they arrive.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerParts } from '../../webview/answer/answerParts.ts';

const parts = (text: string) => {
  const { thoughts, answer, thinking } = answerParts(text);
  return [thoughts, answer, thinking];
};

test('thoughts in their marks stand apart from the answer', () => {
  assert.deepEqual(parts('<think>\nhm\n</think>\n\nYes.'), ['hm', 'Yes.', false]);
  assert.deepEqual(parts('[THINK]hm[/THINK]Yes.'), ['hm', 'Yes.', false]);
  assert.deepEqual(parts('◁think▷hm◁/think▷Yes.'), ['hm', 'Yes.', false]);
  assert.deepEqual(parts('<think></think>Yes.'), ['', 'Yes.', false]);
});

test('thoughts that a template opened end with their mark alone', () => {
  assert.deepEqual(parts('hm\n</think>\n\nYes.'), ['hm', 'Yes.', false]);
});

test('an answer about such marks is no thought', () => {
  for (const text of [
    'Models close with `</think>`\nand go on.',
    'The tag </think> ends it.',
    'a <think>b</think> c',
  ]) {
    assert.deepEqual(parts(text), ['', text, false]);
  }
});

test('while it is written a thought is never shown as an answer', () => {
  const whole = '<think>one two</think>Yes.';
  for (let n = 1; n < whole.indexOf('</think>'); n++)
    assert.equal(answerParts(whole.slice(0, n)).answer, '', String(n));
  assert.deepEqual(parts('<think>one'), ['one', '', true]);
});
