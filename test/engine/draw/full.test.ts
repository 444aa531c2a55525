// The engine says itself that its context is full: that is the fault from which a turn saves itself, not a failure of the engine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { generate } from '../../../src/engine/worker/draw/generate.ts';
import type { GenerationJob } from '../../../src/engine/worker/draw/job.ts';
import { WindowFull } from '../../../src/engine/worker/slot/decode.ts';

/** A generation whose slot fails so when it is filled. */
async function failing(error: Error) {
  const fill = async () => {
    throw error;
  };
  const job = {
    slot: { sequence: { contextSize: 4096 }, fill },
    prompt: { tokens: Array.from({ length: 3000 }, () => 1), image: { pieces: [], tools: '' } },
    params: { reuse: 'auto' },
    signal: new AbortController().signal,
  };
  const failure = await generate(job as unknown as GenerationJob).catch((thrown: unknown) => thrown);
  return failure instanceof FaultError ? failure.fault : failure;
}

test('the library’s hook and llama.cpp’s own words are a prompt that does not fit', async () => {
  const kv =
    'Eval has failed: could not find a KV slot for the batch (try reducing the size of the batch or increase the context)';
  for (const error of [new WindowFull('the context window is full'), new Error(kv)])
    assert.deepEqual(await failing(error), {
      kind: 'doesNotFit',
      needed: 3000,
      high: 4095,
      window: 4096,
      reserve: 1,
      pinned: 0,
    });
});

test('any other failure stays what it is', async () => {
  const other = new Error('Eval has failed: ggml ran out of memory');
  assert.equal(await failing(other), other);
});
