// Estimates what a model takes of the memory from its header, before any weight is read.
import { type GgufFileInfo, GgufInsights, type Llama, readGgufFileInfo } from 'node-llama-cpp';
import { FaultError } from '../../../core/faults/faults.ts';
import { largestBatch, passing } from '../../../core/machine/askers.ts';
import { autoWindows, chooseWindow, leastAuto, type WindowRequest } from '../../../core/machine/autoWindow.ts';
import {
  type Bytes,
  leastMemory,
  type MemoryPlan,
  type ModelMemory,
  planMemory,
  type WindowLimit,
} from '../../../core/machine/memoryPlan.ts';
import type { LoadParams } from '../../../protocol/engine.ts';
import { allowedMemory } from '../slot/allowed.ts';
import { checkpointBytes } from '../slot/checkpoints.ts';
import { readingPace } from './readingPace.ts';
import { repackedBytes } from './repack.ts';

/** Options of every context, in use and in estimates. */
export const contextOptions = { batchSize: largestBatch, swaFullCache: true } as const;
/** Options of the context that is made for a while. */
export const passingContext = { ...contextOptions, batchSize: passing.batch, contextSize: passing.window } as const;

/**
 * Returns null when a header says too little for an estimate: then loading shows how much the model takes. `fingerprint` tells whether
 * the model was tested.
 */
export async function memoryFor(llama: Llama, params: LoadParams, fingerprint = ''): Promise<MemoryPlan | null> {
  const { slots, conversations = 1, memoryBytes, modelPath: path, askers, paces } = params;
  const { free, total, shared } = await allowedMemory(llama);
  const allowed = memoryBytes ?? null;
  const request = { slots, conversations, free, allowed, ...(askers !== undefined && { askers }) };
  const tested = paces?.[fingerprint] ?? null;
  const estimated = await estimate(llama, params, { ...request, total, shared, tested }).catch(() => null);
  if (estimated === null) return null;
  const { model, window, limit } = estimated;
  const wanted = { ...request, window };
  const plan = planMemory(model, wanted);
  if (plan === null)
    throw new FaultError({
      kind: 'modelOverBudget',
      path,
      needed: leastMemory(model, wanted),
      budget: allowed ?? free.ram,
    });
  return { ...plan, ...(limit !== null && { limit }) };
}

interface Estimate {
  readonly model: ModelMemory;
  readonly window: number;
  /** A window that the user set has none: null. */
  readonly limit: WindowLimit | null;
}

type EstimateRequest = Omit<WindowRequest, 'trained' | 'pace'> & { readonly tested: number | null };

async function estimate(llama: Llama, params: LoadParams, { tested, ...request }: EstimateRequest): Promise<Estimate> {
  const { contextSize } = params;
  const placed = await placedModel(llama, params);
  const trained = placed.insights.trainContextSize ?? null;
  if (contextSize !== null) {
    const window = Math.min(contextSize, trained ?? contextSize);
    return { window, limit: null, model: await sizesAt(llama, placed, window) };
  }
  const most = trained ?? leastAuto;
  const windows = [Math.min(leastAuto, most), ...autoWindows.filter((one) => one > leastAuto && one <= most)];
  const sizes = new Map<number, ModelMemory>();
  for (const window of windows) sizes.set(window, await sizesAt(llama, placed, window));
  const modelAt = (window: number) => sizes.get(window) as ModelMemory;
  const { weights, slot } = modelAt(windows[0] as number);
  const pace = readingPace(llama, { ...placed, weights, perToken: slot.perToken.ram + slot.perToken.gpu }, tested);
  const chosen = chooseWindow(modelAt, { ...request, trained, pace });
  return { ...chosen, model: modelAt(chosen.window) };
}

interface Placed {
  readonly info: GgufFileInfo;
  readonly insights: GgufInsights;
  readonly gpuLayers: number;
  readonly useMmap: boolean;
}

async function placedModel(llama: Llama, { modelPath, gpuLayers: wanted }: LoadParams): Promise<Placed> {
  const info = await readGgufFileInfo(modelPath, { logWarnings: false });
  const insights = await GgufInsights.from(info, llama);
  const { gpuLayers, useMmap } = await insights.configurationResolver.resolveModelGpuLayersV2(wanted ?? 'auto', {
    defaultContextSwaFullCache: contextOptions.swaFullCache,
  });
  return { info, insights, gpuLayers, useMmap };
}

/** Buffers grow with the window, so each has sizes of its own. */
async function sizesAt(llama: Llama, placed: Placed, window: number): Promise<ModelMemory> {
  const { info, insights, gpuLayers, useMmap } = placed;
  const context = async (contextSize: number, sequences: number, options: object = contextOptions) => {
    const asked = { ...contextOptions, ...options, contextSize, modelGpuLayers: gpuLayers, useMmap, sequences };
    return inBytes(await insights.estimateContextResourceRequirementsV2(asked));
  };
  const weights = inBytes(await insights.estimateModelResourceRequirementsV2({ gpuLayers, useMmap }));
  const [one, two] = [await context(window, 1), await context(window, 2)];
  const half = Math.floor(window / 2);
  const [halfOne, halfTwo] = [await context(half, 1), await context(half, 2)];
  const slot = minus(two, one);
  const perToken = over(minus(slot, minus(halfTwo, halfOne)), window - half);
  const fixed = minus(slot, over(perToken, 1 / window));
  const running = insights.isHybrid || insights.isRecurrent;
  return {
    weights,
    // Weights on the GPU are not repacked.
    repacked: (repackedBytes(llama.systemInfo, info) * weights.ram) / Math.max(1, weights.ram + weights.gpu),
    compute: minus(one, slot),
    slot: { perToken, fixed },
    passing: await context(passing.window, 1, passingContext),
    checkpoints: running ? checkpointBytes(fixed.ram + fixed.gpu, window) : 0,
  };
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
