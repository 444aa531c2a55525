// Above changes in the editor: how many lines came and went, and those that went.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './fakeVscode.ts';

const { removedWords, sizeWords } = await import('../../src/host/review/changeLenses.ts');

test('a lens says how many lines came and went', () => {
  const sizes = [sizeWords(5, 2), sizeWords(5, 0), sizeWords(0, 1), sizeWords(1, 1)];
  assert.deepEqual(sizes, ['+2 −5 lines', '−5 lines', '+1 line', '+1 −1 lines']);
});

test('its tooltip shows the first lines that went, long ones cut, and how many more there are', () => {
  assert.equal(removedWords({ start: 0, lines: [] }), '');
  assert.equal(removedWords({ start: 3, lines: ['one\n', '  two\r\n'] }), 'Removed:\n− one\n−   two');
  const many = removedWords({ start: 0, lines: Array.from({ length: 40 }, () => `${'x'.repeat(500)}\n`) }).split('\n');
  assert.deepEqual([many.length, many.at(-1)], [14, '… +28']);
  assert.ok(many.every((line) => line.length < 130));
});
