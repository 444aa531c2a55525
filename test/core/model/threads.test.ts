// The number of threads that decode, found by what was measured: a machine is simulated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Threads } from '../../../src/core/model/threads.ts';

/** Tokens per millisecond with so many threads, while others use so many cores. */
type Machine = (threads: number, others: number) => number;

/** A machine that gets faster with each thread, until threads without a core slow down all of them. */
const usual =
  (cores: number): Machine =>
  (threads, others) =>
    threads + others <= cores ? threads : threads / 3;

/** The time of so many tokens, with the numbers that were taken. */
function decode(choice: Threads, machine: Machine, others: (at: number) => number, stretches: number, size = 2048) {
  const taken: number[] = [];
  let time = 0;
  for (let at = 0; at < stretches; at++) {
    const threads = choice.next('prefill');
    const milliseconds = size / machine(threads, others(at));
    choice.done('prefill', { threads, tokens: size, milliseconds });
    choice.saw(others(at), milliseconds);
    taken.push(threads);
    time += milliseconds;
  }
  return { taken, time };
}

test('on a quiet machine all cores decode, at most a twentieth slower than if they were set', () => {
  for (const cores of [1, 2, 4, 8]) {
    const { time, taken } = decode(new Threads(cores), usual(cores), () => 0, 200);
    assert.ok(time <= (1.05 * 200 * 2048) / cores, `${cores} cores: ${time}`);
    assert.equal(taken[0], cores);
  }
});

test('a core that another program takes is left to it, and taken again when it is free', () => {
  const { taken } = decode(new Threads(4), usual(4), (at) => (at >= 20 && at < 60 ? 1 : 0), 90);
  assert.ok(taken.slice(30, 60).filter((threads) => threads === 3).length >= 28);
  assert.ok(taken.slice(70).filter((threads) => threads === 4).length >= 18);
});

test('it never takes more than are free for longer than a look, and never less than one', () => {
  const { taken } = decode(new Threads(2), usual(2), () => 2, 50);
  assert.deepEqual(new Set(taken.slice(8)), new Set([1]));
});

test('where fewer threads are faster they are found, whatever the system says of its cores', () => {
  const limited: Machine = (threads) => (threads <= 2 ? threads : 0.3);
  const { taken } = decode(new Threads(4), limited, () => 0, 120);
  assert.equal(taken.at(-1), 2);
});

test('reading and writing have numbers of their own', () => {
  const choice = new Threads(4);
  decode(
    choice,
    (threads) => (threads <= 2 ? threads : 0.3),
    () => 0,
    120,
  );
  assert.deepEqual([choice.next('prefill'), choice.next('generation')], [2, 4]);
});

test('a trial whose stretches say nothing is put off, and does not stand', () => {
  const threads = new Threads(8);
  for (let i = 0; i < 24; i++)
    threads.done('generation', { threads: threads.next('generation'), tokens: 8, milliseconds: 80 });
  assert.equal(threads.next('generation'), 4, 'the trial is due');
  threads.abandon('generation');
  for (let i = 0; i < 10; i++) {
    assert.equal(threads.next('generation'), 8);
    threads.abandon('generation');
  }
});

test('what others do on processors that are not for this process takes none of its own', () => {
  const elsewhere = new Threads(4, 12);
  elsewhere.saw(8, 60_000);
  assert.equal(elsewhere.next('prefill'), 4);
  elsewhere.saw(14, 60_000);
  assert.equal(elsewhere.next('prefill'), 2);
});
