// Tests the circuit breaker: when it lets through, how long it waits, and that it recovers from anything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Breaker, type Pass } from '../../src/tokens/counter.ts';
import { cases } from '../cases.ts';

function openBreaker() {
  const clock = { now: 1000 };
  const breaker = new Breaker(() => clock.now);
  const fail = () => breaker.fail(breaker.begin()!);
  for (let i = 0; i < 3; i++) fail();
  return { clock, breaker, fail };
}

test('two failures keep it closed, and a success between failures begins the count anew', () => {
  const breaker = new Breaker(() => 0);
  for (const goes of [false, false, true, false, false]) {
    const pass = breaker.begin();
    assert.notEqual(pass, null);
    if (goes) breaker.succeed(pass!);
    else breaker.fail(pass!);
  }
  assert.deepEqual([breaker.state, breaker.retryAt], ['closed', null]);
});

test('three failures in a row open it for 30 s, and then it lets one trial through at a time', () => {
  const { clock, breaker } = openBreaker();
  assert.deepEqual([breaker.state, breaker.retryAt, breaker.begin()], ['open', 31_000, null]);
  clock.now = 30_999;
  assert.equal(breaker.begin(), null);
  clock.now = 31_000;
  assert.notEqual(breaker.begin(), null);
  assert.deepEqual([breaker.state, breaker.retryAt, breaker.begin()], ['trial', null, null]);
});

test('each failed trial doubles the wait up to 300 s, and a success sets it back to 30 s', () => {
  const { clock, breaker, fail } = openBreaker();
  const waits: number[] = [];
  for (let i = 0; i < 6; i++) {
    waits.push(breaker.retryAt! - clock.now);
    clock.now = breaker.retryAt!;
    fail();
  }
  assert.deepEqual(waits, [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  clock.now = breaker.retryAt!;
  breaker.succeed(breaker.begin()!);
  assert.equal(breaker.state, 'closed');
  for (let i = 0; i < 3; i++) fail();
  assert.equal(breaker.retryAt, clock.now + 30_000);
});

test('a trial that showed nothing may be made again at once, with the wait as it was', () => {
  const { clock, breaker, fail } = openBreaker();
  clock.now = 31_000;
  breaker.release(breaker.begin()!);
  assert.deepEqual([breaker.state, breaker.retryAt], ['open', 31_000]);
  fail();
  assert.equal(breaker.retryAt, 91_000);
});

test('an attempt from before it opened says nothing any more, however it goes', () => {
  const clock = { now: 1000 };
  const breaker = new Breaker(() => clock.now);
  const early = [1, 2, 3, 4, 5].map(() => breaker.begin()!);
  for (const pass of early.slice(0, 3)) breaker.fail(pass);
  for (const settle of [breaker.fail, breaker.succeed, breaker.release]) settle.call(breaker, early[3]!);
  assert.deepEqual([breaker.state, breaker.retryAt], ['open', 31_000]);
  clock.now = 31_000;
  const trial = breaker.begin()!;
  for (const settle of [breaker.fail, breaker.succeed, breaker.release]) settle.call(breaker, early[4]!);
  assert.equal(breaker.state, 'trial');
  breaker.succeed(trial);
  assert.equal(breaker.state, 'closed');
  breaker.fail(trial);
  assert.equal(breaker.state, 'closed');
});

type Event = { readonly pass: number } | { readonly settle: 'succeed' | 'fail' | 'release'; readonly which: number };
const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    fc.record({ pass: fc.constantFrom(0, 0, 0, 1, 29_999, 30_000, 400_000) }),
    fc.record({ settle: fc.constantFrom('fail', 'fail', 'fail', 'succeed', 'release'), which: fc.nat() }),
  ),
  { maxLength: 80 },
);

test('whatever happens, it lets nothing through too early nor two trials at once, and recovers within 300 s', () => {
  fc.assert(
    fc.property(events, (happened) => {
      let now = 0;
      const breaker = new Breaker(() => now);
      const running: Pass[] = [];
      let trial: Pass | null = null;
      for (const event of happened) {
        if ('settle' in event) {
          const [pass] = running.splice(event.which % Math.max(running.length, 1), 1);
          if (pass !== undefined) breaker[event.settle](pass);
          if (pass === trial) trial = null;
        } else {
          now += event.pass;
          const { state, retryAt } = breaker;
          const pass = breaker.begin();
          assert.equal(pass !== null, state === 'closed' || (state === 'open' && now >= retryAt!));
          if (pass !== null) running.push(pass);
          if (pass !== null && state === 'open') {
            assert.equal(trial, null);
            trial = pass;
          }
        }
        assert.equal(breaker.state === 'trial', trial !== null);
        assert.equal(breaker.retryAt !== null, breaker.state === 'open');
        assert.ok((breaker.retryAt ?? now) <= now + 300_000);
      }
      for (const pass of running) breaker.fail(pass);
      now += 300_000;
      breaker.succeed(breaker.begin()!);
      assert.equal(breaker.state, 'closed');
    }),
    { numRuns: cases(500) },
  );
});
