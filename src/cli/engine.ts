// Opens the engine for the command line: the worker runs from source, the model is chosen by flag, environment or fixture.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ModelInfo } from '../core/engine/modelInfo.ts';
import { EngineClient } from '../engine/client.ts';
import { forkEngine } from '../engine/fork.ts';
import type { LoadParams, ServerParams } from '../protocol/engine.ts';
import { say } from './say.ts';

export interface OpenEngine {
  readonly client: Pick<EngineClient, 'request' | 'measure' | 'count' | 'prefill' | 'model' | 'dispose'>;
  readonly info: ModelInfo;
}

const worker = fileURLToPath(new URL('../engine/worker/main.ts', import.meta.url));
const pocket = fileURLToPath(new URL('../../test/fixtures/pocket.gguf', import.meta.url));

/** An engine process that has loaded nothing. */
export function startEngine(): EngineClient {
  // A request that was waiting says that it crashed.
  return new EngineClient(() => forkEngine(worker));
}

/** What runs the model: a file on this machine, or a server. */
export type ModelPlace = { readonly file: string } | { readonly server: ServerParams };

/** `--engine URL` over `--model FILE`. The key of a server comes from the environment: what is typed stands in the shell's history. */
export function placeFor(engine: string | undefined, model: string | undefined, insecure = false): ModelPlace {
  if (engine === undefined) return { file: modelFileFor(model) };
  const { TIDEMARK_ENGINE_KEY: key = '', TIDEMARK_ENGINE_CA: caFile = '' } = process.env;
  return {
    server: { url: engine, kind: 'auto', model: model ?? '', slot: null, key, caFile, insecure, offline: false },
  };
}

/** A server has a window of its own. */
export async function openModelAt(place: ModelPlace, contextSize: number, slots: number): Promise<OpenEngine> {
  if ('file' in place) return openEngine(place.file, contextSize, slots);
  const client = startEngine();
  client.quiet.subscribe(sayOnce());
  const { server } = place;
  const params: LoadParams = { modelPath: '', server, contextSize, gpu: 'off', gpuLayers: null, threads: null, slots };
  return loaded(client, params);
}

/** Once for each silence, of which the seconds are told one by one. */
function sayOnce(): (seconds: number | null) => void {
  let isSaid = false;
  return (seconds) => {
    if (seconds !== null && !isSaid)
      say(
        `The server has not answered for ${seconds} seconds. It may still be at work; Ctrl-C ends it.`,
        process.stderr,
      );
    isSaid = seconds !== null;
  };
}

/** `threads` null: as many as the engine takes by itself. */
export async function openEngine(
  modelPath: string,
  contextSize: number,
  slots: number,
  threads: number | null = null,
): Promise<OpenEngine> {
  const client = startEngine();
  return loaded(client, { modelPath, contextSize, gpu: 'auto', gpuLayers: null, threads, slots });
}

async function loaded(client: EngineClient, params: LoadParams): Promise<OpenEngine> {
  try {
    const info = await client.load(params);
    if (params.server === undefined && info.trainContext < params.contextSize) {
      say(`The model was trained for ${info.trainContext} tokens: that is the window.`, process.stderr);
    }
    return { client, info };
  } catch (error) {
    await client.dispose();
    throw error;
  }
}

/** The model named by `--model`, else TIDEMARK_MODEL, else the small demo model of the repository. */
export function modelFileFor(flag: string | undefined): string {
  const named = flag ?? process.env.TIDEMARK_MODEL;
  if (named !== undefined) return named === '' ? '' : resolve(named);
  if (existsSync(pocket)) say('Using the pocket model: it knows code look-ups only and errs often.', process.stderr);
  return existsSync(pocket) ? pocket : '';
}
