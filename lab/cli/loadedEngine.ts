// An engine with its model loaded already, as a conversation uses one: nothing is stored of its slots, and no model is tested.
import { ModelLife } from '../../src/app/model/modelLife.ts';
import { TestedModels } from '../../src/app/model/testedModels.ts';
import type { Clock } from '../../src/app/ports/clock.ts';
import type { TokenCounting } from '../../src/app/ports/tokens.ts';
import { Snapshots } from '../../src/app/slots/snapshots.ts';
import { WindowEngines } from '../../src/app/slots/windowEngines.ts';
import type { StoredAbilities } from '../../src/core/abilities/abilities.ts';
import type { Engine } from '../../src/core/engine/engine.ts';
import type { TokenCounter } from '../../src/core/prompt/counter.ts';
import type { OpenEngine } from './engine.ts';

export function loadedLife({ client, info }: OpenEngine): ModelLife {
  const place = { take: () => true, release: () => undefined, share: () => undefined };
  const engine = { load: async () => info, dispose: () => client.dispose() };
  const alone = { place, fitsBeside: async () => true, wait: async () => undefined };
  const unseen = { publish: () => undefined, abilities: { words: () => '' } };
  const params = { modelPath: '', contextSize: info.contextSize, gpu: 'auto', gpuLayers: null, threads: null } as const;
  return new ModelLife({ engine, ...alone, ...unseen }, () => ({ ...params, slots: info.slots }));
}

/** `known`: what an editor knows of models; null where none does. */
export function loadedEngines(
  open: OpenEngine,
  life: ModelLife,
  known: StoredAbilities | null,
  clock: Clock,
): WindowEngines {
  const abilities = new TestedModels(known);
  const nothing = { settings: () => ({ snapshotBytes: 0 }), clock, snapshotFiles: null };
  const main = { engine: portOf(open), life };
  return new WindowEngines(main, { others: null, abilities, summariser: async () => null }, (of) => {
    const changed = () => undefined;
    return new Snapshots(of.engine, nothing, () => of.life.loaded, null, changed);
  });
}

function portOf({ client }: OpenEngine): Engine {
  return {
    measure: (...asked) => client.measure(...asked),
    count: (...asked) => client.count(...asked),
    model: (...asked) => client.model(...asked),
    prefill: (...asked) => client.prefill(...asked),
    ...{ states: null, spelling: null, speed: null, attempt: null, complete: null },
  };
}

export function exactCounter({ client, info }: OpenEngine): TokenCounter {
  const exact = (info.server?.grade ?? 'exact') === 'exact';
  return { count: async (texts) => ({ tokens: await client.count(texts), exact }) };
}

export function countingBy(counter: TokenCounter): TokenCounting {
  return {
    counter,
    counts: () => null,
    learn: () => undefined,
    estimate: () => Promise.reject(new Error('The model is loaded already.')),
  };
}
