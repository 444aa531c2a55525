// This process may use so many processors and so much memory: no other place says it.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, freemem, totalmem } from 'node:os';
import type { Llama } from 'node-llama-cpp';
import { groupLimits, type ReadText } from '../../../core/machine/cgroup.ts';
import { mainMemory } from '../../../core/machine/mainMemory.ts';
import type { Bytes } from '../../../core/machine/memoryPlan.ts';

/** The operating system, as far as it is asked; a test puts another one in its place. */
export interface System {
  readonly read: ReadText;
  /** Processors that the process may run on. */
  readonly parallelism: () => number;
  /** Processors of the machine. */
  readonly processors: () => number;
  /** Bytes of main memory, as the runtime says. */
  readonly memory: () => { readonly total: number; readonly free: number };
  /** The output of macOS's command; null elsewhere. */
  readonly vmStat: () => Promise<string | null>;
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
  memory: () => ({ total: totalmem(), free: freemem() }),
  vmStat: () =>
    process.platform === 'darwin'
      ? new Promise((resolve) =>
          execFile('/usr/bin/vm_stat', { timeout: 2000 }, (error, text) => resolve(error === null ? text : null)),
        )
      : Promise.resolve(null),
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

type Asked = Pick<Llama, 'gpu' | 'getVramState'>;

/** The library knows of main memory only pages that nobody ever used, and no limits of groups: it is asked about the GPU alone. */
export async function allowedMemory(llama: Asked, system: System = thisSystem): Promise<AllowedMemory> {
  const vmStat = await system.vmStat();
  const gpu = llama.gpu === false ? { free: 0, unifiedSize: 0 } : await llama.getVramState();
  const { total, free } = mainMemory({ read: system.read, vmStat, ...system.memory() });
  return { free: { ram: free, gpu: gpu.free }, total, shared: Math.min(gpu.unifiedSize, gpu.free) };
}
