// The processors that may compute: those of the machine which this process is allowed to use.
import { availableParallelism } from 'node:os';
import type { Llama } from 'node-llama-cpp';

/**
 * At least 1. The library counts the machine's cores, whatever this process may use of them; a thread without a processor of its own
 * holds all others up, so that a token takes many times as long.
 */
export function usableCores({ cpuMathCores }: Pick<Llama, 'cpuMathCores'>): number {
  return Math.max(1, Math.min(cpuMathCores, availableParallelism()));
}
