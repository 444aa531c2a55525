// A window that nobody set, from the header of a file to the model that is loaded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryPlan } from '../../../src/core/machine/memoryPlan.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { loadParams, startEngine } from '../scenes/engineUnderTest.ts';

const { client } = startEngine();
const modelPath = nanoModel({ contextLength: 32_768 });
const auto = loadParams({ modelPath, contextSize: null });

test('a window that nobody set is chosen before the model is loaded, and is the one it gets', async () => {
  const info = await client.request('load', auto);
  assert.deepEqual([info.contextSize, info.memory?.window], [32_768, 32_768]);
  assert.deepEqual(info.memory?.limit, { is: 'trained' });
  const set = await client.request('load', { ...auto, contextSize: 8192 });
  assert.deepEqual([set.contextSize, set.memory?.limit], [8192, undefined]);
});

test('the pace that was measured of that file counts, and of no other one', async () => {
  const { fingerprint } = await client.request('load', auto);
  const estimated = (paces: Readonly<Record<string, number>>): Promise<MemoryPlan> =>
    client.request('estimate', { ...auto, paces });
  const slow = await estimated({ [fingerprint]: 8000 });
  assert.equal(slow.window, 16_384, JSON.stringify(slow.limit));
  assert.ok(slow.limit?.is === 'pace' && slow.limit.pace.measured && slow.limit.next === 32_768);
  assert.equal((await estimated({ other: 8000 })).window, 32_768);
  const info = await client.request('load', { ...auto, paces: { [fingerprint]: 10 } });
  assert.equal(info.contextSize, 8192);
});

test('a model that was trained for less than the least window gets that', async () => {
  const short = await client.request(
    'load',
    loadParams({ modelPath: nanoModel({ contextLength: 1024 }), contextSize: null }),
  );
  assert.equal(short.contextSize, 1024);
});
