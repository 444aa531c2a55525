// Estimates what a model takes of the memory from its header, before any weight is read.
import { type GgufFileInfo, GgufInsights, type Llama, readGgufFileInfo } from 'node-llama-cpp';
import { FaultError } from '../../../core/faults/faults.ts';
import { besideWindow, largestBatch, passing } from '../../../core/machine/askers.ts';
import { autoWindows, chooseWindow, leastAuto, type WindowRequest } from '../../../core/machine/autoWindow.ts';
import {
  type Bytes,
  chooseCache,
  leastMemory,
  type MemoryPlan,
  type MemoryRequest,
  type ModelMemory,
  planMemory,
  type WindowLimit,
  withCheckpoints,
} from '../../../core/machine/memoryPlan.ts';
import type { LoadParams } from '../../../protocol/engine.ts';
import { allowedMemory } from '../slot/allowed.ts';
import { usefulCheckpoints } from '../slot/checkpoints.ts';
import { readingPace } from './readingPace.ts';
import { expertBytes, repackedBytes } from './repack.ts';

/** Options of the slots' context, in use and in estimates. `isWindowed`: layers that see a window keep no more than that. */
export function contextOptions(isWindowed: boolean) {
  return { batchSize: largestBatch, swaFullCache: !isWindowed };
}
/** Options of the context that is made for a while, which never goes back. */
export const passingContext = { batchSize: passing.batch, swaFullCache: false, contextSize: passing.window } as const;

/** The context for text at the caret, which goes back with each key. */
export const completionContext = { batchSize: passing.batch, contextSize: besideWindow } as const;

/** Whether the vocabulary has a token that llama.cpp takes for the prefix of a text whose middle is to be filled in. */
function fillsIn({ metadata }: GgufFileInfo): boolean {
  const tokens = metadata.tokenizer?.ggml?.tokens ?? [];
  return tokens.some((token) => prefixTokens.has(token));
}

/** The names that llama-vocab.cpp knows. */
const prefixTokens: ReadonlySet<string> = new Set([
  ...[
    '<|fim_prefix|>',
    '<fim-prefix>',
    '<fim_prefix>',
    '<｜fim▁begin｜>',
    '<PRE>',
    '▁<PRE>',
    '<|code_prefix|>',
    '<|prefix|>',
  ],
]);

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
  const estimates = await estimate(llama, params, { ...request, total, shared, tested }).catch(() => null);
  if (estimates === null) return null;
  const { full, windowed } = estimates;
  const plan = chooseCache(full && planOf(full, request), windowed && planOf(windowed, request), total);
  const least = windowed ?? full;
  if (least === null) return null;
  const { model, window } = least;
  if (plan === null)
    throw new FaultError({
      kind: 'modelOverBudget',
      path,
      needed: leastMemory(model, { ...request, window }),
      budget: allowed ?? free.ram,
    });
  return withCheckpoints(plan, usefulCheckpoints(plan.window));
}

function planOf({ model, window, limit }: Estimate, request: Omit<MemoryRequest, 'window'>): MemoryPlan | null {
  const plan = planMemory(model, { ...request, window });
  return plan === null || limit === null ? plan : { ...plan, limit };
}

interface Estimate {
  readonly model: ModelMemory;
  readonly window: number;
  /** A window that the user set has none: null. */
  readonly limit: WindowLimit | null;
}

/** With a cache of full size, and with one that keeps no more than the windows of layers: null where none has a window. */
interface ByCache<T> {
  readonly full: T;
  readonly windowed: T | null;
}

type EstimateRequest = Omit<WindowRequest, 'trained' | 'pace'> & { readonly tested: number | null };

async function estimate(llama: Llama, params: LoadParams, request: EstimateRequest): Promise<ByCache<Estimate | null>> {
  const info = await readGgufFileInfo(params.modelPath, { logWarnings: false });
  const insights = await GgufInsights.from(info, llama);
  const place = async (isWindowed: boolean): Promise<Placed> => {
    const { gpuLayers, useMmap } = await insights.configurationResolver.resolveModelGpuLayersV2(
      params.gpuLayers ?? 'auto',
      { defaultContextSwaFullCache: contextOptions(isWindowed).swaFullCache },
    );
    return { info, insights, isWindowed, gpuLayers, useMmap };
  };
  const placed = { full: await place(false), windowed: insights.swaSize === undefined ? null : await place(true) };
  const trained = insights.trainContextSize ?? null;
  const windows = windowsFor(params.contextSize, trained);
  const sizes = new Map<number, ByCache<ModelMemory>>();
  for (const window of windows) sizes.set(window, await sizesAt(llama, placed, window));
  const estimateOf = (cache: keyof typeof placed): Estimate | null => {
    const place = placed[cache];
    const modelAt = (window: number) => sizes.get(window)?.[cache] as ModelMemory;
    const [least] = windows;
    const model = sizes.get(least)?.[cache] ?? null;
    if (place === null || model === null) return null;
    if (params.contextSize !== null) return { window: least, limit: null, model };
    const { weights, slot } = model;
    const pace = readingPace(llama, { ...place, weights, perToken: whole(slot.perToken) }, request.tested);
    const chosen = chooseWindow(modelAt, { ...request, trained, pace });
    return { ...chosen, model: modelAt(chosen.window) };
  };
  const windowed = estimateOf('windowed');
  const slower = windowed !== null && placed.full.gpuLayers < (placed.windowed?.gpuLayers ?? 0);
  return { full: slower ? null : estimateOf('full'), windowed };
}

function windowsFor(set: number | null, trained: number | null): readonly [number, ...number[]] {
  if (set !== null) return [Math.min(set, trained ?? set)];
  const most = trained ?? leastAuto;
  return [Math.min(leastAuto, most), ...autoWindows.filter((one) => one > leastAuto && one <= most)];
}

interface Placed {
  readonly info: GgufFileInfo;
  readonly insights: GgufInsights;
  readonly isWindowed: boolean;
  readonly gpuLayers: number;
  readonly useMmap: boolean;
}

/** Bytes per token. A header may speak of windows that no layer has: then the estimates differ by some bytes of the buffers alone. */
const leastSpared = 64;

/** Buffers grow with the window, so each has sizes of its own. */
async function sizesAt(llama: Llama, placed: ByCache<Placed>, window: number): Promise<ByCache<ModelMemory>> {
  const { info, insights } = placed.full;
  const full = await cacheAt(llama, placed.full, window);
  const small = placed.windowed && (await cacheAt(llama, placed.windowed, window));
  const recurrent = insights.isHybrid || insights.isRecurrent ? whole(full.slot.fixed) : 0;
  const spared = small === null ? 0 : whole(full.slot.perToken) - whole(small.slot.perToken);
  const [windowed, perToken] = spared < leastSpared ? [null, 0] : [small, spared];
  const kinds = { experts: expertBytes(info), recurrent, windowed: { fixed: 0, perToken } };
  return {
    full: { ...full, checkpoint: recurrent, kinds },
    windowed: windowed && {
      ...windowed,
      checkpoint: recurrent + perToken * Math.min(insights.swaSize ?? 0, window),
      kinds: { ...kinds, windowed: { fixed: whole(windowed.slot.fixed) - recurrent, perToken: 0 } },
    },
  };
}

async function cacheAt(
  llama: Llama,
  { info, insights, isWindowed, gpuLayers, useMmap }: Placed,
  window: number,
): Promise<Omit<ModelMemory, 'checkpoint' | 'kinds'>> {
  const context = async (contextSize: number, sequences: number, options: object = contextOptions(isWindowed)) => {
    const asked = { batchSize: largestBatch, ...options, contextSize, modelGpuLayers: gpuLayers, useMmap, sequences };
    return inBytes(await insights.estimateContextResourceRequirementsV2(asked));
  };
  const weights = inBytes(await insights.estimateModelResourceRequirementsV2({ gpuLayers, useMmap }));
  const slotAt = async (size: number) => minus(await context(size, 2), await context(size, 1));
  const slot = await slotAt(window);
  // In a smaller one a layer's window may be more than is kept.
  const perToken = over(minus(await slotAt(2 * window), slot), window);
  return {
    weights,
    // Weights on the GPU are not repacked.
    repacked: (repackedBytes(llama.systemInfo, info) * weights.ram) / Math.max(1, whole(weights)),
    compute: minus(await context(window, 1), slot),
    slot: { perToken, fixed: minus(slot, over(perToken, 1 / window)) },
    passing: await context(passing.window, 1, passingContext),
    beside: fillsIn(info) ? await context(besideWindow, 1, completionContext) : { ram: 0, gpu: 0 },
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

function whole({ ram, gpu }: Bytes): number {
  return ram + gpu;
}
