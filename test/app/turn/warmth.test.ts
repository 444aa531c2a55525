// Why a slot is as warm as it is, and what that saved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warmView } from '../../../src/app/turn/warmth.ts';
import type { Warmth } from '../../../src/core/engine/prefill.ts';

const prefill = {
  reused: 50,
  shifted: 0,
  decoded: 40,
  slotTokens: 60,
  approximate: 0,
  firstBreak: null,
  milliseconds: 80,
};
const warmth: Warmth = { warmed: 90, of: 90, prefill, settled: 0, unsettled: null };

const reasons: readonly (readonly [string, Warmth, 'auto' | 'shift'])[] = [
  ['only your message has to be decoded', warmth, 'auto'],
  ['the whole prompt was already in the cache', { ...warmth, prefill: { ...prefill, decoded: 0 } }, 'auto'],
  [
    'something came first: 10 tokens are left, about 1 s, and are decoded when the model is idle',
    { ...warmth, warmed: 80 },
    'auto',
  ],
  ['30 tokens after removed parts were decoded again, so the cache is exact', { ...warmth, settled: 30 }, 'auto'],
  [
    '70 tokens stay approximate: decoding them again would take about 95 s, more than a minute',
    { ...warmth, unsettled: 94_500, prefill: { ...prefill, approximate: 70 } },
    'auto',
  ],
  [
    '70 tokens stay approximate: tidemark.advanced.cacheReuse is "shift"',
    { ...warmth, prefill: { ...prefill, approximate: 70 } },
    'shift',
  ],
];

for (const [reason, given, reuse] of reasons) {
  test(`a slot is as warm as it is because: ${reason}`, () => {
    const view = warmView(given, reuse, { tokens: 100, milliseconds: 200 });
    assert.equal(view.reason, reason);
    assert.equal(view.savedMilliseconds, given.warmed * 2);
  });
}
