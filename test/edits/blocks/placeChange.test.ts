// Tests where a code block goes in a file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alikePart, changedText, changeOf, wholeChange } from '../../../src/edits/blocks/placeChange.ts';

const base = 'import a;\n\nfunction f() {\n  if (a) {\n  }\n}\n\nfunction g() {\n  g();\n}\n';

const partOf = (text: string, code: string) => alikePart(text, code) ?? assert.fail('no part');

test('code that begins and ends like one part of the file replaces that part', () => {
  const change = partOf(base, 'function f() {\n  return 1;\n}\n');
  assert.equal(change.words, 'replace lines 3–6');
  assert.equal(changedText(base, change), 'import a;\n\nfunction f() {\n  return 1;\n}\n\nfunction g() {\n  g();\n}\n');
});

test('one line that is there once replaces itself', () => {
  assert.equal(partOf(base, '  g();\n').words, 'replace line 9');
});

test('code without a place of its own, or with two, is like no part', () => {
  for (const code of ['new();\n', '}\n', 'import a;\nfunction g() {\n}\n'])
    assert.equal(alikePart(base, code), null, code);
  assert.equal(changedText(base, wholeChange(base, 'new();\n')), 'new();\n');
  assert.equal(changedText('', wholeChange('', 'new();\n')), 'new();\n');
});

test('line ends of the file are kept', () => {
  const crlf = base.replaceAll('\n', '\r\n');
  const text = changedText(crlf, partOf(crlf, 'function g() {\n  h();\n}\n'));
  assert.equal(text, base.replace('g();', 'h();').replaceAll('\n', '\r\n'));
});

test('code over a selection within a line brings no line end with it', () => {
  assert.equal(changedText('a b c', changeOf('a b c', 2, 3, 'x\n', 'replace the selection')), 'a x c');
  assert.equal(changedText('a\nb\n', changeOf('a\nb\n', 0, 2, 'x\n', 'replace the selection')), 'x\nb\n');
});
