// Tests what others write among changes: lines beside a change go into the text before as well, and lines within one are said to be mixed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { followed } from '../../../src/edits/review/standing.ts';

const base = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const now = base.replace('two', 'TWO').replace('five\n', '');

test('lines that come beside, go beside, or change beside a change do so in the text before', () => {
  assert.deepEqual(followed(base, now, now.replace('three\n', 'three\nmine\n')), {
    base: base.replace('three\n', 'three\nmine\n').replace('', ''),
    mixed: false,
  });
  assert.deepEqual(followed(base, now, `top\nmore\n${now}`).mixed, false);
  assert.equal(followed(base, now, `top\nmore\n${now}`).base, `top\nmore\n${base}`);
});

test('words in a change, and lines at its edge, are a part of it', () => {
  assert.deepEqual(followed(base, now, now.replace('TWO', 'TWO and mine')), { base, mixed: true });
  assert.deepEqual(followed(base, now, now.replace('TWO\n', 'TWO\nmine\n')), { base, mixed: true });
});

test('without changes the text before is what stands there; without foreign lines it is what it was', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 12 }).map((lines) => lines.join(''));
  fc.assert(
    fc.property(text, text, (one, other) => {
      assert.deepEqual(followed(one, one, other), { base: other, mixed: false });
      assert.deepEqual(followed(one, other, other), { base: one, mixed: false });
    }),
  );
});
