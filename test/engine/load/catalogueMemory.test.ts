// The cache that the catalogue's figures come to is the library's own estimate, on sparse files with the real dimensions.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { GgufInsights, getLlama, LlamaLogLevel, readGgufFileInfo } from 'node-llama-cpp';
import { largestBatch } from '../../../src/core/machine/askers.ts';
import { memoryFor } from '../../../src/engine/worker/load/memory.ts';
import { readCatalogue } from '../../../src/models/catalogue.ts';
import { memoryOf } from '../../../src/models/estimate.ts';
import { writeSparse } from '../../models/scenes/sparse.ts';
import { temporary } from '../../temporary.ts';
import { loadParams } from '../scenes/engineUnderTest.ts';

const folder = temporary('tidemark-sparse-');
after(() => rmSync(folder, { recursive: true, force: true }));

const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error });
after(() => llama.dispose());

/** Bytes that one more slot adds, with a cache as large as its windows, or with one of full size. */
async function slotBytes(path: string, contextSize: number, swaFullCache = false): Promise<number> {
  const insights = await GgufInsights.from(await readGgufFileInfo(path, { logWarnings: false }), llama);
  const placed = await insights.configurationResolver.resolveModelGpuLayersV2(0, {
    defaultContextSwaFullCache: swaFullCache,
  });
  const { gpuLayers: modelGpuLayers, useMmap } = placed;
  const of = async (sequences: number) =>
    (
      await insights.estimateContextResourceRequirementsV2({
        ...{ batchSize: largestBatch, swaFullCache, contextSize, modelGpuLayers, useMmap, sequences },
      })
    ).cpuRam;
  return (await of(2)) - (await of(1));
}

const machine = { ram: 0, gpu: 0, shared: 0, copies: [], readRate: 1, processors: 1 };

test('a slot of each model whose dimensions are known takes what its row says, within five percent', async (context) => {
  let compared = 0;
  for (const model of readCatalogue().models) {
    const [quantisation] = model.quantisations;
    const path = join(folder, 'sparse.gguf');
    if (quantisation === undefined || model.caches.attention.kvHeads === undefined || !writeSparse(path, model))
      continue;
    for (const window of [8192, 32768]) {
      const { slot } = memoryOf(model, quantisation, machine, window);
      const planned = slot.fixed.ram + window * slot.perToken.ram;
      const estimated = await slotBytes(path, window);
      const words = `${model.name}, ${window}: ${Math.round(planned / 2 ** 20)} MiB, estimated ${Math.round(estimated / 2 ** 20)}`;
      context.diagnostic(words);
      assert.ok(Math.abs(planned / estimated - 1) < 0.05, words);
    }
    compared += 1;
  }
  assert.ok(compared >= 17, `${compared}`);
});

test('the plan of each model is the estimate too, whichever cache it chooses, and Gemma 4 12B keeps 32k in 1.1 GiB', async (context) => {
  const [window, gibi] = [32_768, 2 ** 30];
  const planned = new Map<string, number>();
  for (const model of readCatalogue().models) {
    const path = join(folder, 'planned.gguf');
    if (model.caches.attention.kvHeads === undefined || !writeSparse(path, model)) continue;
    // Less than the full caches of most models with sliding windows, and more than the others need.
    const plan = await memoryFor(llama, loadParams({ modelPath: path, contextSize: window, memoryBytes: 10 * gibi }));
    assert.ok(plan !== null);
    const { isWindowed, kinds, kv } = plan;
    const estimated = await slotBytes(path, plan.window, !isWindowed);
    const parts = `attention ${kinds.attention}, windows ${kinds.windowed}, state ${kinds.recurrent}`;
    const words = `${model.name}, ${isWindowed ? 'windowed' : 'full'}: ${(kv / gibi).toFixed(2)} GiB (${parts}), estimated ${(estimated / gibi).toFixed(2)}`;
    context.diagnostic(words);
    assert.ok(Math.abs(kv / estimated - 1) < 0.05, words);
    assert.ok(Math.abs((kinds.attention + kinds.windowed + kinds.recurrent) / kv - 1) < 0.01, words);
    assert.ok(
      kinds.recurrent === 0 || Math.abs(kinds.recurrent / (model.caches.recurrent?.bytes ?? 0) - 1) < 0.05,
      words,
    );
    planned.set(model.name, isWindowed ? kv : Number.POSITIVE_INFINITY);
  }
  assert.ok((planned.get('Gemma 4 12B') ?? Number.POSITIVE_INFINITY) <= 1.1 * gibi);
});
