// A short soak of the slots with a fixed seed: whatever is cancelled or killed, a slot holds exactly its prompt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlotSoak } from './slots.ts';

const seed = 21;

test('after forty cancels and two kills every slot held its prompt token by token, and settled ones answer like empty ones', async (t) => {
  const soak = new SlotSoak(seed);
  t.after(() => soak.dispose());
  await soak.begin();
  for (let n = 0; n < 40; n++) await soak.cancel();
  for (let n = 0; n < 2; n++) await soak.kill();
  const { prefill, generation, idle } = soak.cancelled;
  assert.deepEqual(soak.mismatches, [], `seed ${seed}`);
  assert.ok(prefill > 2 && generation > 2 && idle > 0, JSON.stringify(soak.cancelled));
  // Random weights have near ties, and other batches round otherwise; a stale slot would differ nearly every time.
  assert.ok(soak.compared.answers > 2 && soak.compared.different <= 1);
  assert.equal(soak.recoveries.length, 2);
});
