// Opens the engine for the command line: the worker runs from source, the model is chosen by flag, environment or fixture.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ModelInfo } from '../core/engine/modelInfo.ts';
import { EngineClient } from '../engine/client.ts';
import { forkEngine } from '../engine/fork.ts';
import type { LoadParams } from '../protocol/engine.ts';

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

/** `threads` null: as many as the engine takes by itself. */
export async function openEngine(
  modelPath: string,
  contextSize: number,
  slots: number,
  threads: number | null = null,
): Promise<OpenEngine> {
  const client = startEngine();
  const params: LoadParams = { modelPath, contextSize, gpu: 'auto', gpuLayers: null, threads, slots };
  try {
    const info = await client.load(params);
    if (info.trainContext < contextSize) {
      process.stderr.write(`The model was trained for ${info.trainContext} tokens: that is the window.\n`);
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
  if (existsSync(pocket)) process.stderr.write('Using the pocket model: it knows code look-ups only and errs often.\n');
  return existsSync(pocket) ? pocket : '';
}
