// Counts tokens as the model of an engine does, or estimates them as long as none is loaded.
import type { ModelLife } from '../app/model/modelLife.ts';
import type { ModelInfo } from '../core/engine/modelInfo.ts';
import type { EngineClient } from '../engine/client.ts';
import { CascadeCounter, type CounterSettings } from '../tokens/counter.ts';
import type { LazyEstimator } from '../tokens/estimate.ts';

export function createCounter(
  engine: EngineClient,
  life: ModelLife,
  estimator: LazyEstimator,
  settings: () => CounterSettings,
): CascadeCounter {
  const exact = (texts: readonly string[]) => engine.count(texts);
  // A server that estimates counts no better than the estimator here, and it learns: what it said is not to be remembered.
  const fingerprint = () => (isCounting(life.loaded) ? life.loaded.fingerprint : null);
  return new CascadeCounter({ exact, fingerprint, now: () => performance.now(), estimator }, settings);
}

function isCounting(info: ModelInfo | null): info is ModelInfo {
  return info !== null && (info.server?.grade ?? 'exact') === 'exact';
}
