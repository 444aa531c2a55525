// Measures this machine's memory for a model, and estimates a file's needs, without loading anything.
import { availableParallelism } from 'node:os';
import { GgmlType, type Llama } from 'node-llama-cpp';
import { FaultError } from '../../../core/faults/faults.ts';
import type { EngineRequests, LoadParams } from '../../../protocol/engine.ts';
import { checkFile } from './checkFile.ts';
import { freeMemory, memoryFor } from './memory.ts';
import { readRate } from './readRate.ts';
import { copiedTypes } from './repack.ts';

export async function lookAtMachine(llama: Llama): Promise<EngineRequests['machine']['result']> {
  const copies = [...copiedTypes(llama.systemInfo)].map((type) => GgmlType[type]);
  const free = await freeMemory(llama);
  // The memory of some GPUs is the machine's own: it must not count twice.
  const shared = llama.gpu === false ? 0 : Math.min((await llama.getVramState()).unifiedSize, free.gpu);
  return { free, shared, copies, readRate: await readRate(), processors: availableParallelism() };
}

/** Rejects with a fault for what is no model, or one whose header cannot be read. */
export async function lookAtFile(llama: Llama, params: LoadParams): Promise<EngineRequests['estimate']['result']> {
  const { modelPath: path } = params;
  await checkFile(path, 'chat');
  const memory = await memoryFor(llama, params);
  if (memory === null) throw new FaultError({ kind: 'modelDamaged', path, reason: 'its header cannot be read' });
  return memory;
}
