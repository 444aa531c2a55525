// Guessing what an answer quotes: a writer is simulated who checks each guess.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LookUp } from '../../../src/core/model/lookUp.ts';

/** Writes a text behind a prompt. Steps: what the model is asked for; guessed: tokens that it checked besides. */
function write(
  prompt: readonly number[],
  answer: readonly number[],
  stepTime: (guessed: number) => number = (guessed) => 40 + 4 * guessed,
) {
  const lookUp = new LookUp(prompt);
  const written: number[] = [];
  let [steps, guessed, time] = [0, 0, 0];
  while (written.length < answer.length) {
    const guess = lookUp.guess();
    const rest = answer.slice(written.length);
    const miss = guess.findIndex((id, at) => id !== rest[at]);
    const right = miss < 0 ? Math.min(guess.length, rest.length) : miss;
    lookUp.told(guess.length, right, stepTime(guess.length));
    for (const id of rest.slice(0, right + 1)) {
      written.push(id);
      lookUp.push(id);
    }
    steps += 1;
    guessed += guess.length;
    time += stepTime(guess.length);
  }
  return { steps, guessed, written, time };
}

const source = Array.from({ length: 300 }, (_, i) => (i * i * 31 + i * 7) % 997);

test('a text that is repeated takes a fifth of the steps, also with a change in the middle', () => {
  const changed = [...source.slice(0, 120), 2000, 2001, ...source.slice(124)];
  for (const answer of [source, changed]) {
    const { steps } = write(source, answer);
    assert.ok(steps < 0.2 * answer.length, `${steps} steps for ${answer.length} tokens`);
  }
});

test('where nothing is quoted, nothing is guessed', () => {
  const other = Array.from({ length: 400 }, (_, i) => 5000 + i);
  assert.deepEqual(write(source, other), { steps: 400, guessed: 0, written: other, time: 16_000 });
});

test('where a step with guesses takes as long as the tokens one by one, guessing costs next to nothing', () => {
  const { time } = write(source, source, (guessed) => 40 * (guessed + 1));
  assert.ok(time <= 1.05 * 40 * source.length, `${time}`);
});

test('guesses that are mostly wrong come to an end', () => {
  // Each three tokens stand in the prompt, and go on otherwise there.
  const prompt = Array.from({ length: 400 }, (_, i) => [1, 2, 3, 100 + i]).flat();
  const answer = Array.from({ length: 400 }, (_, i) => [1, 2, 3, 9000 + i]).flat();
  const { guessed } = write(prompt, answer);
  assert.ok(guessed < answer.length / 5, `${guessed} guessed for ${answer.length}`);
});

test('whatever is guessed, what is written is the answer', () => {
  const tokens = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 120 });
  fc.assert(
    fc.property(tokens, tokens, (prompt, answer) => {
      const { written, steps } = write(prompt, answer);
      assert.deepEqual(written, answer);
      assert.ok(steps <= answer.length);
    }),
  );
});
