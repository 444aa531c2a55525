// Tests where a code block goes in a file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedText, changeOf, wholeChange } from '../../../src/edits/blocks/placeChange.ts';

test('code over a whole text ends it as the text did', () => {
  assert.equal(changedText('a\nb\n', wholeChange('a\nb\n', 'new();\n')), 'new();\n');
  assert.equal(changedText('a\r\nb', wholeChange('a\r\nb', 'c\nd\n')), 'c\r\nd');
  assert.equal(changedText('', wholeChange('', 'new();\n')), 'new();\n');
});

test('code over a selection within a line brings no line end with it', () => {
  assert.equal(changedText('a b c', changeOf('a b c', 2, 3, 'x\n', 'replace the selection')), 'a x c');
  assert.equal(changedText('a\nb\n', changeOf('a\nb\n', 0, 2, 'x\n', 'replace the selection')), 'x\nb\n');
});
