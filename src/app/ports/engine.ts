// The engine, as the middle asks it.
import type { Signal } from '../../core/dialog/tool.ts';
import type { Model } from '../../core/model/model.ts';
import type { EngineRequests, SeededSampling } from '../../protocol/engine.ts';

/** The engine process as this room needs it. */
export interface Engine {
  request<K extends keyof EngineRequests>(
    name: K,
    params: EngineRequests[K]['params'],
    signal?: Signal,
  ): Promise<EngineRequests[K]['result']>;
  model(slot: number, sampling: SeededSampling): Model;
  dispose(): Promise<void>;
}
