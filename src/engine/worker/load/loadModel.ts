// Loads a GGUF: library, weights, context, chat template, one-token self-test. Every failure becomes a fault with advice.
import {
  InsufficientMemoryError,
  type Llama,
  type LlamaContext,
  type LlamaContextSequence,
  type LlamaModel,
} from 'node-llama-cpp';
import type { ModelInfo } from '../../../core/engine/modelInfo.ts';
import { FaultError, faultOf, reasonOf } from '../../../core/faults/faults.ts';
import { leastAuto } from '../../../core/machine/autoWindow.ts';
import { lessMemory, type MemoryTry } from '../../../core/machine/lessMemory.ts';
import { leastCheckpoints, type MemoryPlan } from '../../../core/machine/memoryPlan.ts';
import { samplingIn, withSampling } from '../../../core/model/sampling.ts';
import type { LoadParams } from '../../../protocol/engine.ts';
import { modelLanguage, type TextEnds, thinkingOf } from '../../../templates/language.ts';
import type { Tokeniser } from '../../../templates/tokenise.ts';
import { AskingLine } from '../../line.ts';
import type { LoadedModel } from '../draw/grammars.ts';
import { usableCores } from '../slot/allowed.ts';
import { checkpointLimits } from '../slot/checkpoints.ts';
import { Slot } from '../slot/slot.ts';
import { createSnapshots, type SlotSnapshots } from '../slot/snapshot.ts';
import { fixedThreads, measuredThreads } from '../slot/threading.ts';
import { vocabularyOf } from '../slot/vocabulary.ts';
import { checkFile, type ModelFile } from './checkFile.ts';
import { complaints, deviceWords, type Library, startLibrary } from './library.ts';
import { contextOptions, memoryFor } from './memory.ts';
import { weightsIn } from './readingPace.ts';

export interface LoadedEngine {
  readonly loaded: LoadedModel;
  readonly tokeniser: Tokeniser;
  readonly slots: readonly Slot[];
  readonly line: AskingLine;
  readonly snapshots: SlotSnapshots;
  readonly info: ModelInfo;
  /** Whether the number of threads is found while they work. */
  readonly found: boolean;
  /** Frees weights and contexts. Jobs still on a slot fail. */
  dispose(): Promise<void>;
}

export interface Loading {
  readonly planned: (memory: MemoryPlan) => void;
  /** 0 to 1. */
  readonly progress: (share: number) => void;
  /** The chat template is tried, which is a program of whoever made the file; then it was. */
  readonly template: (runs: boolean) => Promise<void>;
}

export async function loadEngine(params: LoadParams, loading: Loading): Promise<LoadedEngine> {
  const started = performance.now();
  const file = await checkFile(params.modelPath, 'chat');
  const library = await startLibrary(params);
  complaints.length = 0;
  const memory = await memoryFor(library.llama, params, file.fingerprint);
  if (memory !== null) loading.planned(memory);
  const window = memory?.window ?? params.contextSize ?? leastAuto;
  const isWindowed = memory?.isWindowed ?? false;
  let plan = memory;
  let asked: MemoryTry | null = null;
  let target: { readonly layers: number | null; readonly window: number } = { layers: params.gpuLayers, window };
  for (;;) {
    let model: LlamaModel | null = null;
    try {
      model = await loadWeights(library.llama, params.modelPath, { ...target, isWindowed }, loading.progress);
      const language = await languageOf(model, file, loading);
      const { window: wanted } = target;
      return await openEngine({
        library,
        model,
        language,
        file,
        params,
        memory: plan,
        isWindowed,
        started,
        window: wanted,
        asked,
      });
    } catch (error) {
      const layers = model?.gpuLayers ?? target.layers ?? 0;
      const had: MemoryTry = { layers, window: Math.min(target.window, model?.trainContextSize ?? target.window) };
      await model?.dispose();
      const missing = outOfMemory(error, had);
      const crowded = missing && plan !== null && plan.slots > params.slots;
      // The plan proved wrong, so it is dropped. The slots of other conversations go before speed and window do.
      plan = null;
      if (crowded) continue;
      const next = missing ? lessMemory(had) : null;
      if (next === null) throw error;
      asked ??= had;
      target = next;
    }
  }
}

/** Weights that main memory does not take get no smaller by any choice. */
function outOfMemory(error: unknown, { layers }: MemoryTry): boolean {
  const { kind } = faultOf(error);
  return kind === 'outOfMemory' || (kind === 'modelTooLarge' && layers > 0);
}

interface Opening {
  readonly library: Library;
  readonly model: LlamaModel;
  readonly language: ReturnType<typeof modelLanguage>;
  readonly file: ModelFile;
  readonly params: LoadParams;
  readonly memory: MemoryPlan | null;
  readonly isWindowed: boolean;
  readonly started: number;
  readonly window: number;
  /** The larger try that failed for lack of memory. */
  readonly asked: MemoryTry | null;
}

async function languageOf(model: LlamaModel, { fingerprint }: ModelFile, { template }: Loading) {
  await template(true);
  try {
    return modelLanguage(vocabularyOf(model), textEnds(model), fingerprint);
  } finally {
    await template(false);
  }
}

async function openEngine({
  library,
  model,
  language,
  file,
  params,
  memory,
  isWindowed,
  started,
  window,
  asked,
}: Opening): Promise<LoadedEngine> {
  const { llama } = library;
  const { fingerprint } = file;
  const slotCount = memory?.slots ?? params.slots;
  const line = new AskingLine();
  const context = await openContext(llama, model, params, { window, slots: slotCount, isWindowed });
  const sequences = sequencesOf(context);
  const erases = canErase(model, sequences[0]);
  const threading = isFound(model, params) ? measuredThreads(llama) : fixedThreads;
  const checkpoints = Math.max(leastCheckpoints, memory?.checkpoints.most ?? 0);
  const kind = { erases: erases === true, verify: params.verify === true, threading, line, checkpoints };
  const slots = sequences.map((sequence) => new Slot(sequence, kind));
  await selfTest(slots[0], model, params.modelPath);
  const samplings = samplingsOf(model, params);
  const info: ModelInfo = {
    name: model.fileInfo.metadata.general?.name ?? params.modelPath.split(/[\\/]/).at(-1) ?? 'model',
    fingerprint,
    contextSize: context.contextSize,
    trainContext: model.trainContextSize,
    device: deviceWords(library, model, params.gpuLayers),
    asked,
    layers: model.gpuLayers,
    threads: context.currentThreads,
    fileBytes: file.bytes,
    parameters: weightsIn(model.fileInfo),
    loadMilliseconds: performance.now() - started,
    erases,
    toolCalls: language.toolCalls,
    ...thinkingOf(language),
    ...samplings,
    slots: slots.length,
    memory,
  };
  return {
    loaded: { llama, model, fingerprint, sampling: samplings.sampling, ...language },
    tokeniser: language.tokeniser,
    slots,
    line,
    snapshots: await createSnapshots(llama, context, fingerprint, memory, line),
    info,
    found: isFound(model, params),
    dispose: () => model.dispose(),
  };
}

function samplingsOf(model: LlamaModel, { sampling, plainSampling }: LoadParams) {
  const said = samplingIn(model.fileInfo.metadata.general);
  return {
    sampling: withSampling(sampling, said),
    ...(plainSampling !== undefined && { plainSampling: withSampling(plainSampling, said) }),
  };
}

async function loadWeights(
  llama: Llama,
  modelPath: string,
  { layers, isWindowed }: { readonly layers: number | null; readonly isWindowed: boolean },
  onLoadProgress: (progress: number) => void,
): Promise<LlamaModel> {
  const { swaFullCache: defaultContextSwaFullCache } = contextOptions(isWindowed);
  const gpuLayers = layers ?? 'auto';
  try {
    return await llama.loadModel({ modelPath, gpuLayers, defaultContextSwaFullCache, onLoadProgress });
  } catch (error) {
    if (error instanceof InsufficientMemoryError) {
      throw new FaultError({ kind: 'modelTooLarge', path: modelPath, reason: error.message });
    }
    const reason = await loggedReason(error);
    // C++ and llama.cpp's buffers say so where memory is missing; the file is sound.
    const kind = /bad_alloc|unable to allocate|out of memory/i.test(reason) ? 'modelTooLarge' : 'modelDamaged';
    throw new FaultError({ kind, path: modelPath, reason });
  }
}

/** llama.cpp's own failures say only that there was one: the reason is in the log, which arrives late. */
async function loggedReason(error: unknown): Promise<string> {
  const said = reasonOf(error);
  if (said !== 'Failed to load model') return said;
  const empty = /failed to load model|failed simulating/i;
  const vague = /failed to (parse|read)/i;
  for (let waited = 0; waited < 2000; waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!/failed to load model$/.test(complaints.at(-1) ?? '')) continue;
    const lines = complaints.filter((line) => !empty.test(line));
    const telling = lines.findLast((line) => !vague.test(line)) ?? lines.at(-1);
    return telling?.replace(/^\w+: (error loading model: )?/, '') ?? said;
  }
  return said;
}

function sequencesOf(context: LlamaContext): readonly LlamaContextSequence[] {
  return Array.from({ length: context.totalSequences }, () => context.getSequence({ checkpoints: checkpointLimits }));
}

/** Whether the number of threads is found while they work. Where a GPU computes all layers, it hardly matters. */
function isFound({ gpuLayers, fileInsights }: LlamaModel, { threads }: LoadParams): boolean {
  return threads === null && gpuLayers < fileInsights.totalLayers;
}

async function openContext(
  llama: Llama,
  model: LlamaModel,
  params: LoadParams,
  {
    window,
    slots: sequences,
    isWindowed,
  }: { readonly window: number; readonly slots: number; readonly isWindowed: boolean },
): Promise<LlamaContext> {
  const contextSize = Math.min(window, model.trainContextSize);
  const cores = usableCores(llama);
  // A former model may have left them at another number.
  llama.maxThreads = Math.max(cores, params.threads ?? 0);
  const threads = params.threads ?? (isFound(model, params) ? cores : Math.max(1, cores - 1));
  try {
    return await model.createContext({ ...contextOptions(isWindowed), contextSize, sequences, threads });
  } catch (error) {
    const reason = reasonOf(error);
    throw new FaultError({ kind: 'outOfMemory', contextSize, reason });
  }
}

/**
 * Whether tokens can be erased in the middle of a sequence. Where llama.cpp cannot shift a cache it ends the process, so this
 * must be known before. Source: `get_can_shift` of its memory classes.
 */
function canErase(model: LlamaModel, sequence: LlamaContextSequence | undefined): ModelInfo['erases'] {
  const { isHybrid, isRecurrent } = model.fileInsights;
  if (isHybrid || isRecurrent) return { not: 'its layers keep a running state besides the KV cache' };
  if (sequence?.needsCheckpoints === true)
    return { not: 'its layers with a sliding window keep that window alone, which saves memory' };
  const { general } = model.fileInfo.metadata;
  const architecture = general?.architecture ?? '';
  const rope = model.fileInfo.architectureMetadata.rope as { readonly dimension_sections?: unknown } | undefined;
  if (rope?.dimension_sections !== undefined) return { not: 'its positions have several dimensions' };
  // Only one of the deepseeks was tried.
  if (/^(deepseek(?!2$)|step35)/.test(architecture))
    return { not: `llama.cpp cannot shift the cache of ${architecture}` };
  return true;
}

function textEnds(model: LlamaModel): TextEnds {
  const { bos, eos } = model.tokens;
  const text = (id: typeof bos) => (id === null ? '' : model.detokenize([id], true));
  return { bos: text(bos), eos: text(eos) };
}

/** Weights that are not finite load without complaint and generate token 0 for ever. */
async function selfTest(slot: Slot | undefined, model: LlamaModel, path: string): Promise<void> {
  const token = model.tokens.bos ?? model.tokens.eos ?? model.tokenize('a')[0];
  if (slot === undefined || token === undefined) return;
  const [last] = await slot.sequence.controlledEvaluate([[token, { generateNext: { confidence: true } }]]);
  const confidence = last?.next?.confidence;
  await slot.sequence.clearHistory();
  if (confidence === undefined || !Number.isFinite(confidence)) throw new FaultError({ kind: 'modelBroken', path });
}
