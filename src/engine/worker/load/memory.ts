// Estimates what a model takes of the memory from its header, before any weight is read.
import { GgufInsights, type Llama, readGgufFileInfo } from 'node-llama-cpp';
import { FaultError } from '../../../core/faults/faults.ts';
import { largestBatch, passing } from '../../../core/machine/askers.ts';
import {
  type Bytes,
  leastMemory,
  type MemoryPlan,
  type ModelMemory,
  planMemory,
} from '../../../core/machine/memoryPlan.ts';
import type { LoadParams } from '../../../protocol/engine.ts';
import { allowedMemory } from '../slot/allowed.ts';
import { checkpointBytes } from '../slot/checkpoints.ts';
import { repackedBytes } from './repack.ts';

/** Options of every context, in use and in estimates. */
export const contextOptions = { batchSize: largestBatch, swaFullCache: true } as const;
/** Options of the context that is made for a while. */
export const passingContext = { ...contextOptions, batchSize: passing.batch, contextSize: passing.window } as const;

/** Returns null when a header says too little for an estimate: then loading shows how much the model takes. */
export async function memoryFor(llama: Llama, params: LoadParams): Promise<MemoryPlan | null> {
  const estimated = await estimate(llama, params).catch(() => null);
  if (estimated === null) return null;
  const { model, trained } = estimated;
  const window = Math.min(params.contextSize, trained ?? params.contextSize);
  const { free } = await allowedMemory(llama);
  const { slots, conversations = 1, memoryBytes, modelPath: path, askers } = params;
  const allowed = memoryBytes ?? null;
  const wanted = { window, slots, conversations, free, allowed, ...(askers !== undefined && { askers }) };
  const plan = planMemory(model, wanted);
  if (plan === null)
    throw new FaultError({
      kind: 'modelOverBudget',
      path,
      needed: leastMemory(model, wanted),
      budget: allowed ?? free.ram,
    });
  return plan;
}

async function estimate(
  llama: Llama,
  { modelPath, contextSize, gpuLayers }: LoadParams,
): Promise<{ readonly model: ModelMemory; readonly trained: number | undefined }> {
  const info = await readGgufFileInfo(modelPath, { logWarnings: false });
  const insights = await GgufInsights.from(info, llama);
  const trained = insights.trainContextSize;
  const window = Math.min(contextSize, trained ?? contextSize);
  const placed = await insights.configurationResolver.resolveModelGpuLayersV2(gpuLayers ?? 'auto', {
    defaultContextSwaFullCache: contextOptions.swaFullCache,
  });
  const { gpuLayers: modelGpuLayers, useMmap } = placed;
  const context = async (contextSize: number, sequences: number, options: object = contextOptions) => {
    const asked = { ...contextOptions, ...options, contextSize, modelGpuLayers, useMmap, sequences };
    return inBytes(await insights.estimateContextResourceRequirementsV2(asked));
  };
  const weights = inBytes(await insights.estimateModelResourceRequirementsV2(placed));
  const [one, two] = [await context(window, 1), await context(window, 2)];
  const half = Math.floor(window / 2);
  const [halfOne, halfTwo] = [await context(half, 1), await context(half, 2)];
  const slot = minus(two, one);
  const perToken = over(minus(slot, minus(halfTwo, halfOne)), window - half);
  const fixed = minus(slot, over(perToken, 1 / window));
  const running = insights.isHybrid || insights.isRecurrent;
  const model: ModelMemory = {
    weights,
    // Weights on the GPU are not repacked.
    repacked: (repackedBytes(llama.systemInfo, info) * weights.ram) / Math.max(1, weights.ram + weights.gpu),
    compute: minus(one, slot),
    slot: { perToken, fixed },
    passing: await context(passing.window, 1, passingContext),
    checkpoints: running ? checkpointBytes(fixed.ram + fixed.gpu, window) : 0,
  };
  return { model, trained };
}

function inBytes({ cpuRam, gpuVram }: { readonly cpuRam: number; readonly gpuVram: number }): Bytes {
  if (!Number.isFinite(cpuRam + gpuVram)) throw new Error('there is no estimate');
  return { ram: cpuRam, gpu: gpuVram };
}

function minus(a: Bytes, b: Bytes): Bytes {
  return { ram: Math.max(0, a.ram - b.ram), gpu: Math.max(0, a.gpu - b.gpu) };
}

function over({ ram, gpu }: Bytes, parts: number): Bytes {
  return { ram: ram / parts, gpu: gpu / parts };
}
