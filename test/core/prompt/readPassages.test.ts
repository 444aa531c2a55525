// Passages that were read for a draft serve for those that are found when it is sent, and stay where they stand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Passage } from '../../../src/core/prompt/found.ts';
import { asRead, preferRead } from '../../../src/core/prompt/readPassages.ts';

function passage(path: string, from: number, to: number, mark = ''): Passage {
  const lines = Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}${mark}`);
  return { kind: 'file', path, why: '', stretches: [{ from, lines }] };
}

const places = (all: readonly Passage[]) =>
  all.map(({ path, stretches: [{ from, lines }] }) => `${path}:${from}-${from + lines.length - 1}`);

test('the best one comes first, then what was read, then the others', () => {
  const found = [passage('a', 1, 9), passage('b', 1, 9), passage('c', 1, 9)];
  assert.deepEqual(places(preferRead(found, [passage('c', 1, 9)])), ['a:1-9', 'c:1-9', 'b:1-9']);
  assert.deepEqual(places(preferRead(found, [])), ['a:1-9', 'b:1-9', 'c:1-9']);
  const many = Array.from({ length: 12 }, (_, at) => passage(`f${at}`, 1, 9));
  assert.equal(places(preferRead(many, [passage('f11', 1, 9)]))[1], 'f1:1-9', 'too far behind');
});

test('one that shows half of a passage serves for it, once; one that shows less does not', () => {
  const read = [passage('a', 1, 20)];
  assert.deepEqual(places(preferRead([passage('a', 11, 30), passage('a', 1, 10)], read)), ['a:1-20']);
  assert.deepEqual(places(preferRead([passage('a', 15, 40)], read)), ['a:15-40']);
  assert.deepEqual(places(preferRead([passage('b', 1, 20)], read)), ['b:1-20']);
});

test('a file that changed since is shown as it is now', () => {
  const [now] = preferRead([passage('a', 1, 20, ' changed')], [passage('a', 1, 20)]);
  assert.equal(now?.stretches[0].lines[0], 'line 1 changed');
});

test('what was read stands behind the others in its own order, each with its tokens', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((path) => passage(path, 1, 3)) as [Passage, Passage, Passage, Passage];
  const fitted = { passages: [a, b, c, d], tokens: [1, 2, 3, 4], exact: true, weak: '' };
  const { passages, tokens } = asRead(fitted, [c, a]);
  assert.deepEqual(
    [passages.map(({ path }) => path), tokens],
    [
      ['b', 'd', 'c', 'a'],
      [2, 4, 3, 1],
    ],
  );
});
