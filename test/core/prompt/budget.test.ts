// Tests the budget: marks follow from the window and the policy, in whole tokens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { budgetFor, defaultPolicy, thoughtsFor, thoughtsWithin } from '../../../src/core/prompt/budget.ts';
import { cases } from '../../cases.ts';
import { policies } from '../scenes/play.ts';

test('a window of 8192 has these marks', () => {
  assert.deepEqual(budgetFor(8192, defaultPolicy), {
    window: 8192,
    reserve: 1024,
    high: 7168,
    low: 5376,
    pruneAt: 3584,
    resultCap: 2150,
    workspaceCap: 1433,
  });
});

test('a budget is what its arguments make of it, whatever was asked before', () => {
  for (const [window, reserve, thoughts] of [
    [131_072, 8000, 4096],
    [1024, 64, 0],
  ] as const) {
    budgetFor(window, { ...defaultPolicy, reserve, trimTarget: 0.5 }, thoughts);
    const now = budgetFor(8192, defaultPolicy);
    assert.deepEqual([now.reserve, now.high, now.low], [1024, 7168, 5376]);
  }
});

test('the reserve is never more than a quarter of the window', () => {
  assert.deepEqual(budgetFor(2048, defaultPolicy).reserve, 512);
  assert.deepEqual(budgetFor(4096, { ...defaultPolicy, reserve: 100 }).reserve, 100);
});

test('thoughts have tokens of their own beside the answer, as far as a quarter of the window has them', () => {
  const thinks = (window: number, thoughts = thoughtsFor(window)) => {
    const budget = budgetFor(window, defaultPolicy, thoughts);
    return [budget.reserve, thoughtsWithin(budget, defaultPolicy, thoughts)];
  };
  assert.deepEqual(thinks(4096), [1024, 512]);
  assert.deepEqual(thinks(8192), [2048, 1024]);
  assert.deepEqual(thinks(32_768), [5120, 4096]);
  assert.deepEqual(thinks(131_072), [5120, 4096]);
  assert.deepEqual(thinks(8192, 16_000), [2048, 1024]);
});

test('marks are whole tokens in their order, and high water and reserve fill the window', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200_000 }), policies, (window, policy) => {
      const budget = budgetFor(window, policy);
      assert.equal(budget.high + budget.reserve, window);
      assert.ok(budget.reserve * 4 <= window);
      assert.ok(budget.low <= budget.high && budget.pruneAt <= budget.high && budget.resultCap <= budget.high);
      for (const tokens of Object.values(budget)) assert.ok(Number.isInteger(tokens) && tokens >= 0);
    }),
    { numRuns: cases(300) },
  );
});
