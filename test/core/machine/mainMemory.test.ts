// Main memory that a process may take, from what systems say in 22 states: Linux with and without limits of groups, macOS, Windows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mainMemory } from '../../../src/core/machine/mainMemory.ts';

const megabyte = 2 ** 20;
const gigabyte = 2 ** 30;
const kilobytes = (bytes: number) => `${String(Math.round(bytes / 1024)).padStart(12)} kB`;

interface Meminfo {
  readonly total: number;
  readonly free: number;
  readonly available?: number;
  readonly files: number;
  readonly swap?: number;
}

/** The lines of /proc/meminfo in the kernel's order, the first twenty of them. */
function meminfo({ total, free, available, files, swap = 0 }: Meminfo): string {
  const rows: readonly (readonly [string, number | undefined])[] = [
    ['MemTotal', total],
    ['MemFree', free],
    ['MemAvailable', available],
    ['Buffers', files / 100],
    ['Cached', files],
    ['SwapCached', 0],
    ['Active', total - free - files / 2],
    ['Inactive', files / 2],
    ['Active(anon)', total - free - files],
    ['Inactive(anon)', 0],
    ['Active(file)', files / 4],
    ['Inactive(file)', (files * 3) / 4],
    ['Unevictable', 0],
    ['Mlocked', 0],
    ['SwapTotal', swap],
    ['SwapFree', swap],
    ['Dirty', 4096],
    ['AnonPages', total - free - files],
    ['Mapped', files / 10],
    ['Shmem', 8 * megabyte],
  ];
  return rows.flatMap(([name, bytes]) => (bytes === undefined ? [] : `${name}:${kilobytes(bytes)}\n`)).join('');
}

interface Pages {
  readonly size: number;
  readonly free: number;
  readonly inactive: number;
  readonly speculative: number;
  readonly purgeable: number;
}

function vmStat({ size, free, inactive, speculative, purgeable }: Pages): string {
  const row = (name: string, pages: number) => `${`${name}:`.padEnd(26)}${String(pages).padStart(15)}.\n`;
  return [
    `Mach Virtual Memory Statistics: (page size of ${size} bytes)\n`,
    row('Pages free', free),
    row('Pages active', 311_502),
    row('Pages inactive', inactive),
    row('Pages speculative', speculative),
    row('Pages throttled', 0),
    row('Pages wired down', 128_877),
    row('Pages purgeable', purgeable),
    row('"Translation faults"', 2_912_084_411),
    row('Pages copy-on-write', 93_514_222),
    row('File-backed pages', 214_003),
    row('Anonymous pages', 411_208),
    row('Pages stored in compressor', 512_223),
    row('Pages occupied by compressor', 141_009),
  ].join('');
}

interface State {
  /** The runtime's figures, in bytes. */
  readonly total: number;
  readonly free: number;
  readonly meminfo?: string;
  readonly vmStat?: string;
  readonly groups?: string;
  readonly mounts?: string;
  /** Below /sys/fs/cgroup. */
  readonly files?: Readonly<Record<string, string>>;
}

const second = '31 23 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate';
const first = '35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory';
const inSecond = { groups: '0::/', mounts: second };
const huge = '9223372036854771712\n';

function memoryIn({ total, free, vmStat = '', ...state }: State) {
  const all: Readonly<Record<string, string | undefined>> = {
    '/proc/meminfo': state.meminfo,
    '/proc/self/cgroup': state.groups,
    '/proc/self/mountinfo': state.mounts,
    ...Object.fromEntries(
      Object.entries(state.files ?? {}).map(([name, text]) => [`/sys/fs/cgroup/${name}`, text] as const),
    ),
  };
  return mainMemory({ read: (path) => all[path] ?? null, vmStat: vmStat === '' ? null : vmStat, total, free });
}

const desktop = { total: 16 * gigabyte, free: 9 * gigabyte, files: 4 * gigabyte, available: 12.5 * gigabyte };
const full = { total: 24 * gigabyte, free: 1.1 * gigabyte, files: 17.4 * gigabyte, available: 18 * gigabyte };
const linux = (of: Meminfo, more: Partial<State> = {}): State => ({
  total: of.total,
  free: of.free,
  meminfo: meminfo(of),
  ...more,
});
const stat = (anon: number, active: number, inactive: number) =>
  `anon ${anon}\nfile ${active + inactive}\nkernel_stack 49152\nshmem 0\ninactive_anon 0\nactive_anon ${anon}\n` +
  `inactive_file ${inactive}\nactive_file ${active}\nunevictable 0\n`;
const firstStat = (active: number, inactive: number, hierarchical: string) =>
  `cache 1\nrss 1\nactive_file 1\nhierarchical_memory_limit ${hierarchical}\n` +
  `total_cache ${active + inactive}\ntotal_inactive_file ${inactive}\ntotal_active_file ${active}\n`;

/** The bytes that are free, and all there are, if groups limit them. */
const states: Readonly<Record<string, readonly [State, free: number, total?: number]>> = {
  'Linux just started': [linux({ ...desktop, free: 15 * gigabyte, available: 15.2 * gigabyte }), 15.2 * gigabyte],
  'Linux with an editor and a browser': [linux(desktop), 12.5 * gigabyte],
  'Linux whose page cache is full': [linux(full), 18 * gigabyte],
  'Linux whose page cache is full, with a little swap': [linux({ ...full, swap: gigabyte / 2 }), 18 * gigabyte],
  'Linux that is short of memory, with much swap': [
    linux({ ...desktop, free: gigabyte / 4, files: gigabyte / 2, available: gigabyte / 2, swap: 16 * gigabyte }),
    gigabyte / 2,
  ],
  'Linux on 4 GB': [
    linux({ total: 4 * gigabyte, free: gigabyte / 4, files: 2 * gigabyte, available: 2 * gigabyte }),
    2 * gigabyte,
  ],
  'a kernel that says nothing of available memory': [
    linux({ total: 8 * gigabyte, free: gigabyte, files: 5 * gigabyte }),
    6 * gigabyte,
  ],
  'no /proc': [{ total: 8 * gigabyte, free: 3 * gigabyte }, 3 * gigabyte],
  'a /proc/meminfo that says other things': [
    { total: 8 * gigabyte, free: 3 * gigabyte, meminfo: 'MemTotal:  x kB\nMemAvailable: none\n' },
    3 * gigabyte,
  ],
  'groups of version 2 that say max': [
    linux(full, { ...inSecond, files: { 'memory.max': 'max\n', 'memory.high': 'max\n', 'memory.current': '9\n' } }),
    18 * gigabyte,
  ],
  'a container of version 2 that read files once': [
    linux(full, {
      ...inSecond,
      files: {
        'memory.max': `${8 * gigabyte}\n`,
        'memory.current': `${7.875 * gigabyte}\n`,
        'memory.stat': stat(1.875 * gigabyte, 0, 6 * gigabyte),
      },
    }),
    6.125 * gigabyte,
    8 * gigabyte,
  ],
  // Measured in a group of 1 GB with 839 MB of such pages: 900 MB were given, and nothing was killed.
  'a container of version 2 that read files again and again': [
    linux(full, {
      ...inSecond,
      files: {
        'memory.max': `${8 * gigabyte}\n`,
        'memory.current': `${7.875 * gigabyte}\n`,
        'memory.stat': stat(1.875 * gigabyte, 5.5 * gigabyte, gigabyte / 2),
      },
    }),
    6.125 * gigabyte,
    8 * gigabyte,
  ],
  'a container that may take more than the machine has left': [
    linux(desktop, { ...inSecond, files: { 'memory.max': `${15 * gigabyte}\n`, 'memory.current': `${gigabyte}\n` } }),
    12.5 * gigabyte,
    15 * gigabyte,
  ],
  'nested groups of version 2, the one around it fuller': [
    linux(full, {
      groups: '0::/pod/inner',
      mounts: second,
      files: {
        'pod/memory.max': `${8 * gigabyte}\n`,
        'pod/memory.current': `${7 * gigabyte}\n`,
        'pod/memory.stat': stat(6 * gigabyte, 0, gigabyte),
        'pod/inner/memory.max': `${4 * gigabyte}\n`,
        'pod/inner/memory.current': `${gigabyte}\n`,
        'pod/inner/memory.stat': stat(gigabyte, 0, 0),
      },
    }),
    2 * gigabyte,
    4 * gigabyte,
  ],
  'a group of version 1 without a limit': [
    linux(full, {
      groups: '4:memory:/user',
      mounts: first,
      files: { 'memory/user/memory.limit_in_bytes': huge, 'memory/user/memory.usage_in_bytes': '9\n' },
    }),
    18 * gigabyte,
  ],
  'a container of version 1': [
    linux(full, {
      groups: '4:memory:/',
      mounts: first,
      files: {
        'memory/memory.limit_in_bytes': `${6 * gigabyte}\n`,
        'memory/memory.usage_in_bytes': `${5 * gigabyte}\n`,
        'memory/memory.stat': firstStat(gigabyte, 2 * gigabyte, `${6 * gigabyte}`),
      },
    }),
    4 * gigabyte,
    6 * gigabyte,
  ],
  'a limit of version 1 around groups that cannot be seen': [
    linux(full, {
      groups: '4:memory:/',
      mounts: first,
      files: {
        'memory/memory.limit_in_bytes': huge,
        'memory/memory.usage_in_bytes': `${gigabyte}\n`,
        'memory/memory.stat': firstStat(0, 0, `${3 * gigabyte}`),
      },
    }),
    2 * gigabyte,
    3 * gigabyte,
  ],
  'macOS with pages of 16k': [
    {
      total: 16 * gigabyte,
      free: 250 * megabyte,
      vmStat: vmStat({ size: 16_384, free: 14_000, inactive: 310_000, speculative: 2000, purgeable: 4000 }),
    },
    330_000 * 16_384,
  ],
  'macOS with pages of 4k': [
    {
      total: 8 * gigabyte,
      free: 60 * megabyte,
      vmStat: vmStat({ size: 4096, free: 15_000, inactive: 500_000, speculative: 40_000, purgeable: 45_000 }),
    },
    600_000 * 4096,
  ],
  'macOS whose command says nothing': [{ total: 16 * gigabyte, free: gigabyte, vmStat: 'vm_stat: failed\n' }, gigabyte],
  'Windows with a full standby list': [{ total: 32 * gigabyte, free: 21 * gigabyte }, 21 * gigabyte],
  'Windows on 8 GB': [{ total: 8 * gigabyte, free: 2.5 * gigabyte }, 2.5 * gigabyte],
};

for (const [name, [state, free, total = state.total]] of Object.entries(states))
  test(`what may be taken: ${name}`, () => {
    const found = memoryIn(state);
    // Kernels count in whole kilobytes.
    assert.ok(Math.abs(found.free - free) < 8192, `${found.free} instead of ${free}`);
    assert.equal(found.total, total);
    assert.ok(found.free >= 0 && found.free <= found.total);
  });
