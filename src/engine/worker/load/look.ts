// Measures this machine's memory for a model, and estimates a file's needs, without loading anything.
import { GgmlType, type Llama } from 'node-llama-cpp';
import { FaultError } from '../../../core/faults/faults.ts';
import type { EngineRequests, LoadParams } from '../../../protocol/engine.ts';
import { allowedMemory, allowedProcessors } from '../slot/allowed.ts';
import { checkFile } from './checkFile.ts';
import { memoryFor } from './memory.ts';
import { readRate } from './readRate.ts';
import { copiedTypes } from './repack.ts';

export async function lookAtMachine(llama: Llama): Promise<EngineRequests['machine']['result']> {
  const copies = [...copiedTypes(llama.systemInfo)].map((type) => GgmlType[type]);
  // The memory of some GPUs is the machine's own: it must not count twice.
  const { free, shared } = await allowedMemory(llama);
  return { free, shared, copies, readRate: await readRate(), processors: allowedProcessors() };
}

/** Rejects with a fault for what is no model, or one whose header cannot be read. */
export async function lookAtFile(llama: Llama, params: LoadParams): Promise<EngineRequests['estimate']['result']> {
  const { modelPath: path } = params;
  const { fingerprint } = await checkFile(path, 'chat');
  const memory = await memoryFor(llama, params, fingerprint);
  if (memory === null) throw new FaultError({ kind: 'modelDamaged', path, reason: 'its header cannot be read' });
  return memory;
}
