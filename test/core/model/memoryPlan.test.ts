// The memory that a model takes, and the window and slots that fit, planned before it is loaded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoryWords } from '../../../src/app/model/engineViews.ts';
import {
  chooseCache,
  fitsComfortably,
  kvAt,
  leastMemory,
  leastWindow,
  type MemoryPlan,
  type MemoryRequest,
  type ModelMemory,
  planMemory,
  withCheckpoints,
} from '../../../src/core/machine/memoryPlan.ts';

const megabyte = 1e6;
const inRam = (ram: number) => ({ ram, gpu: 0 });

/** Qwen2.5-7B in Q4_K_M, about: 56 KB of KV cache per token. */
const seven: ModelMemory = {
  weights: inRam(4700 * megabyte),
  repacked: 4700 * megabyte,
  compute: inRam(300 * megabyte),
  slot: { fixed: inRam(0), perToken: inRam(57_344) },
  checkpoint: 0,
  kinds: { experts: 0, recurrent: 0, windowed: { fixed: 0, perToken: 0 } },
  passing: { ram: 0, gpu: 0 },
  beside: { ram: 0, gpu: 0 },
};

/** `ram` is free, and `allowed` where the user gave a budget. */
const request = ({
  ram = 20_000 * megabyte,
  ...other
}: Partial<MemoryRequest> & { ram?: number } = {}): MemoryRequest => ({
  window: 8192,
  slots: 1,
  conversations: 1,
  free: inRam(ram),
  allowed: null,
  ...other,
});

function planOf(model: ModelMemory, wanted: MemoryRequest): MemoryPlan {
  const plan = planMemory(model, wanted);
  assert.ok(plan !== null);
  return plan;
}

test('what a model takes is weights, their copies, compute buffers and the cache of each slot', () => {
  const plan = planOf(seven, request({ slots: 2 }));
  assert.equal(plan.kv, 2 * 8192 * 57_344);
  assert.equal(plan.needed.ram, plan.weights + plan.repacked + plan.compute + plan.kv);
  assert.deepEqual([plan.window, plan.slots, plan.conversations], [8192, 2, 1]);
});

test('as many conversations stay in memory as fit beside the copies, and each has all its slots', () => {
  const wanted = { slots: 2, conversations: 4 };
  assert.equal(planOf(seven, request(wanted)).slots, 8);
  const forTwo = planOf(seven, request({ ...wanted, conversations: 2 })).needed.ram;
  assert.equal(planOf(seven, request({ ...wanted, ram: forTwo })).slots, 4);
  assert.equal(planOf(seven, request({ ...wanted, ram: forTwo - 1 })).slots, 2);
});

test('what happens to be free changes neither the window nor whether the model is tried', () => {
  const plan = planOf(seven, request({ ram: 1 * megabyte }));
  assert.deepEqual([plan.window, plan.conversations], [8192, 1]);
});

test('the KV cache of another window is that of its own plan', () => {
  const plan = planOf(seven, request({ window: 8192, slots: 2 }));
  assert.equal(kvAt(plan, 32_768), planOf(seven, request({ window: 32_768, slots: 2 })).kv);
});

test('a budget that the user gave shrinks the window, to the largest one that fits', () => {
  const plan = planOf(seven, request({ allowed: 5300 * megabyte }));
  assert.equal(plan.window, 5120);
  assert.ok(plan.needed.ram - plan.repacked <= 5300 * megabyte);
});

test('three checkpoints of each slot count for what a model takes, beside one that is being taken', () => {
  const hybrid = { ...seven, checkpoint: 100 * megabyte };
  const plan = planOf(hybrid, request({ slots: 2 }));
  assert.equal(plan.needed.ram, planOf(seven, request({ slots: 2 })).needed.ram + 700 * megabyte);
  assert.match(memoryWords(plan), /in each of 2 slots, stored cache states up to 700 MB, compute buffers/);
  assert.equal(planOf(hybrid, request({ allowed: 5700 * megabyte })).window, 5120);
  const plain = planOf(seven, request());
  assert.equal(withCheckpoints(plain, 100), plain);
});

test('more checkpoints take a quarter of the memory that could be used comfortably, and never more than find a place', () => {
  const hybrid = { ...seven, repacked: 0, checkpoint: 100 * megabyte };
  const most = (ram: number, use = 130) => {
    const plan = withCheckpoints(planOf(hybrid, request({ slots: 2, ram: ram * megabyte })), use);
    assert.ok(plan.checkpoints.most === 3 || fitsComfortably(plan));
    return plan.checkpoints.most;
  };
  assert.equal(most(1000), 3);
  assert.equal(most(9000), 3);
  assert.equal(most(16_000), 3 + Math.floor((0.25 * (12_000 - 5700 - 939.6)) / 200));
  assert.equal(most(2_000_000), 130);
  assert.equal(most(2_000_000, 20), 20);
});

/** Forty layers with a window of 1,024 tokens and eight that see all: Gemma 4 12B, about. */
const sliding = {
  full: {
    ...seven,
    slot: { fixed: inRam(0), perToken: inRam(344_064) },
    kinds: { experts: 0, recurrent: 0, windowed: { fixed: 0, perToken: 327_680 } },
  },
  windowed: {
    ...seven,
    slot: { fixed: inRam(587 * megabyte), perToken: inRam(16_384) },
    checkpoint: 335 * megabyte,
    kinds: { experts: 0, recurrent: 0, windowed: { fixed: 587 * megabyte, perToken: 0 } },
  },
};

function cacheOf(wanted: MemoryRequest, total: number): MemoryPlan | null {
  return chooseCache(planMemory(sliding.full, wanted), planMemory(sliding.windowed, wanted), total * megabyte);
}

test('a cache of full size is taken where it costs a sixteenth of the memory at most', () => {
  const wanted = request({ window: 8192, ram: 60_000 * megabyte });
  assert.equal(cacheOf(wanted, 64_000)?.isWindowed, false);
  assert.equal(cacheOf(wanted, 8000)?.isWindowed, true);
  assert.equal(cacheOf({ ...wanted, window: 32_768 }, 64_000)?.isWindowed, true);
});

test('a cache of full size takes the place of nothing that was wanted', () => {
  const wanted = request({ window: 8192, ram: 60_000 * megabyte });
  assert.equal(cacheOf({ ...wanted, free: inRam(7500 * megabyte) }, 64_000)?.isWindowed, true, 'it does not fit');
  const small = cacheOf({ ...wanted, allowed: 7500 * megabyte }, 64_000);
  assert.deepEqual([small?.isWindowed, small?.window], [true, 8192], 'the window would be smaller');
  const two = cacheOf({ ...wanted, conversations: 2, free: inRam(14_800 * megabyte) }, 64_000);
  assert.deepEqual([two?.isWindowed, two?.conversations], [true, 2], 'one conversation would go');
  assert.equal(chooseCache(planMemory(seven, wanted), null, 64_000 * megabyte)?.isWindowed, false);
});

test('the parts of weights and cache are said by the kind of layer', () => {
  const kinds = { experts: 4000 * megabyte, recurrent: 50 * megabyte, windowed: { fixed: 0, perToken: 1000 } };
  const plan = planOf({ ...seven, slot: { ...seven.slot, fixed: inRam(50 * megabyte) }, kinds }, request({ slots: 2 }));
  const { attention, windowed, recurrent } = plan.kinds;
  assert.equal(attention + windowed + recurrent, plan.kv);
  assert.deepEqual([windowed, recurrent], [2 * 8192 * 1000, 100 * megabyte]);
  assert.match(memoryWords(plan), /weights 4\.7 GB \(4\.0 GB of them experts\)/);
  assert.match(
    memoryWords(plan),
    /slots \(attention 923 MB, sliding windows of full size 16 MB, running state 100 MB\)/,
  );
  const kept = planOf(sliding.windowed, request());
  assert.match(memoryWords(kept), /tokens \(attention 134 MB, sliding windows 587 MB\), stored cache states/);
});

test('a budget larger than what is free keeps no more conversations than are free to keep', () => {
  const wanted = request({ conversations: 4, ram: 10_700 * megabyte, allowed: 64_000 * megabyte });
  assert.equal(planOf(seven, wanted).conversations, 2);
});

test('a budget in which not even the smallest window fits is refused, and it is known what would do', () => {
  const wanted = request({ allowed: 5000 * megabyte });
  assert.equal(planMemory(seven, wanted), null);
  const needed = leastMemory(seven, wanted);
  assert.equal(planMemory(seven, request({ allowed: needed }))?.window, leastWindow);
});

test('the memory of a GPU bounds the conversations too', () => {
  const onGpu: ModelMemory = {
    ...seven,
    slot: { fixed: inRam(0), perToken: { ram: 0, gpu: 57_344 } },
  };
  const gpu = 3 * 8192 * 57_344;
  const wanted = request({ conversations: 4, free: { ram: 20_000 * megabyte, gpu } });
  assert.equal(planOf(onGpu, wanted).conversations, 3);
  const tight = { ...wanted, free: { ram: 20_000 * megabyte, gpu: 1 }, allowed: 20_000 * megabyte };
  assert.equal(planOf(onGpu, tight).window, 8192, 'a budget is of the main memory, and the window follows it alone');
  assert.match(memoryWords(planOf(onGpu, tight)), / That is more than is free: /);
});

test("main memory and the GPU's are said apart: a budget is of the one only", () => {
  const onGpu: ModelMemory = { ...seven, weights: { ram: 0, gpu: 4700 * megabyte }, repacked: 0 };
  const wanted = request({ free: { ram: 20_000 * megabyte, gpu: 8000 * megabyte }, allowed: 1000 * megabyte });
  const said = /^Memory: about 770 MB of 1\.0 GB allowed, and 4\.7 GB of 8\.0 GB free on the GPU: weights 4\.7 GB, /;
  assert.match(memoryWords(planOf(onGpu, wanted)), said);
});

test('the context for tests goes before a conversation does, and before the window; where nobody asks for it there is none', () => {
  const model = { ...seven, passing: inRam(100 * megabyte) };
  const wanted = { conversations: 2 };
  const both = planOf(seven, request(wanted)).needed.ram;
  const plans = [both + 100 * megabyte, both + 99 * megabyte, both - 1].map((ram) =>
    planOf(model, request({ ...wanted, ram })),
  );
  assert.deepEqual(
    plans.map(({ conversations, passing, window }) => [conversations, passing, window]),
    [
      [2, 100 * megabyte, 8192],
      [2, null, 8192],
      [1, 100 * megabyte, 8192],
    ],
  );
  const [whole, less] = plans;
  assert.ok(whole !== undefined && less !== undefined);
  assert.equal(whole.needed.ram, both + 100 * megabyte);
  assert.match(memoryWords(whole), /compute buffers 300 MB, for tests of the model 100 MB\.$/);
  assert.match(memoryWords(less), / The model is tested in the slot of a conversation, .* not enough memory /);
  const tight = planOf(model, request({ allowed: 5300 * megabyte }));
  assert.deepEqual([tight.window, tight.passing], [5120, null]);
  const summaries = planOf(model, request({ askers: ['summary'] }));
  assert.equal(summaries.passing, null);
  assert.doesNotMatch(memoryWords(summaries), /tested|tests/);
});

test('no plan passes a given budget, and a larger budget never gives a smaller window or fewer conversations', () => {
  const amount = fc.integer({ min: 0, max: 8000 }).map((mb) => mb * megabyte);
  const requests = fc.record({
    window: fc.integer({ min: 512, max: 65_536 }),
    slots: fc.integer({ min: 1, max: 2 }),
    conversations: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(amount, amount, amount, requests, amount, amount, (weights, repacked, compute, wanted, ram, more) => {
      const perToken = inRam(weights / 100_000);
      const model = {
        weights: inRam(weights),
        repacked,
        compute: inRam(compute),
        slot: { fixed: inRam(0), perToken },
        checkpoint: 0,
        kinds: { experts: 0, recurrent: 0, windowed: { fixed: 0, perToken: 0 } },
        passing: { ram: 0, gpu: 0 },
        beside: { ram: 0, gpu: 0 },
      };
      const small = planMemory(model, request({ ...wanted, allowed: ram }));
      const large = planMemory(model, request({ ...wanted, allowed: ram + more }));
      if (small === null) return;
      assert.ok(small.needed.ram - repacked <= ram);
      assert.ok(small.conversations === 1 || small.needed.ram <= ram);
      assert.ok(large !== null && large.window >= small.window);
      assert.ok(large.window > small.window || large.conversations >= small.conversations);
    }),
  );
});

test('the words say the parts, and why something is less than was wanted', () => {
  assert.equal(
    memoryWords(planOf(seven, request())),
    'Memory: about 10.2 GB of 20.0 GB free: weights 4.7 GB and 4.7 GB repacked for this processor, KV cache 470 MB for 8,192 tokens, compute buffers 300 MB.',
  );
  assert.match(
    memoryWords(planOf(seven, request({ slots: 2 }))),
    /KV cache 940 MB for 8,192 tokens in each of 2 slots/,
  );
  assert.match(
    memoryWords(planOf(seven, request({ allowed: 5300 * megabyte }))),
    /of 5\.3 GB allowed.* The window is 5,120 tokens instead of 8,192, which would take more than tidemark\.model\.memoryMegabytes\./,
  );
  assert.match(
    memoryWords(planOf(seven, request({ conversations: 3, ram: 11_000 * megabyte }))),
    / 2 conversations stay in memory instead of 3 \(tidemark\.cache\.conversations\): not enough memory\.$/,
  );
  assert.match(memoryWords(planOf(seven, request({ ram: 1000 * megabyte }))), / That is more than is free: /);
  assert.match(
    memoryWords(planOf(seven, request({ allowed: 5600 * megabyte }))),
    /^Memory: about 10\.2 GB of 5\.6 GB allowed: .* The system can reclaim memory for the repacked weights\. The model is tested in the slot /,
  );
  const unpacked = { ...seven, repacked: 0 };
  assert.match(memoryWords(planOf(unpacked, request())), /weights 4\.7 GB, KV cache/);
});
