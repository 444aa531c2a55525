// Main memory that the system would give a process now: pages of files count, which it takes back, and limits of the process's groups hold.
import { groupLimits, type ReadText } from './cgroup.ts';

/** A system's own figures, in bytes; `vmStat`: the output of macOS's command, null elsewhere. */
export interface MemoryFigures {
  readonly read: ReadText;
  readonly vmStat: string | null;
  readonly total: number;
  /** Counts on systems that say no more: there, as on Windows, pages of files are among it. */
  readonly free: number;
}

export interface MainMemory {
  readonly total: number;
  readonly free: number;
}

export function mainMemory({ read, vmStat, total: whole, free: left }: MemoryFigures): MainMemory {
  const { memory } = groupLimits(read);
  const available = inMeminfo(read('/proc/meminfo') ?? '') ?? inVmStat(vmStat ?? '') ?? left;
  const total = Math.min(whole, memory?.limit ?? whole);
  return { total, free: Math.min(total, available, memory?.free ?? available) };
}

/** Kernels before 3.14 do not say what is available: pages of files are most of what they would take back. */
function inMeminfo(text: string): number | null {
  const said = (name: string) => numberAfter(text, name, ' kB');
  const available = said('MemAvailable') ?? total(['MemFree', 'Active(file)', 'Inactive(file)'].map(said));
  return available === null ? null : available * 1024;
}

function inVmStat(text: string): number | null {
  const size = Number(/page size of (\d+) bytes/.exec(text)?.[1]);
  const names = ['free', 'inactive', 'purgeable', 'speculative'];
  const pages = total(names.map((name) => numberAfter(text, `Pages ${name}`, '.')));
  return pages === null || Number.isNaN(size) ? null : pages * size;
}

function numberAfter(text: string, name: string, unit: string): number | null {
  const line = text.split('\n').find((line) => line.startsWith(`${name}:`) && line.trimEnd().endsWith(unit));
  return line === undefined ? null : Number.parseInt(line.slice(name.length + 1), 10);
}

function total(parts: readonly (number | null)[]): number | null {
  return parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);
}
