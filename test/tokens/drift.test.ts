// Tests the drift: which bucket a ratio falls into, what is too small to tell, and what is sampled.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Drift, sampleOf } from '../../src/tokens/counter.ts';

const filled = (drift: Drift) => drift.counts.buckets.filter(({ count }) => count > 0);

test('a ratio falls into the first bucket that holds it, bounds included', () => {
  const drift = new Drift();
  for (const exact of [0, 50, 51, 100, 105, 106, 200, 201, 9000]) drift.observe(exact, 100);
  assert.deepEqual(filled(drift), [
    { atMost: 0.5, count: 2 },
    { atMost: 0.7, count: 1 },
    { atMost: 1.05, count: 2 },
    { atMost: 1.1, count: 1 },
    { atMost: 2, count: 1 },
    { atMost: Infinity, count: 2 },
  ]);
});

test('an estimate below 16 tokens is noise', () => {
  const drift = new Drift();
  drift.observe(100, 15);
  assert.equal(drift.counts.count, 0);
  drift.observe(16, 16);
  assert.deepEqual(filled(drift), [{ atMost: 1.05, count: 1 }]);
});

test('the buckets add up to the count, and the sum to the mean ratio', () => {
  const pairs = fc.array(fc.tuple(fc.nat({ max: 5000 }), fc.integer({ min: 16, max: 5000 })));
  fc.assert(
    fc.property(pairs, (observed) => {
      const drift = new Drift();
      for (const [exact, estimate] of observed) drift.observe(exact, estimate);
      const { buckets, count, sum } = drift.counts;
      assert.equal(count, observed.length);
      assert.equal(
        buckets.reduce((all, bucket) => all + bucket.count, 0),
        count,
      );
      const ratios = observed.map(([exact, estimate]) => exact / estimate);
      assert.ok(Math.abs(sum - ratios.reduce((a, b) => a + b, 0)) < 1e-6);
      for (const [i, { atMost, count: counted }] of buckets.entries()) {
        const above = buckets[i - 1]?.atMost ?? -1;
        assert.equal(counted, ratios.filter((ratio) => ratio > above && ratio <= atMost).length);
      }
    }),
  );
});

test('a sample is at most 8 texts, none over 8,000 characters, and ends once it has 4,096 characters', () => {
  const texts = (...lengths: readonly number[]) => lengths.map((length) => ({ text: 'x'.repeat(length), tokens: 1 }));
  const sampled = (...lengths: readonly number[]) => sampleOf(texts(...lengths)).map(({ text }) => text.length);
  assert.deepEqual(sampled(...Array.from({ length: 20 }, () => 10)), Array(8).fill(10));
  assert.deepEqual(sampled(8001, 10, 8000, 10), [10, 8000]);
  assert.deepEqual(sampled(4095, 1, 10), [4095, 1]);
});
