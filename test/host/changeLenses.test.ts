// Above changes in the editor: how many lines came and went. Behind its lines: those that went.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './fakeVscode.ts';

const { removedTexts, sizeWords } = await import('../../src/host/review/changeLenses.ts');

test('a lens says how many lines came and went', () => {
  const sizes = [sizeWords(5, 2), sizeWords(5, 0), sizeWords(0, 1), sizeWords(1, 1)];
  assert.deepEqual(sizes, ['+2 −5 lines', '−5 lines', '+1 line', '+1 −1 lines']);
});

const hunk = (removed: readonly string[], start: number, added: readonly string[]) => ({
  before: { start: 0, lines: removed },
  after: { start, lines: added },
});

test('a line that went stands behind the one that came in its place', () => {
  const texts = removedTexts(hunk(['  a\tb\n', 'c\r\n'], 4, ['x\n', 'y\n', 'z\n']));
  assert.deepEqual(texts, [
    { line: 4, text: 'a b' },
    { line: 5, text: 'c' },
  ]);
  assert.deepEqual(removedTexts(hunk([], 4, ['x\n'])), []);
});

test('lines that went without others stand behind the line above, and the last one says how many more there are', () => {
  assert.deepEqual(removedTexts(hunk(['one\n', 'two\n', 'three\n'], 7, [])), [{ line: 6, text: 'one … −2' }]);
  assert.deepEqual(removedTexts(hunk(['one\n'], 0, [])), [{ line: 0, text: 'one' }]);
  const many = Array.from({ length: 40 }, () => `${'x'.repeat(500)}\n`);
  const texts = removedTexts(hunk(many, 0, many));
  assert.deepEqual([texts.length, texts.at(-1)?.text.slice(-5)], [8, '… −32']);
  assert.ok(texts.every(({ text }) => text.length < 120));
});
