// This process may use so many processors and so much memory: no other place says it.
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import type { Llama } from 'node-llama-cpp';
import { type GroupLimits, groupLimits, type ReadText } from '../../../core/machine/cgroup.ts';
import type { Bytes } from '../../../core/machine/memoryPlan.ts';

/** The operating system, as far as it is asked; a test puts another one in its place. */
export interface System {
  readonly read: ReadText;
  /** Processors that the process may run on. */
  readonly parallelism: () => number;
  /** Processors of the machine. */
  readonly processors: () => number;
}

const thisSystem: System = {
  read: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      // Not Linux, or a group that cannot be seen from here.
      return null;
    }
  },
  parallelism: availableParallelism,
  processors: () => cpus().length,
};

/** The process uses those that it may run on, and no more than its quota of their time is worth, but at least 1. */
export function allowedProcessors({ read, parallelism }: System = thisSystem): number {
  const { processors } = groupLimits(read);
  return Math.max(1, Math.min(parallelism(), processors === null ? parallelism() : Math.round(processors)));
}

/** The machine's that are not for this process: what others do there takes nothing from it. */
export function foreignProcessors(system: System = thisSystem): number {
  return Math.max(0, system.processors() - allowedProcessors(system));
}

/**
 * Processors that may compute, at least 1. The library counts the machine's cores, whatever this process may use of them; a thread
 * without a processor of its own holds all others up, so that a token takes many times as long.
 */
export function usableCores({ cpuMathCores }: Pick<Llama, 'cpuMathCores'>, system: System = thisSystem): number {
  return Math.max(1, Math.min(cpuMathCores, allowedProcessors(system)));
}

export interface AllowedMemory {
  readonly free: Bytes;
  /** Main memory, whoever uses it now. */
  readonly total: number;
  /** Bytes of the GPU's memory that are main memory too. */
  readonly shared: number;
}

type Asked = Pick<Llama, 'gpu' | 'getRamState' | 'getVramState'>;

/** The machine's memory counts only within the limits of the process's groups. */
export async function allowedMemory(llama: Asked, { read }: Pick<System, 'read'> = thisSystem): Promise<AllowedMemory> {
  const ram = await llama.getRamState();
  const gpu = llama.gpu === false ? { free: 0, unifiedSize: 0 } : await llama.getVramState();
  const { memory }: GroupLimits = groupLimits(read);
  return {
    free: { ram: Math.min(ram.free, memory?.free ?? ram.free), gpu: gpu.free },
    total: Math.min(ram.total, memory?.limit ?? ram.total),
    shared: Math.min(gpu.unifiedSize, gpu.free),
  };
}
