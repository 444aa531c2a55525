// Tests the map of what was used most recently, against a naive one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyOf, Recent } from '../../src/tokens/counter.ts';
import { cases } from '../cases.ts';

test('what was used longest ago goes first, and a get is a use', () => {
  const recent = new Recent<number>(2);
  recent.set('a', 1);
  recent.set('b', 2);
  assert.equal(recent.get('a'), 1);
  recent.set('c', 3);
  assert.deepEqual([recent.has('a'), recent.has('b'), recent.has('c')], [true, false, true]);
  assert.deepEqual([recent.get('b'), recent.hits, recent.misses], [undefined, 1, 1]);
});

test('a capacity below one, or that is no number, holds nothing', () => {
  for (const capacity of [0, -1, 0.5, NaN]) {
    const recent = new Recent<number>(capacity);
    recent.set('a', 1);
    assert.equal(recent.size, 0);
  }
});

test('a key is short whatever the text, and differs by text and by model', () => {
  const long = keyOf('model', 'x'.repeat(100_000));
  assert.equal(long.length, 'model:'.length + 43);
  assert.equal(new Set([long, keyOf('model', ''), keyOf('other', ''), keyOf('model', 'x')]).size, 4);
  assert.equal(keyOf('model', 'x'), keyOf('model', 'x'));
});

type Step = { readonly get: string } | { readonly set: string } | { readonly capacity: number };
const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ get: keys }) },
    { weight: 5, arbitrary: fc.record({ set: keys }) },
    { weight: 1, arbitrary: fc.record({ capacity: fc.nat({ max: 6 }) }) },
  ),
  { maxLength: 100 },
);

test('it agrees with a list that is searched from the end, and never holds more than its capacity', () => {
  fc.assert(
    fc.property(steps, (done) => {
      const recent = new Recent<number>(3);
      let list: readonly (readonly [string, number])[] = [];
      let capacity = 3;
      let hits = 0;
      const move = (key: string, value: number) => [...list.filter(([other]) => other !== key), [key, value] as const];
      done.forEach((step, i) => {
        if ('get' in step) {
          const value = list.find(([key]) => key === step.get)?.[1];
          assert.equal(recent.get(step.get), value);
          if (value !== undefined) list = move(step.get, value);
          if (value !== undefined) hits += 1;
        } else if ('set' in step) {
          recent.set(step.set, i);
          list = move(step.set, i);
        } else {
          recent.capacity = step.capacity;
          capacity = step.capacity;
        }
        list = capacity === 0 ? [] : list.slice(-capacity);
        assert.ok(recent.size <= capacity);
        assert.equal(recent.size, list.length);
        assert.ok(list.every(([key]) => recent.has(key)));
      });
      const gets = done.filter((step) => 'get' in step).length;
      assert.deepEqual([recent.hits, recent.misses, recent.capacity], [hits, gets - hits, capacity]);
    }),
    { numRuns: cases(500) },
  );
});
