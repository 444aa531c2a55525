// Giving way to the memory: in few steps, the window last, and never below what a turn needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lessMemory, type MemoryTry, spaceWords } from '../../../src/core/machine/lessMemory.ts';

function steps(from: MemoryTry): readonly MemoryTry[] {
  const next = lessMemory(from);
  return next === null ? [] : [next, ...steps(next)];
}

test('each step asks for less, first of the GPU, and the last window is never below 2,048', () => {
  const tries = fc.record({ layers: fc.nat(200), window: fc.integer({ min: 2048, max: 1_000_000 }) });
  fc.assert(
    fc.property(tries, (from) => {
      const all = [from, ...steps(from)];
      assert.ok(all.length < 40);
      all.slice(1).forEach((one, i) => {
        const before = all[i] ?? one;
        assert.ok(one.layers < before.layers ? one.window === before.window : one.window < before.window);
        assert.ok(one.window === from.window || one.layers === 0);
        assert.ok(one.window >= 2048);
      });
    }),
  );
});

test('what was asked and what fits is said', () => {
  const asked = { layers: 33, window: 16384 };
  assert.equal(
    spaceWords(asked, { layers: 16, window: 16384 }),
    'There is not enough memory for 33 layers on the GPU and a window of 16,384 tokens: 16 layers fit.',
  );
  assert.equal(
    spaceWords(asked, { layers: 0, window: 8192 }),
    'There is not enough memory for 33 layers on the GPU and a window of 16,384 tokens: 8,192 tokens fit.',
  );
});
