// Opens the engine for the command line: the worker runs from source, the model is chosen by flag, environment or fixture.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { windowWords } from '../../src/app/model/engineViews.ts';
import type { ModelInfo } from '../../src/core/engine/modelInfo.ts';
import { EngineClient } from '../../src/engine/client.ts';
import { forkEngine } from '../../src/engine/fork.ts';
import type { LoadParams, ServerParams } from '../../src/protocol/engine.ts';
import { say } from './say.ts';

export interface OpenEngine {
  readonly client: Pick<EngineClient, 'request' | 'measure' | 'count' | 'prefill' | 'model' | 'dispose'>;
  readonly info: ModelInfo;
}

const worker = fileURLToPath(new URL('../../src/engine/worker/main.ts', import.meta.url));
const pocket = fileURLToPath(new URL('../../test/fixtures/pocket.gguf', import.meta.url));

/** An engine process that has loaded nothing. */
export function startEngine(): EngineClient {
  // A request that was waiting says that it crashed.
  return new EngineClient(() => forkEngine(worker));
}

/** The flags that choose the model. */
export interface ModelFlags {
  readonly engine: string | undefined;
  readonly model: string | undefined;
  readonly insecure: boolean;
}

/** `--engine URL` over `--model FILE`, and both over what is set. */
export function modelFrom({ engine, model, insecure }: ModelFlags, set: LoadParams): LoadParams {
  const { server, ...here } = set;
  const address = {
    url: engine ?? '',
    kind: 'auto',
    model: model ?? '',
    slot: null,
    insecure,
    offline: false,
  } as const;
  if (engine !== undefined) return { ...here, modelPath: '', server: withKey({ ...address, key: '', caFile: '' }) };
  if (server !== undefined && model === undefined) return { ...set, server: withKey(server) };
  return { ...here, modelPath: modelFileFor(model, set.modelPath) };
}

/** The key comes from the environment: what is typed stands in the shell's history. So may the authority that the server is checked by. */
function withKey(server: ServerParams): ServerParams {
  const { TIDEMARK_ENGINE_KEY: key = '', TIDEMARK_ENGINE_CA: caFile = server.caFile } = process.env;
  return { ...server, key, caFile };
}

/** A server has a window of its own. */
export function openWith(params: LoadParams): Promise<OpenEngine> {
  const client = startEngine();
  if (params.server !== undefined) client.quiet.subscribe(sayOnce());
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
export function openEngine(
  modelPath: string,
  contextSize: number,
  slots: number,
  threads: number | null = null,
): Promise<OpenEngine> {
  return openWith({ modelPath, contextSize, gpu: 'auto', gpuLayers: null, threads, slots });
}

async function loaded(client: EngineClient, params: LoadParams): Promise<OpenEngine> {
  try {
    const info = await client.load(params);
    const chosen = params.contextSize === null && info.memory !== null ? windowWords(info.memory) : '';
    if (chosen !== '') say(chosen, process.stderr);
    if (params.server === undefined && info.trainContext < (params.contextSize ?? 0)) {
      say(`The model was trained for ${info.trainContext} tokens: that is the window.`, process.stderr);
    }
    return { client, info };
  } catch (error) {
    await client.dispose();
    throw error;
  }
}

/** The model named by `--model`, else TIDEMARK_MODEL, else by the settings, else the small demo model of the repository. */
function modelFileFor(flag: string | undefined, set = ''): string {
  const named = flag ?? process.env.TIDEMARK_MODEL ?? (set === '' ? undefined : set);
  if (named !== undefined) return named === '' ? '' : resolve(named);
  if (existsSync(pocket)) say('Using the pocket model: it knows code look-ups only and errs often.', process.stderr);
  return existsSync(pocket) ? pocket : '';
}
