// The window that is chosen where the user set none: by memory, by the pace of the machine, and by what the model was trained for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoryWords } from '../../../src/app/model/engineViews.ts';
import {
  autoWindows,
  chooseWindow,
  leastAuto,
  secondsToRead,
  type WindowRequest,
} from '../../../src/core/machine/autoWindow.ts';
import { type ModelMemory, planMemory, type ReadingPace } from '../../../src/core/machine/memoryPlan.ts';

const gigabyte = 1e9;
const inRam = (ram: number) => ({ ram, gpu: 0 });

/** Qwen2.5-7B in Q4_K_M, about: a window of 65,536 tokens takes 3.8 GB. */
const seven: ModelMemory = {
  weights: inRam(4.7 * gigabyte),
  repacked: 4.7 * gigabyte,
  compute: inRam(0.3 * gigabyte),
  slot: { fixed: inRam(0), perToken: inRam(57_344) },
  checkpoint: 0,
  kinds: { experts: 0, recurrent: 0, windowed: { fixed: 0, perToken: 0 } },
  passing: inRam(0.1 * gigabyte),
  beside: inRam(0),
};

const pace = (tokensPerSecond: number, attention = 0): ReadingPace => ({ tokensPerSecond, measured: true, attention });

function request({
  ram = 64,
  free = 0.8 * ram,
  ...more
}: Partial<Omit<WindowRequest, 'free'>> & { ram?: number; free?: number } = {}): WindowRequest {
  const machine = { total: ram * gigabyte, free: inRam(free * gigabyte), shared: 0 };
  return { slots: 1, conversations: 1, allowed: null, trained: 131_072, pace: null, ...machine, ...more };
}

const chosen = (wanted: WindowRequest, model = seven) => chooseWindow(() => model, wanted);

test('the largest window is chosen where memory, pace and training allow it', () => {
  assert.deepEqual(chosen(request()), { window: 65_536, limit: { is: 'largest' } });
  assert.deepEqual(chosen(request({ pace: pace(2000) })), { window: 65_536, limit: { is: 'largest' } });
});

test('a window is never larger than the model was trained for', () => {
  const window = (trained: number | null) => chosen(request({ trained }));
  for (const [trained, expected] of [
    [131_072, 65_536],
    [32_768, 32_768],
    [40_000, 32_768],
    [2048, 2048],
    [null, 8192],
  ] as const)
    assert.equal(window(trained).window, expected);
  assert.deepEqual(window(32_768).limit, { is: 'trained' });
  assert.deepEqual(window(2048).limit, { is: 'trained' });
});

test('a model leaves half of the main memory to others, and what is free now bounds it too', () => {
  const windows = [8, 12, 12.5, 14, 18].map((ram) => chosen(request({ ram, free: ram })).window);
  assert.deepEqual(windows, [8192, 8192, 16_384, 32_768, 65_536]);
  const crowded = chosen(request({ ram: 64, free: 11 }));
  assert.equal(crowded.window, 16_384);
  assert.equal(crowded.limit.is === 'memory' && crowded.limit.next, 32_768);
});

test('what is free at the moment changes nothing while the window fits into it', () => {
  const windows = [12, 13, 14].map((free) => chosen(request({ ram: 14, free })).window);
  assert.deepEqual(new Set(windows), new Set([32_768]));
});

test('conversations that stay in memory, a budget and the memory of a GPU bound it', () => {
  assert.equal(chosen(request({ ram: 24, free: 24, conversations: 3 })).window, 32_768);
  assert.equal(chosen(request({ allowed: 6.1 * gigabyte })).window, 16_384);
  const onGpu: ModelMemory = {
    ...seven,
    weights: { ram: 0, gpu: 4.7 * gigabyte },
    repacked: 0,
    slot: { fixed: inRam(0), perToken: { ram: 0, gpu: 57_344 } },
  };
  const gpu = (size: number, more = {}) =>
    chosen({ ...request(more), free: { ram: 50e9, gpu: size * gigabyte } }, onGpu);
  assert.deepEqual([gpu(6).window, gpu(8).window, gpu(12).window], [8192, 32_768, 65_536]);
  const unified = gpu(12, { ram: 16, shared: 12 * gigabyte });
  assert.equal(unified.window, 32_768, 'the memory of that GPU is main memory');
});

test('a machine that reads slowly gets a window that it reads in two minutes, and the least one whatever it takes', () => {
  const windows = [5, 47, 137, 274, 547].map((tokens) => chosen(request({ pace: pace(tokens) })).window);
  assert.deepEqual(windows, [8192, 8192, 16_384, 32_768, 65_536]);
  const { limit } = chosen(request({ pace: pace(47) }));
  assert.equal(limit.is === 'pace' && Math.round(limit.seconds), 349);
});

test('attention makes a long window slower to read than its tokens alone', () => {
  const small = pace(600, 8.6e-5);
  assert.ok(secondsToRead(65_536, small) > 3.5 * secondsToRead(65_536, pace(600)));
  assert.deepEqual(
    [chosen(request({ pace: small })).window, chosen(request({ pace: pace(600) })).window],
    [16_384, 65_536],
  );
});

test('more memory, a faster machine or a longer training never make the window smaller', () => {
  const bundleRequest = fc.record({
    ram: fc.double({ min: 4, max: 128, noNaN: true }),
    tokens: fc.double({ min: 1, max: 5000, noNaN: true }),
    trained: fc.integer({ min: 512, max: 262_144 }),
  });
  fc.assert(
    fc.property(bundleRequest, fc.double({ min: 1, max: 4, noNaN: true }), ({ ram, tokens, trained }, more) => {
      const at = (a: number, b: number, c: number) =>
        chosen(request({ ram: a, pace: pace(b, 1e-5), trained: Math.floor(c) })).window;
      const window = at(ram, tokens, trained);
      assert.ok(autoWindows.some((one) => one === window) || (window === trained && trained < leastAuto));
      for (const other of [
        at(ram * more, tokens, trained),
        at(ram, tokens * more, trained),
        at(ram, tokens, trained * more),
      ])
        assert.ok(other >= window);
    }),
  );
});

test('each reason is said, and none for a window that the user set', () => {
  const said = (wanted: WindowRequest) => {
    const { window, limit } = chosen(wanted);
    const plan = planMemory(seven, { ...wanted, window });
    assert.ok(plan !== null);
    return memoryWords({ ...plan, limit });
  };
  assert.match(said(request()), / The window is 65,536 tokens, the largest that is chosen automatically \(tidemark/);
  assert.match(said(request({ trained: 40_000 })), / is 32,768 tokens: the model was trained for no larger one of /);
  assert.match(
    said(request({ ram: 12.5, free: 12.5 })),
    / is 16,384 tokens: 32,768 would take about 11\.7 GB, which leaves too little memory to other programs\./,
  );
  assert.match(
    said(request({ pace: pace(47) })),
    / is 8,192 tokens: to read 16,384 would take about 6 minutes at 47 tokens per second at first and fewer as the prompt grows, as measured here\./,
  );
  assert.match(
    said(request({ pace: { ...pace(47), measured: false } })),
    / estimated until the model has been tested\./,
  );
  const set = planMemory(seven, { ...request(), window: 8192 });
  assert.doesNotMatch(set === null ? '' : memoryWords(set), /The window is/);
});
