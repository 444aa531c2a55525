import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPace } from '../../../src/core/kv/pace.ts';
import type { Passage } from '../../../src/core/prompt/found.ts';
import { amountFor, chosenOf } from '../../../src/core/turn/amount.ts';

const slow = { tokens: 1000, milliseconds: 100_000 };

function passage(path: string, score: number, from = 1, to = from): Passage {
  const lines = Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`);
  return { kind: 'file', path, why: '', score, stretches: [{ from, lines }] };
}

const paths = (passages: readonly Passage[]) => passages.map(({ path }) => path);

test('a model below three billion parameters gets the best few passages with the lines around them', () => {
  assert.deepEqual(amountFor(1.5e9, noPace, 1505), { most: 1505, few: true, around: 12 });
  assert.equal(amountFor(3.1e9, noPace, 1505).few, false);
  assert.equal(amountFor(undefined, noPace, 1505).few, false);
});

test('another model gets what fits, as far as it is read in time', () => {
  assert.equal(amountFor(7e9, noPace, 1505).most, 1505);
  assert.equal(amountFor(7e9, { tokens: 1000, milliseconds: 10_000 }, 1505).most, 1505);
  assert.equal(amountFor(7e9, { tokens: 1000, milliseconds: 25_000 }, 1505).most, 800);
  assert.equal(amountFor(7e9, slow, 1505).most, 500);
  assert.equal(amountFor(7e9, slow, 200).most, 200);
});

test('two passages are brought for one question and four for several', () => {
  const passages = ['a', 'b', 'c', 'd', 'e'].map((path, at) => passage(path, 1 - at * 0.1));
  assert.deepEqual(paths(chosenOf({ passages, weak: '' }, [])), ['a', 'b']);
  assert.deepEqual(paths(chosenOf({ passages, weak: '', several: true }, [])), ['a', 'b', 'c', 'd']);
});

test('more are brought where the scores do not fall off', () => {
  const passages = ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => passage(path, 1));
  assert.equal(chosenOf({ passages, weak: '' }, []).length, 4);
});

test('what stands in a passage before it does not count as another', () => {
  const passages = [passage('a', 1, 1, 30), passage('a', 0.9, 10, 20), passage('b', 0.8)];
  assert.deepEqual(paths(chosenOf({ passages, weak: '' }, [])), ['a', 'b']);
});

test('a passage that most stands in one before it is the same place, so the next goes to another', () => {
  const passages = [passage('a', 1, 32, 66), passage('a', 0.6, 32, 75), passage('a', 0.6, 60, 99), passage('b', 0.5)];
  assert.deepEqual(
    chosenOf({ passages, weak: '' }, []).map(({ path, stretches: [{ from }] }) => `${path} ${from}`),
    ['a 32', 'a 60'],
  );
  assert.deepEqual(paths(chosenOf({ passages: passages.toSpliced(2, 1), weak: '' }, [])), ['a', 'b']);
});

test('what the user pinned is brought besides', () => {
  const passages = ['a', 'b', 'c'].map((path, at) => passage(path, 1 - at * 0.2));
  const pinned = passages.slice(2);
  assert.deepEqual(paths(chosenOf({ passages: [...pinned, ...passages.slice(0, 2)], weak: '' }, pinned)), [
    'c',
    'a',
    'b',
  ]);
});
