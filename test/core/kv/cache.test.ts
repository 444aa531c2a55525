// Headroom, and how fast prompts are decoded: numbers that only predict, so they are never without sense.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { noPace, paced, predicted } from '../../../src/core/kv/pace.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { cacheFor, growthOf, headroomFor } from '../../../src/core/turn/cache.ts';
import { end } from '../scenes/scene.ts';

const budget = budgetFor(8192, defaultPolicy);

test('only a slot that may keep what is moved up erases', () => {
  const able = (['auto', 'shift', 'exact', 'none'] as const).map((reuse) => cacheFor(reuse, true).erases);
  assert.deepEqual(able, [true, true, false, false]);
  assert.ok(!cacheFor('auto', false).erases);
});

test('leaves space for a turn and a half like the last four, at most half of the prompt', () => {
  const auto = cacheFor('auto', true);
  assert.equal(headroomFor(auto, [], budget), 0);
  assert.equal(headroomFor(auto, [9000, 100, 200, 300, 200], budget), 300);
  assert.equal(headroomFor(auto, [100], budget), 150);
  assert.equal(headroomFor(auto, [1_000_000], budget), Math.floor(budget.high / 2));
});

test('leaves none where idle work gains nothing: nothing is kept, or what is moved up stays so', () => {
  assert.equal(headroomFor(cacheFor('none', true), [400], budget), 0);
  assert.equal(headroomFor(cacheFor('shift', true), [400], budget), 0);
  assert.equal(headroomFor(cacheFor('shift', false), [400], budget), 600);
  assert.equal(headroomFor(cacheFor('exact', true), [400], budget), 600);
});

test('a turn grows the prompt by its own messages and its answer', async () => {
  const { outcome } = await end({ said: ['So it is.'], text: 'x'.repeat(400) });
  assert.equal(growthOf(outcome.report), 100 + Math.ceil('So it is.'.length / 4));
});

test('nothing is predicted before something was measured, and short stretches are no measure', () => {
  assert.equal(predicted(noPace, 100), null);
  assert.equal(predicted(paced(noPace, 15, 4000), 100), null);
  assert.equal(predicted(paced(noPace, 100, 50), 1000), 500);
  assert.equal(predicted(paced(noPace, 100, 50), 0), 0);
});

test('later measurements count more, and a prediction lies between the fastest and the slowest', () => {
  const slow = paced(noPace, 4096, 8192);
  assert.ok((predicted(paced(slow, 4096, 4096), 1000) ?? 0) < 1400);
  assert.ok(Math.abs((predicted(paced(slow, 10_000_000, 10_000_000), 1000) ?? 0) - 1000) < 1);
  const measurement = fc.tuple(fc.integer({ min: 16, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000_000 }));
  fc.assert(
    fc.property(fc.array(measurement, { minLength: 1, maxLength: 30 }), (all) => {
      const rates = all.map(([tokens, milliseconds]) => milliseconds / tokens);
      const rate =
        predicted(
          all.reduce((pace, [tokens, time]) => paced(pace, tokens, time), noPace),
          1,
        ) ?? Number.NaN;
      assert.ok(rate >= Math.min(...rates) * 0.999 && rate <= Math.max(...rates) * 1.001);
    }),
  );
});
