// Loading a good model: what the engine says about it is true, and a second load takes the place of the first.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { getLlamaGpuTypes } from 'node-llama-cpp';
import { hermes } from '../../../src/core/calls/syntax.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, faultIn, loadParams, message, say, startEngine, words } from '../scenes/engineUnderTest.ts';

const engine = startEngine();
const load = (params = {}) => engine.client.request('load', loadParams(params));
/** Resident memory of the engine process in MB. */
const memory = () => {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${engine.client.pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
};

test('tells the window, the name, the size and the tool-call format of the file', async () => {
  const info = await load();
  assert.equal(info.name, 'nano');
  assert.equal(info.contextSize, 4096);
  assert.equal(info.trainContext, 8192);
  assert.equal(info.fileBytes, readFileSync(nanoModel()).length);
  const { toolCalls } = info;
  assert.equal(toolCalls.format, 'hermes');
  assert.deepEqual('syntax' in toolCalls && toolCalls.syntax, hermes);
  assert.equal(info.threads, 1);
  assert.ok(info.loadMilliseconds > 0);
});

test('reports progress between 0 and 1 that never goes back', () => {
  const { loading } = engine.heard;
  assert.ok(loading.length > 0);
  assert.ok(loading.every((progress) => progress >= 0 && progress <= 1));
  assert.deepEqual(
    loading,
    loading.toSorted((a, b) => a - b),
  );
});

test('a GPU that is switched off is said', async () => {
  assert.equal((await load({ gpu: 'off' })).device, 'CPU (the GPU is switched off)');
});

test('bounds the window by what the model was trained for', async () => {
  assert.equal((await load({ contextSize: 1_000_000 })).contextSize, 8192);
  assert.equal((await load({ modelPath: nanoModel({ contextLength: 1024 }) })).contextSize, 1024);
});

test('takes the processors that it may use when no thread count is set', async () => {
  const allowed = /Cpus_allowed_list:\s+(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  const own = (await load({ threads: null })).threads;
  const pid = String(engine.client.pid);
  assert.ok(own >= 1 && own <= availableParallelism(), String(own));
  execFileSync('taskset', ['-apc', /\d+/.exec(allowed)?.[0] ?? '0', pid]);
  try {
    assert.equal((await load({ threads: null })).threads, 1, 'one of them is allowed');
  } finally {
    execFileSync('taskset', ['-apc', allowed, pid]);
  }
});

test('gives the same fingerprint for the same file and another one for another file', async () => {
  const first = await load();
  const other = await load({ modelPath: nanoModel({ weight: 0.01 }) });
  assert.notEqual(other.fingerprint, first.fingerprint);
  assert.equal((await load()).fingerprint, first.fingerprint);
});

test('refuses a GPU back end that this machine does not have', async () => {
  const usable = await getLlamaGpuTypes('supported');
  const missing = (['cuda', 'vulkan', 'metal'] as const).filter((gpu) => !usable.includes(gpu));
  assert.ok(missing.length > 0);
  for (const gpu of missing) assert.deepEqual(await faultIn(load({ gpu })), { kind: 'gpuUnavailable', wanted: gpu });
});

test('gives the memory of the former model back', { skip: process.platform !== 'linux' }, async () => {
  const contextLength = 131072;
  const big = { modelPath: nanoModel({ contextLength }), contextSize: contextLength };
  for (let i = 0; i < 3; i++) await load(big);
  const settled = memory();
  for (let i = 0; i < 8; i++) await load(big);
  // A window of this size takes 32 MB, so eight models that stay would be 256 MB more. The allocator takes its share in the first loads and may keep
  // some of it, so these are not counted, and half is the limit.
  assert.ok(memory() - settled < 128, `${settled} MB after three loads, ${memory()} MB after eleven`);
});

test('settles a generation whose model is replaced, and answers with the new one', async () => {
  await load();
  const running = say(engine, chat(message('user', words(1200))), { maxTokens: 2000 });
  const settled = running.then(
    () => 'done',
    () => 'failed',
  );
  const info = await load({ modelPath: nanoModel({ weight: 0.01 }) });
  assert.match(await settled, /done|failed/);
  const { generated } = await say(engine, chat(message('user', 'Hello')));
  assert.equal(generated.model, info.fingerprint);
});

test('runs two loads one after the other', async () => {
  const [, second] = await Promise.all([load(), load({ modelPath: nanoModel({ weight: 0.01 }) })]);
  assert.equal((await say(engine, chat(message('user', 'Hello')))).generated.model, second.fingerprint);
});

test('refuses work before a model is loaded and for a slot that does not exist', async () => {
  const fresh = startEngine();
  assert.deepEqual(await faultIn(say(fresh, chat(message('user', 'Hello')))), { kind: 'engineStopped' });
  const fault = await faultIn(say(engine, chat(message('user', 'Hello')), { slot: 7 }));
  assert.deepEqual(fault, { kind: 'engineFailed', reason: 'there is no slot 7' });
});
