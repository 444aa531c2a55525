// A slot on real llama.cpp goes back far enough where a model's memory has gaps, counts every token that was decoded, and stays usable when something
// fails.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getLlama, type Llama, type LlamaContextSequence, LlamaLogLevel, type Token } from 'node-llama-cpp';
import { type Image, type ImagePiece, tokensOf } from '../../../src/core/kv/kvImage.ts';
import type { CacheReuse, Prefill } from '../../../src/core/model/model.ts';
import { checkpointLimits } from '../../../src/engine/worker/slot/checkpoints.ts';
import { Slot } from '../../../src/engine/worker/slot/slot.ts';
import { hybridModel, latentModel, slidingModel, slidingWindow } from '../../models/otherMemories.ts';
import { nanoModel } from '../../models/scenes/nano.ts';

let llama: Llama;

before(async () => {
  llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: LlamaLogLevel.error });
});
after(() => llama.dispose());

async function open(modelPath: string, swaFullCache = true, checkpoints = 66): Promise<() => Promise<Slot>> {
  const model = await llama.loadModel({ modelPath });
  return async () => {
    const context = await model.createContext({ contextSize: 4096, batchSize: 512, threads: 1, swaFullCache });
    const sequence = context.getSequence({ checkpoints: checkpointLimits });
    return new Slot(sequence, { erases: !sequence.needsCheckpoints, verify: true, checkpoints });
  };
}

/** Segments of 100 tokens behind a head of 200; the same number is the same segment. */
function image(...numbers: readonly number[]): Image {
  const tokens = (n: number, length: number) => Array.from({ length }, (_, i) => (i * i * 31 + n * 977 + i) % 4000);
  const head: ImagePiece = {
    of: { key: 'system', layer: 'system', item: null, part: 'text', generated: false },
    tokens: tokens(0, 200),
  };
  const segment = (n: number): ImagePiece => ({
    of: { key: `s${n}`, layer: 'history', item: `s${n}`, part: 'text', generated: false },
    tokens: tokens(n, 100),
  });
  return { pieces: [head, ...numbers.map(segment)], tools: '' };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

function fill(slot: Slot, prompt: Image, reuse: CacheReuse = 'auto', signal = new AbortController().signal) {
  return slot.fill(prompt, { asker: 'answer', reuse, signal });
}

/** Fills and holds the report to what the library's meter saw. */
async function counted(slot: Slot, prompt: Image, reuse: CacheReuse = 'auto'): Promise<Prefill> {
  const meter = slot.sequence.tokenMeter.getState();
  const prefill = await fill(slot, prompt, reuse);
  const { usedInputTokens } = slot.sequence.tokenMeter.diff(meter);
  assert.equal(prefill.decoded + prefill.shifted, usedInputTokens);
  assert.equal(prefill.reused + prefill.shifted + prefill.decoded, tokensOf(prompt).length);
  return prefill;
}

/** The next token's probabilities. Adds one token to the sequence. */
async function next(sequence: LlamaContextSequence): Promise<ReadonlyMap<Token, number>> {
  const [row] = await sequence.controlledEvaluate([[7 as Token, { generateNext: { probabilities: true } }]]);
  return row?.next.probabilities ?? new Map();
}

/** The largest difference to a slot that never held anything else. */
async function distance(slot: Slot, prompt: Image, another: () => Promise<Slot>): Promise<number> {
  const fresh = await another();
  await fill(fresh, prompt);
  const [used, wanted] = [await next(slot.sequence), await next(fresh.sequence)];
  await fresh.sequence.context.dispose();
  return Math.max(...[...wanted].map(([token, p]) => Math.abs(p - (used.get(token) ?? 0))));
}

/** The next calls of this method do what they should, and fail all the same. */
function failAfter(sequence: LlamaContextSequence, method: keyof LlamaContextSequence): void {
  const real = Reflect.get(sequence, method) as (...args: unknown[]) => Promise<unknown>;
  const value = async (...args: unknown[]) => {
    await real.apply(sequence, args);
    throw new Error('broken');
  };
  Object.defineProperty(sequence, method, { configurable: true, value });
}

/** Other batches round otherwise; a part of the window that is missing makes more than ten times this. */
const rounding = 1e-4;

test('a sliding window without the full cache goes back before the window has a gap', async () => {
  const another = await open(slidingModel(), false);
  for (const back of [1, 3, 5, 8, 9, 10, 12, 17]) {
    const slot = await another();
    await counted(slot, image(...range(1, 19)));
    const prompt = image(...range(1, 19 - back), 90);
    const { reused } = await counted(slot, prompt);
    assert.ok(reused > 0 && reused <= 2000 - back * 100, `back by ${back}: ${reused} reused`);
    assert.ok(2000 - back * 100 - reused <= 1000, `back by ${back}: ${reused} reused`);
    assert.ok((await distance(slot, prompt, another)) < rounding, `back by ${back}`);
    await slot.sequence.context.dispose();
  }
});

test('with three checkpoints a windowed cache goes on as a fresh one does, and each takes no more than the windows', async () => {
  const another = await open(slidingModel(), false, 3);
  const slot = await another();
  const window = 5 * 2 * 32 * 2 * slidingWindow;
  for (const numbers of [range(1, 19), [...range(1, 15), 90], [1, ...range(7, 25)], [1, ...range(7, 25), 91], [2, 3]]) {
    const prompt = image(...numbers);
    await counted(slot, prompt);
    const { checkpointsMemoryUsage: bytes } = slot.sequence;
    assert.ok(bytes <= 3 * 1.05 * window, `${bytes} of ${window}`);
    assert.ok((await distance(slot, prompt, another)) < rounding, numbers.join());
    slot.grown(prompt, [7]);
  }
});

test('a windowed cache that went back by itself forgets the checkpoints behind that place', async () => {
  const another = await open(slidingModel(), false);
  const slot = await another();
  await counted(slot, image(...range(1, 19)));
  const { pieces, tools } = image(...range(1, 16));
  const long = (changed: number): Image => {
    const tokens = range(0, 1600).map((i) => (i * i * 17 + (i < 800 ? 0 : changed)) % 4000);
    const of = { key: 'long', layer: 'history', item: 'long', part: 'text', generated: false } as const;
    return { pieces: [...pieces, { of, tokens }], tools };
  };
  await counted(slot, long(0));
  const { reused } = await counted(slot, long(1));
  assert.equal(reused, 1700);
  assert.ok((await distance(slot, long(1), another)) < rounding);
});

test('a gap in a sliding window of full size is never erased over without being counted', async () => {
  const another = await open(slidingModel());
  const slot = await another();
  await counted(slot, image(...range(1, 19)));
  const moved = await counted(slot, image(1, 2, ...range(7, 19)));
  assert.deepEqual([moved.reused, moved.shifted], [400, 1200]);
  // Fills the gap of 400 and runs on over what is behind the window.
  await counted(slot, image(1, 2, ...range(7, 28)));
  assert.ok(slot.sequence.stateCellsStartIndex > 0);
  const again = await counted(slot, image(1, ...range(9, 28)));
  assert.equal(again.shifted, 0);
  assert.equal(again.approximate, 0);
  assert.ok((await distance(slot, image(1, ...range(9, 28)), another)) < rounding);
});

for (const [name, model] of [
  ['attention', nanoModel],
  ['a sliding window', slidingModel],
  ['a hybrid', hybridModel],
] as const) {
  test(`${name}: a failed decode leaves a slot that goes on`, async () => {
    const another = await open(model());
    const slot = await another();
    await counted(slot, image(...range(1, 9)));
    for (const failing of ['evaluateWithoutGeneratingNewTokens', 'adaptStateToTokens'] as const) {
      const { sequence } = slot;
      failAfter(sequence, failing);
      await assert.rejects(fill(slot, image(1, 2, 3, 50, 51)), /broken/);
      Reflect.deleteProperty(sequence, failing);
      const prompt = image(1, 2, 3, 4, 60);
      await counted(slot, prompt);
      assert.ok((await distance(slot, prompt, another)) < rounding);
      slot.grown(prompt, [7]);
    }
  });

  test(`${name}: cancelled after any chunk the slot knows what it holds`, async () => {
    const another = await open(model());
    const slot = await another();
    for (const chunks of [1, 2, 3, 4]) {
      const abort = new AbortController();
      let left = chunks;
      const onProgress = () => --left === 0 && abort.abort();
      const numbers = [1, ...range(10 * chunks, 10 * chunks + 8)];
      await slot.fill(image(...numbers), { asker: 'answer', reuse: 'exact', signal: abort.signal, onProgress });
      const filled = slot.sequence.nextTokenIndex;
      const { reused } = await counted(slot, image(...numbers), 'exact');
      assert.equal(reused, filled);
      assert.ok((await distance(slot, image(...numbers), another)) < rounding);
      slot.grown(image(...numbers), [7]);
    }
  });
}

test('a latent cache loses tokens in its middle, and what follows moves up to where it would have been decoded', async () => {
  const another = await open(latentModel());
  const slot = await another();
  await counted(slot, image(...range(1, 19)));
  const shorter = image(1, 2, ...range(7, 19));
  const moved = await counted(slot, shorter);
  assert.deepEqual([moved.reused, moved.shifted, moved.decoded], [400, 1200, 0]);
  assert.ok((await distance(slot, shorter, another)) < rounding);
  // In other places the same segments make another answer.
  const fresh = await another();
  await fill(fresh, image(1, 2, ...range(13, 19), ...range(7, 13)));
  assert.ok((await distance(fresh, shorter, another)) > 2 * rounding);
});

test('an erase that failed half way is not trusted', async () => {
  const another = await open(nanoModel());
  const slot = await another();
  const whole = image(...range(1, 9));
  await counted(slot, whole);
  failAfter(slot.sequence, 'eraseContextTokenRanges');
  await assert.rejects(fill(slot, image(1, 2, ...range(5, 9))), /broken/);
  Reflect.deleteProperty(slot.sequence, 'eraseContextTokenRanges');
  assert.equal((await counted(slot, whole)).reused, 0);
  assert.ok((await distance(slot, whole, another)) < rounding);
});

test('a job without reuse that was cancelled while it waited leaves the slot alone', async () => {
  const slot = await (await open(nanoModel()))();
  await counted(slot, image(1, 2, 3));
  await fill(slot, image(9), 'none', AbortSignal.abort());
  assert.equal((await counted(slot, image(1, 2, 3, 4))).reused, 500);
  const { reused, slotTokens, decoded } = await counted(slot, image(1, 2), 'none');
  assert.deepEqual([reused, slotTokens, decoded], [0, 0, 400]);
});
