import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible } from '../../webview/shared/visible.ts';

test('marks that turn the order of words round, and escapes of a terminal, are spelled out', () => {
  assert.equal(visible('if (a\u202e // b\u2066) {'), 'if (a⟨U+202E⟩ // b⟨U+2066⟩) {');
  assert.equal(visible('\u001b[31mred\u0000'), '⟨U+001B⟩[31mred⟨U+0000⟩');
});

test('letters of any script, tabs and line breaks stay', () => {
  const text = 'שלום\tعالم\r\n你好 👋\u200d';
  assert.equal(visible(text), text);
});
