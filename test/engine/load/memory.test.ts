// The memory that a model takes is estimated from the header, told before it loads, and not exceeded.

import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getLlama, LlamaLogLevel, readGgufFileInfo } from 'node-llama-cpp';
import { memoryFor, passingContext } from '../../../src/engine/worker/load/memory.ts';
import { repackedBytes } from '../../../src/engine/worker/load/repack.ts';
import { hybridModel } from '../../models/otherMemories.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { temporary } from '../../temporary.ts';
import { chat, faultIn, loadParams, message, say, startEngine, words } from '../scenes/engineUnderTest.ts';

const lines: string[] = [];
const llama = await getLlama({
  build: 'never',
  skipDownload: true,
  progressLogs: false,
  gpu: false,
  logLevel: LlamaLogLevel.debug,
  logger: (_level, line) => void lines.push(line.trim()),
});
after(() => llama.dispose());

/** Bytes that llama.cpp says it allocated, of the lines that match. */
async function said(line: RegExp): Promise<number> {
  // Its log arrives late.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const sizes = lines.flatMap((text) => line.exec(text)?.[1] ?? []);
  return sizes.reduce((sum, size) => sum + Number(size) * 1024 ** 2, 0);
}

const near = (actual: number, expected: number, what: string) =>
  assert.ok(Math.abs(actual - expected) <= 0.01 * expected + 6000, `${what}: ${actual}, but it is ${expected}`);

for (const slots of [1, 3])
  test(`cache and compute buffers of ${slots} slots are what llama.cpp allocates`, async () => {
    const params = loadParams({ contextSize: 4096, slots });
    const plan = await memoryFor(llama, params);
    assert.ok(plan !== null);
    lines.length = 0;
    const model = await llama.loadModel({ modelPath: params.modelPath });
    const context = await model.createContext({ contextSize: 4096, sequences: slots, batchSize: 512, threads: 1 });
    near(plan.kv, await said(/CPU KV buffer size = +([\d.]+) MiB/), 'cache');
    near(plan.kv + plan.compute, context.memoryUsage.ram, 'cache and compute buffers');
    near(plan.weights, await said(/CPU\w* model buffer size = +([\d.]+) MiB/), 'weights');
    await model.dispose();
  });

test('the context for a while is what llama.cpp allocates', async () => {
  const params = loadParams({ slots: 2 });
  const plan = await memoryFor(llama, params);
  lines.length = 0;
  const model = await llama.loadModel({ modelPath: params.modelPath });
  const context = await model.createContext({ ...passingContext, threads: 1 });
  near(plan?.passing ?? 0, await said(/CPU +(?:KV|compute|output) buffer size = +([\d.]+) MiB/), 'context');
  await context.dispose();
  await model.dispose();
});

for (const zeros of ['q4_0', 'q8_0'] as const)
  test(`what is copied of ${zeros} weights is what llama.cpp copies on this processor`, async () => {
    const modelPath = nanoModel({ zeros });
    lines.length = 0;
    const model = await llama.loadModel({ modelPath });
    const copied = await said(/(?:REPACK|AMX) model buffer size = +([\d.]+) MiB/);
    near(repackedBytes(llama.systemInfo, await readGgufFileInfo(modelPath)), copied, 'copies');
    await model.dispose();
  });

test('each kind of processor copies what its kernels are for', async () => {
  const [four, eight] = [
    await readGgufFileInfo(nanoModel({ zeros: 'q4_0' })),
    await readGgufFileInfo(nanoModel({ zeros: 'q8_0' })),
  ];
  const copies = (info: string) => [repackedBytes(info, four) > 0, repackedBytes(info, eight) > 0];
  assert.deepEqual(copies('CPU : AVX2 = 1 | REPACK = 1 | '), [true, false]);
  assert.deepEqual(copies('CPU : NEON = 1 | DOTPROD = 1 | REPACK = 1 | '), [true, true]);
  assert.deepEqual(copies('CPU : AVX2 = 1 | AMX_INT8 = 1 | REPACK = 1 | '), [true, true]);
  assert.deepEqual(copies('CPU : AVX2 = 1 | '), [false, false]);
});

test('the checkpoints of a model with a running state are counted: as many as find a place in its window', async () => {
  const plan = await memoryFor(llama, loadParams({ modelPath: hybridModel(), contextSize: 4096, slots: 2 }));
  const state = 2 * 2 * 64 * 4;
  assert.deepEqual(plan?.checkpoints, { each: state, most: 4096 / 64 + 2 });
  const plain = await memoryFor(llama, loadParams({ contextSize: 4096 }));
  assert.deepEqual(plain?.checkpoints, { each: 0, most: 0 });
});

const engine = startEngine();
const folder = temporary('tidemark-memory-');
after(() => rmSync(folder, { recursive: true, force: true }));

test('the plan is said before the model loads, and is what is loaded', async () => {
  const { client, heard } = engine;
  const info = await client.request('load', loadParams({ slots: 2, conversations: 2 }));
  assert.equal(heard.planned.length, 1);
  assert.equal(heard.loadingWhenPlanned, 0);
  assert.deepEqual(heard.planned[0], info.memory);
  assert.deepEqual([info.slots, info.memory?.slots, info.memory?.conversations], [4, 4, 2]);
  const answer = await say(engine, chat(message('user', 'Why?')), { slot: 3, maxTokens: 2 });
  assert.ok(answer.prefill.decoded > 0);
});

test('a budget that the user gave is kept: first by a test in a slot, then by fewer conversations, then by a smaller window, then in words', async () => {
  const { client } = engine;
  const wanted = loadParams({ contextSize: 8192, conversations: 3 });
  const whole = (await client.request('load', wanted)).memory;
  assert.ok(whole !== null);
  const one = whole.kv / 3;
  const slots = whole.needed.ram - (whole.passing ?? 0);
  const budget = (bytes: number) => client.request('load', { ...wanted, memoryBytes: Math.ceil(bytes) });
  const borrowing = await budget(slots);
  assert.deepEqual([borrowing.memory?.passing, borrowing.slots], [null, 3]);
  const fewer = await budget(slots - one);
  assert.deepEqual([fewer.slots, fewer.contextSize], [2, 8192]);
  const smaller = await budget(slots - 2.5 * one);
  assert.equal(smaller.slots, 1);
  assert.equal(smaller.contextSize, 4096);
  const fault = await faultIn(budget(slots - 3 * one));
  assert.equal(fault.kind, 'modelOverBudget');
});

test('a file that says nothing about itself is left to llama.cpp, and its words', async () => {
  const damaged = loadParams({ modelPath: import.meta.filename });
  assert.equal(await memoryFor(llama, damaged), null);
  assert.equal((await faultIn(engine.client.request('load', damaged))).kind, 'modelNotGguf');
});

test('a new conversation takes over what another slot has in common with it, instead of decoding it again', async () => {
  const { client } = engine;
  await client.request('load', loadParams({ contextSize: 8192, conversations: 2 }));
  const head = message('system', words(2000));
  const first = { messages: [head, message('user', words(60, 2))], tools: [] };
  const second = { messages: [head, message('user', 'Why?')], tools: [] };
  await say(engine, first, { slot: 0, maxTokens: 8 });
  const loading = { slot: 1, path: join(folder, 'none.kv'), prompt: second, reuse: 'auto' } as const;
  const dear = await client.request('loadSnapshot', { ...loading, worthMilliseconds: 1e6 });
  assert.deepEqual(dear, { loaded: false, reason: 'there is none', deleted: false });
  const loaded = await client.request('loadSnapshot', { ...loading, worthMilliseconds: 0 });
  assert.ok(loaded.loaded && loaded.from === 'slot', JSON.stringify(loaded));
  const saving = { slot: 1, path: loading.path, session: 's2', worthMilliseconds: 0, maxBytes: 1e9 };
  const early = await client.request('saveSnapshot', saving);
  assert.deepEqual(early, { saved: false, reason: 'it is of another conversation' });
  const answer = await say(engine, second, { slot: 1, maxTokens: 8 });
  assert.ok(answer.prefill.decoded < 40, `${answer.prefill.decoded} decoded`);
  assert.equal(answer.prefill.reused, loaded.tokens);
  assert.deepEqual(readdirSync(folder), [], 'nothing stays on disk');
  const fresh = await say(engine, second, { slot: 1, reuse: 'none', maxTokens: 8 });
  assert.deepEqual(answer.generated.ids, fresh.generated.ids);
});
