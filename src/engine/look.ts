// Looks at the machine and at model files in an engine process of its own, which loads nothing and ends at once.
import type { ChildProcess } from 'node:child_process';
import type { MemoryPlan } from '../core/machine/memoryPlan.ts';
import type { EngineRequests, LoadParams } from '../protocol/engine.ts';
import { EngineClient } from './client.ts';

export interface MachineLook {
  machine(gpu: LoadParams['gpu']): Promise<EngineRequests['machine']['result']>;
  /** Estimates each file's memory; the entry is a fault when the file's header cannot be read. */
  estimate(all: readonly LoadParams[]): Promise<readonly (MemoryPlan | { readonly fault: Error })[]>;
}

/** A bad file cannot take the conversation's model with it. */
export function createLook(start: () => ChildProcess): MachineLook {
  const inEngine = async <T>(work: (engine: EngineClient) => Promise<T>): Promise<T> => {
    const engine = new EngineClient(start);
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  };
  return {
    machine: (gpu) => inEngine((engine) => engine.request('machine', { gpu })),
    estimate: (all) =>
      inEngine(async (engine) => {
        const found: (MemoryPlan | { readonly fault: Error })[] = [];
        for (const params of all)
          found.push(await engine.request('estimate', params).catch((fault: Error) => ({ fault })));
        return found;
      }),
  };
}
