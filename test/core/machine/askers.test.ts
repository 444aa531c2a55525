// The table of those who ask the engine: its ranks, its chunks, and that the documentation says the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { noPace } from '../../../src/core/kv/pace.ts';
import { allAskers, askers, askersTable, chunkOf, givesWay, largestBatch } from '../../../src/core/machine/askers.ts';

const decoding = allAskers.filter((asker) => askers[asker].place !== 'none');

test('of any two of other ranks one gives way, and only a warm-up and text at the caret give way to their own kind', () => {
  for (const one of allAskers)
    for (const other of allAskers) {
      const both = [givesWay(one, other), givesWay(other, one)];
      const isEqual = askers[one].rank === askers[other].rank;
      assert.deepEqual(
        both.filter(Boolean).length,
        isEqual ? (one === other && askers[one].latest === true ? 2 : 0) : 1,
        `${one}, ${other}`,
      );
    }
});

test('a chunk takes about 100 ms, that of an answer 500, from 16 tokens to what the table says', () => {
  const pace = (perSecond: number) => ({ tokens: perSecond, milliseconds: 1000 });
  assert.deepEqual(
    [20, 300, 1000, 2500, 1e6].map((perSecond) => chunkOf('warm', pace(perSecond))),
    [16, 16, 96, 240, 512],
  );
  assert.equal(chunkOf('answer', noPace), 64);
  assert.equal(chunkOf('probe', pace(1e6)), askers.probe.most);
  const numbers = fc.integer({ min: 1, max: 1e6 });
  fc.assert(
    fc.property(fc.constantFrom(...decoding), numbers, numbers, (asker, tokens, milliseconds) => {
      const chunk = chunkOf(asker, { tokens, milliseconds });
      assert.ok(chunk >= 16 && chunk <= Math.min(largestBatch, askers[asker].most));
      assert.ok(chunk === 16 || (chunk * milliseconds) / tokens <= (askers[asker].milliseconds ?? 100));
    }),
  );
});

test('the documentation has the table', () => {
  const text = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8');
  assert.ok(text.includes(askersTable()), `ARCHITECTURE.md is to say:\n${askersTable()}`);
});
