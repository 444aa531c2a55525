// The library with its back end, and in words what the model computes on and why.
import { getLlama, type Llama, LlamaLogLevel, type LlamaModel } from 'node-llama-cpp';
import { FaultError } from '../../../core/faults/faults.ts';
import type { LoadParams } from '../../../protocol/engine.ts';
import { usePacks } from './packs.ts';

export interface Library {
  readonly gpu: LoadParams['gpu'];
  readonly packs: string;
  readonly llama: Llama;
  /** The GPU's own names; empty when none computes. */
  readonly devices: readonly string[];
}

/** The only library of the process as long as the back end stays: a second one may silence the log for both. */
let library: Library | null = null;
/** The last lines of the library's log. */
export const complaints: string[] = [];

/** Throws a FaultError where a back end that was asked for cannot be used. */
export async function startLibrary({ gpu, packs = '' }: Pick<LoadParams, 'gpu' | 'packs'>): Promise<Library> {
  if (library?.gpu === gpu && library.packs === packs) return library;
  await library?.llama.dispose();
  library = null;
  await usePacks(packs);
  const llama = await createLlama(gpu);
  // A back end may load where there is nothing that it could compute on.
  const devices = llama.gpu === false ? [] : await llama.getGpuDeviceNames();
  if (devices.length === 0 && gpu !== 'auto' && gpu !== 'off') {
    await llama.dispose();
    throw new FaultError({ kind: 'gpuUnavailable', wanted: gpu });
  }
  library = { gpu, packs, llama, devices };
  return library;
}

async function createLlama(gpu: LoadParams['gpu']): Promise<Llama> {
  const logger = (_level: string, message: string) => {
    complaints.push(message.trim());
    if (complaints.length > 20) complaints.shift();
  };
  const quiet = {
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.warn,
    logger,
  } as const;
  if (gpu === 'auto' || gpu === 'off') return getLlama({ ...quiet, gpu: gpu === 'off' ? false : gpu });
  const llama = await getLlama({ ...quiet, gpu }).catch(() => null);
  if (llama?.gpu === gpu) return llama;
  // Asked for Metal outside macOS, the library gives the CPU without a word.
  await llama?.dispose();
  throw new FaultError({ kind: 'gpuUnavailable', wanted: gpu });
}

/** For example `GPU (vulkan: GeForce RTX 4070), 20 of 29 layers: the rest does not fit`. */
export function deviceWords({ gpu, llama, devices }: Library, model: LlamaModel, wanted: number | null): string {
  if (gpu === 'off') return 'CPU (the GPU is switched off)';
  const names = devices.join(', ');
  if (llama.gpu === false) return 'CPU (no usable GPU was found)';
  if (names === '') return `CPU (${llama.gpu} found no GPU)`;
  const layers = model.gpuLayers;
  const all = model.fileInsights.totalLayers;
  const why = wanted === null ? 'the rest does not fit' : 'as set';
  if (layers === 0) return `CPU (${names}: ${wanted === 0 ? 'no layer, as set' : 'no layer fits its memory'})`;
  return `GPU (${llama.gpu}: ${names})${layers >= all ? '' : `, ${layers} of ${all} layers: ${why}`}`;
}
