import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionsOf } from '../find/questions.ts';
import blind from './blind.json' with { type: 'json' };
import { isSure, linesGiven, verdictOf } from './judge.ts';
import { signTest } from './pairs.ts';

const question = { answer: ['\\b100\\b'], kind: 'plain' } as const;
const given = ['class wait_incrementing:\n    def __init__(self, start=0, increment=100):\n        self.start = start'];

test('an answer in words of its own is right where its patterns match', () => {
  assert.equal(verdictOf('The default increment is 100 seconds.', question, given), 'right');
  assert.equal(verdictOf('The default increment is 10 seconds.', question, given), 'wrong');
});

test('lines that stand word for word in what was given count for nothing', () => {
  const copied = '```python\ndef __init__(self, start=0, increment=100):\n    self.start = start\n```';
  assert.equal(verdictOf(copied, question, given), 'quoted only');
  assert.equal(verdictOf(`> ${given[0]?.split('\n')[1]?.trim()}`, question, given), 'quoted only');
  assert.equal(verdictOf(`${copied}\nSo it is 100.`, question, given), 'right');
});

test('the copied entries of a folder are the answer to what is in it', () => {
  const listing = { answer: ['wait\\.py', 'stop\\.py'], kind: 'listing' } as const;
  assert.equal(verdictOf('wait.py\nstop.py', listing, ['stop.py\nwait.py']), 'right');
});

test('that the answer is not there is none, but where what is asked for is not', () => {
  const yes = { answer: ['\\bno\\b|\\bnot\\b'], kind: 'behaviour' } as const;
  for (const words of ['Not there.', 'The answer is not there.', 'It is not in the lines above.'])
    assert.deepEqual([verdictOf(words, yes, []), verdictOf(words, { ...yes, kind: 'absent' }, [])], ['wrong', 'right']);
  assert.equal(verdictOf('It is not lost.', yes, []), 'right');
});

// Read on 2026-11-27 by somebody who knew neither the patterns nor how each answer came about: 51 of the 60 agreed. Then patterns of four
// questions were mended, by another blind reading, which agrees with this one on 58.
test('of sixty answers that were read blind the patterns judge at least nine of ten alike', () => {
  const questions = new Map(questionsOf('all').map((one) => [one.id, one]));
  assert.equal(blind.length, 60);
  const alike = blind.filter(({ id, answer, right }) => {
    const asked = questions.get(id);
    return asked !== undefined && (verdictOf(answer, asked, []) === 'right') === right;
  });
  assert.ok(alike.length >= 54, `${alike.length} of 60`);
});

test('a doubt in an answer is seen, and an empty one is not sure', () => {
  for (const doubt of [
    'It is not mentioned in the excerpts.',
    'I cannot find it.',
    'It probably waits.',
    'There is no such option.',
    '',
  ])
    assert.equal(isSure(doubt), false, doubt);
  assert.equal(isSure('It waits for 100 seconds.'), true);
});

test('lines that were given are counted on behind what was left out', () => {
  const found = { path: 'a.py', from: 3, to: 9, why: '' };
  const body = 'three\n[lines 4-7 left out]\neight\nnine';
  const item = { origin: 'attachment', id: 'a', parent: null, head: 'Found: a.py:3-9', body, found } as const;
  assert.deepEqual(
    linesGiven([item]).map(({ from, text }) => [from, text]),
    [
      [3, 'three'],
      [8, 'eight'],
      [9, 'nine'],
    ],
  );
});

test('the sign test gives the probabilities of a fair coin', () => {
  assert.equal(signTest(0, 0), 1);
  assert.equal(signTest(5, 0), 2 / 32);
  assert.equal(signTest(9, 3).toFixed(3), '0.146');
  assert.equal(signTest(3, 14).toFixed(3), '0.013');
  assert.equal(signTest(4, 4), 1);
});
