// When text at a caret is asked for, and how what became of it is seen and counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TypingHabits } from '../../src/completion/habits.ts';
import { CaretLedger } from '../../src/completion/ledger.ts';
import { type PendingText, stateOf } from '../../src/completion/pending.ts';
import type { CompletionAnswer } from '../../src/completion/session.ts';
import { cases } from '../cases.ts';

test('the delay follows the pace of the keys, between two bounds', () => {
  const after = (interval: number) => {
    const habits = new TypingHabits();
    for (let i = 0; i < 60; i++) habits.key(i * interval);
    return habits.delay;
  };
  assert.deepEqual([after(10), after(100), after(200), after(900)], [75, 150, 300, 400]);
  // A pause says nothing about how fast the user types.
  const habits = new TypingHabits();
  for (const now of [0, 100, 200, 60_000, 60_100]) habits.key(now);
  assert.ok(habits.delay < 300);
});

test('after three in a row that were not kept it disturbs, until the next pause', () => {
  const habits = new TypingHabits();
  habits.key(0);
  for (const kept of [false, false, true, false, false]) habits.ended(kept);
  assert.equal(habits.isDisturbing(100), false);
  habits.ended(false);
  assert.equal(habits.isDisturbing(100), true);
  assert.equal(habits.isDisturbing(6000), false);
  habits.key(6000);
  assert.equal(habits.isDisturbing(6100), false);
});

const shownAt = (text: string, offset: number, shown: string): PendingText => ({
  ...{ id: 1, document: 'a', offset, text: shown, length: text.length, isBegun: false },
});

test('all of a text, a part of it or none is seen in what the document becomes', () => {
  const before = 'a = \nb = 1;';
  const pending = shownAt(before, 4, 'read();\n');
  const state = (now: string, isOver = false) => stateOf(pending, now, isOver);
  assert.equal(state(before), 'open');
  assert.equal(state('a = rea\nb = 1;'), 'open');
  assert.equal(state('a = rea\nb = 1;', true), 'typed');
  assert.equal(state('a = read();\n\nb = 1;'), 'accepted');
  assert.equal(state('a = rexx\nb = 1;'), 'typed');
  assert.equal(state('a = write\nb = 1;'), 'dismissed');
  assert.equal(state('a =\nb = 1;'), 'dismissed');
  assert.equal(state(before, true), 'dismissed');
  assert.equal(stateOf({ ...pending, isBegun: true }, before, true), 'typed');
});

test('law: what is typed letter by letter along a text stays open to its last letter', () => {
  const text = fc.string({ minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, text, text, (front, behind, shown) => {
      const pending = shownAt(front + behind, front.length, shown);
      for (let length = 0; length <= shown.length; length++) {
        const state = stateOf(pending, front + shown.slice(0, length) + behind, false);
        assert.equal(state, length === shown.length ? 'accepted' : 'open');
      }
    }),
    { numRuns: cases(500) },
  );
});

test('the ledger sums all requests and lists the latest', () => {
  const ledger = new CaretLedger();
  const tokens = { prompt: 100, before: 90, behind: 7, reused: 80, decoded: 20, generated: 4 };
  const answer: CompletionAnswer = {
    ...{ text: 'x', generated: 'x', why: '', source: 'model', tokens },
    milliseconds: { prefill: 5, generation: 7 },
  };
  const silent: CompletionAnswer = { ...answer, text: '', why: 'the model is not sure' };
  const place = { at: 0, path: 'a.ts', line: 1 };
  const ids = Array.from({ length: 60 }, (_, i) => ledger.add(place, i % 2 === 0 ? answer : silent));
  for (let i = 0; i < 60; i++) ledger.spent(answer);
  ledger.became(ids[58] ?? 0, 'accepted');
  ledger.became(ids[58] ?? 0, 'kept');
  const { asked, shown, accepted, kept, decoded, milliseconds } = ledger.sums;
  assert.deepEqual([asked, shown, accepted, kept, decoded, milliseconds], [60, 30, 1, 1, 1200, 720]);
  assert.equal(ledger.latest.length, 50);
  assert.deepEqual([ledger.latest[0]?.outcome, ledger.latest[1]?.outcome], ['none', 'kept']);
  const none = { prompt: 0, before: 0, behind: 0, reused: 0, decoded: 0, generated: 0 };
  const silence: CompletionAnswer = { ...silent, why: 'inside a word', source: 'none', tokens: none };
  for (let i = 0; i < 9; i++) ledger.add(place, silence);
  assert.deepEqual([ledger.sums.asked, ledger.latest[1]?.why], [60, 'the model is not sure']);
  ledger.add({ ...place, line: 2 }, silence);
  assert.equal(ledger.latest[1]?.why, 'inside a word');
});
