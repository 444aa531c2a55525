// The engine's port over requests: each method is one request, and what is told while it runs goes to who asked.
import type { Signal } from '../core/dialog/tool.ts';
import type { Engine } from '../core/engine/engine.ts';
import type { ModelInfo } from '../core/engine/modelInfo.ts';
import type { PrefillProgress } from '../core/model/model.ts';
import type { EngineRequests, LoadParams } from '../protocol/engine.ts';
import type { WatchedRequest } from './hangWatch.ts';

/** The notices of a running request. */
export interface Hearing {
  readonly text?: (text: string) => void;
  readonly prefilling?: (progress: PrefillProgress) => void;
}

export type AskEngine = <K extends keyof EngineRequests>(
  name: K,
  params: EngineRequests[K]['params'],
  signal?: Signal,
  hearing?: Hearing,
) => Promise<EngineRequests[K]['result']>;

type Methods = Omit<Engine, 'model'> & { load(params: LoadParams): Promise<ModelInfo> };

export function engineMethods(ask: AskEngine): Methods {
  return {
    load: (params) => ask('load', params),
    measure: (prompt, signal) => ask('measure', { prompt }, signal),
    count: (texts) => ask('count', { texts }),
    prefill: (request, prefilling, signal) => ask('warm', request, signal, { prefilling }),
    states: {
      save: (request) => ask('saveSnapshot', request),
      load: (request) => ask('loadSnapshot', request),
    },
    spelling: {
      text: (prompt) => ask('spell', { prompt }),
      pieces: (prompt) => ask('spellPieces', { prompt }),
    },
    speed: (signal) => ask('speed', {}, signal),
    attempt: (attempt, signal) => ask('attempt', attempt, signal),
    complete: (request, text, signal) => ask('complete', request, signal, { text }),
  };
}

/** Reports progress to the watch whenever the request is heard. */
export function heardBy({ text, prefilling }: Hearing, { told }: WatchedRequest): Hearing {
  return {
    text: (words) => {
      told();
      text?.(words);
    },
    prefilling: (progress) => {
      told();
      prefilling?.(progress);
    },
  };
}
