// Loads a model with just too little memory for a cache of full size, and for more checkpoints than three.
import type { ModelInfo } from '../../../src/core/engine/modelInfo.ts';
import type { MemoryPlan } from '../../../src/core/machine/memoryPlan.ts';
import type { EngineClient } from '../../../src/engine/client.ts';
import type { LoadParams } from '../../../src/protocol/engine.ts';

export async function loadTight(client: Pick<EngineClient, 'request'>, params: LoadParams): Promise<ModelInfo> {
  const { memory } = await client.request('load', params);
  const smaller = memory?.isWindowed === false && memory.kinds.windowed > 0;
  const windowed = smaller
    ? await client.request('load', { ...params, memoryBytes: leastBytes(memory) - 1 })
    : { memory };
  return client.request('load', { ...params, memoryBytes: leastBytes(windowed.memory) });
}

function leastBytes(memory: MemoryPlan | null): number {
  if (memory === null) throw new Error('there is no plan');
  const { needed, repacked, slots, checkpoints } = memory;
  return Math.ceil(needed.ram - repacked - Math.max(0, checkpoints.most - 3) * checkpoints.each * slots);
}
