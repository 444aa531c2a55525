// The library with its back end, and in words what the model computes on and why.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getLlama, getModuleVersion, type Llama, LlamaLogLevel, type LlamaModel } from 'node-llama-cpp';
import { FaultError, reasonOf } from '../../../core/faults/faults.ts';
import type { LoadParams } from '../../../protocol/engine.ts';

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

// Further packs of llama.cpp, such as CUDA, from a folder that the user names, beside those that came with the extension.
const scope = '@node-llama-cpp/';
let folder = '';
let hooked = false;

/** The library finds packs there that it finds nowhere else. Throws a FaultError when the folder holds none that fits. */
export async function usePacks(from: string): Promise<void> {
  folder = from;
  if (from === '') return;
  checkPacks(from, await getModuleVersion());
  if (!hooked) registerHooks({ resolve });
  hooked = true;
}

type Hooks = Parameters<typeof registerHooks>[0];

const resolve: NonNullable<Hooks['resolve']> = (specifier, context, next) => {
  if (folder === '' || !specifier.startsWith(scope)) return next(specifier, context);
  try {
    return next(specifier, context);
  } catch {
    // The extension does not bring this pack.
    return next(specifier, { ...context, parentURL: pathToFileURL(join(folder, 'packs.mjs')).href });
  }
};

/** The library takes a pack of its own version only, and says nothing about another one. */
function checkPacks(from: string, wanted: string): void {
  const packs = join(from, 'node_modules', scope);
  if (!existsSync(packs)) throw unusable(from, 'it has no node_modules/@node-llama-cpp', wanted);
  const found = readdirSync(packs).map((name) => ({ name, version: versionOf(join(packs, name)) }));
  if (found.some(({ version }) => version === wanted)) return;
  const others = found.map(({ name, version }) => `${name} ${version}`).join(', ');
  throw unusable(from, others === '' ? 'there is no pack in it' : `it holds ${others}`, wanted);
}

function versionOf(pack: string): string {
  try {
    return String(JSON.parse(readFileSync(join(pack, 'package.json'), 'utf8')).version);
  } catch (error) {
    return `that cannot be read (${reasonOf(error)})`;
  }
}

function unusable(from: string, reason: string, version: string): FaultError {
  return new FaultError({ kind: 'packsUnusable', folder: from, reason, version });
}
