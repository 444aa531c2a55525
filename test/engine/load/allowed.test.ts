// A process may use so much of the machine: on assumed systems, and in real groups of Linux where this machine allows them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type TestContext, test } from 'node:test';
import {
  allowedMemory,
  allowedProcessors,
  foreignProcessors,
  type System,
  usableCores,
} from '../../../src/engine/worker/slot/allowed.ts';

const gigabyte = 2 ** 30;
const mount = '31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup rw';

/** A machine of sixteen processors whose process is in a container under version 2. */
function system(files: Readonly<Record<string, string>>, parallelism = 16): System {
  const all: Readonly<Record<string, string>> = {
    '/proc/self/cgroup': '0::/',
    '/proc/self/mountinfo': mount,
    ...files,
  };
  return {
    read: (path) => all[path] ?? null,
    parallelism: () => parallelism,
    processors: () => 16,
    memory: () => ({ total: 64 * gigabyte, free: 40 * gigabyte }),
    vmStat: async () => null,
  };
}

const quota = (text: string) => ({ '/sys/fs/cgroup/cpu.max': text });

test('a quota of processors and those that a process may run on both count, and there is always one', () => {
  const allowed = (text: string, parallelism?: number) => allowedProcessors(system(quota(text), parallelism));
  assert.deepEqual(
    ['max 100000', '400000 100000', '150000 100000', '110000 100000', '20000 100000'].map((text) => allowed(text)),
    [16, 4, 2, 1, 1],
  );
  assert.deepEqual([allowed('400000 100000', 3), allowed('max 100000', 1), allowed('9900000 100000')], [3, 1, 16]);
  assert.equal(foreignProcessors(system(quota('400000 100000'))), 12);
  assert.equal(foreignProcessors(system({})), 0);
  assert.deepEqual(
    [usableCores({ cpuMathCores: 8 }, system({})), usableCores({ cpuMathCores: 8 }, system(quota('200000 100000')))],
    [8, 2],
  );
});

test('main memory is what is free within the limits of the groups, and the GPU’s is as it was', async () => {
  const vram = { total: 24 * gigabyte, used: 4 * gigabyte, free: 20 * gigabyte, unifiedSize: 16 * gigabyte };
  const llama = { gpu: 'vulkan', getVramState: async () => vram } as const;
  const files = { '/sys/fs/cgroup/memory.max': `${4 * gigabyte}`, '/sys/fs/cgroup/memory.current': `${gigabyte}` };
  assert.deepEqual(await allowedMemory(llama, system(files)), {
    free: { ram: 3 * gigabyte, gpu: 20 * gigabyte },
    total: 4 * gigabyte,
    shared: 16 * gigabyte,
  });
  assert.deepEqual(await allowedMemory({ ...llama, gpu: false }, system({})), {
    free: { ram: 40 * gigabyte, gpu: 0 },
    total: 64 * gigabyte,
    shared: 0,
  });
});

test('pages of files are free, whatever the library says of pages that nobody used', async () => {
  const meminfo = 'MemTotal: 67108864 kB\nMemFree: 1048576 kB\nMemAvailable: 33554432 kB\n';
  const ram = async () => ({ total: 64 * gigabyte, free: gigabyte, wired: 0 });
  const llama = { gpu: false, getRamState: ram, getVramState: () => assert.fail('there is no GPU') } as const;
  const { free } = await allowedMemory(llama, system({ '/proc/meminfo': meminfo }));
  assert.deepEqual(free, { ram: 32 * gigabyte, gpu: 0 });
});

const source = `
  import { allowedMemory, allowedProcessors } from ${JSON.stringify(import.meta.resolve('../../../src/engine/worker/slot/allowed.ts'))};
  const { total, free } = await allowedMemory({ gpu: false });
  console.log(JSON.stringify({ processors: allowedProcessors(), total, free: free.ram }));
`;

/** A process that is started by a command says this of itself. */
function started(...before: readonly string[]): { processors: number; total: number; free: number } {
  const [program = '', ...rest] = [...before, process.execPath, '--input-type=module-typescript', '-e', source];
  return JSON.parse(execFileSync(program, rest, { encoding: 'utf8' }));
}

/** A group of its own, with files written into it; null where none can be made. */
function inGroup(at: TestContext, parent: string, files: Readonly<Record<string, string>>): readonly string[] | null {
  const folder = `${parent}/tidemark-test-${process.pid}`;
  try {
    if (!existsSync(`${parent}/cgroup.procs`)) return null;
    mkdirSync(folder);
  } catch {
    return null;
  }
  at.after(() => rmdirSync(folder));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
  } catch {
    return null;
  }
  return ['bash', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', folder];
}

const linux = process.platform === 'linux' ? false : 'needs Linux';

test('a process that may run on one processor uses one', { skip: linux }, () => {
  assert.equal(started('taskset', '-c', '0').processors, 1);
});

test('a real quota of one processor is kept to', { skip: linux }, (at) => {
  const before =
    inGroup(at, '/sys/fs/cgroup/cpu', { 'cpu.cfs_quota_us': '100000' }) ??
    inGroup(at, '/sys/fs/cgroup', { 'cpu.max': '100000 100000' });
  if (before === null) return at.skip('no group can be made here');
  assert.equal(started(...before).processors, 1);
  assert.equal(allowedProcessors(), availableParallelism());
});

test('a real limit of memory is kept to', { skip: linux }, (at) => {
  const before =
    inGroup(at, '/sys/fs/cgroup/memory', { 'memory.limit_in_bytes': `${gigabyte}` }) ??
    inGroup(at, '/sys/fs/cgroup', { 'memory.max': `${gigabyte}` });
  if (before === null) return at.skip('no group can be made here');
  const { total, free } = started(...before);
  assert.equal(total, gigabyte);
  assert.ok(free > gigabyte / 2 && free < gigabyte, String(free));
});
