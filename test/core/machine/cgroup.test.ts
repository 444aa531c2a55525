// Groups of Linux limit what a process may use: twelve layouts, as files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupLimits } from '../../../src/core/machine/cgroup.ts';

const gigabyte = 2 ** 30;
/** A line of mountinfo. */
const mounted = (root: string, at: string, type: string, options: string) =>
  `31 23 0:28 ${root} ${at} rw,relatime shared:9 - ${type} cgroup ${options}\n`;
const unified = (root: string, at = '/sys/fs/cgroup') => mounted(root, at, 'cgroup2', 'rw,nsdelegate');
const first = (root: string) =>
  ['cpu,cpuacct', 'memory'].map((name) => mounted(root, `/sys/fs/cgroup/${name}`, 'cgroup', `rw,${name}`)).join('');
const firstGroups = (group: string) => `5:cpu,cpuacct:${group}\n4:memory:${group}\n`;

interface Layout {
  readonly groups: string;
  readonly mounts: string;
  /** Below /sys/fs/cgroup. */
  readonly files?: Readonly<Record<string, string>>;
}

function limitsIn({ groups, mounts, files = {} }: Layout) {
  const all = new Map([
    ['/proc/self/cgroup', groups],
    ['/proc/self/mountinfo', `22 27 0:21 / /proc rw,relatime - proc proc rw\n${mounts}`],
    ...Object.entries(files).map(([name, text]) => [`/sys/fs/cgroup/${name}`, text] as const),
  ]);
  return groupLimits((path) => all.get(path) ?? null);
}

const none = { processors: null, memory: null };

test('a desktop under version 2 whose groups say "max" has no limit', () => {
  const group = 'user.slice/user-1000.slice/app.slice/code.scope';
  const files = {
    [`${group}/cpu.max`]: 'max 100000\n',
    [`${group}/memory.max`]: 'max\n',
    'user.slice/memory.high': 'max\n',
  };
  assert.deepEqual(limitsIn({ groups: `0::/${group}\n`, mounts: unified('/'), files }), none);
});

test('a container under version 2 sees its own group as the root', () => {
  const files = {
    'cpu.max': '200000 100000\n',
    'memory.max': `${4 * gigabyte}\n`,
    'memory.current': `${3 * gigabyte}\n`,
    'memory.stat': `anon ${gigabyte}\nfile ${2 * gigabyte}\ninactive_file ${gigabyte}\nactive_file ${gigabyte}\n`,
  };
  assert.deepEqual(limitsIn({ groups: '0::/\n', mounts: unified('/'), files }), {
    processors: 2,
    memory: { limit: 4 * gigabyte, free: 3 * gigabyte },
  });
});

test('a limit of a group around it holds, and the smallest of all counts', () => {
  const files = {
    'a/cpu.max': '150000 100000\n',
    'a/b/cpu.max': '400000 100000\n',
    'a/b/c/cpu.max': 'max 100000\n',
    'a/memory.max': `${2 * gigabyte}\n`,
    'a/memory.current': `${gigabyte}\n`,
    'a/b/memory.max': `${gigabyte * 1.5}\n`,
    'a/b/memory.current': '0\n',
  };
  assert.deepEqual(limitsIn({ groups: '0::/a/b/c\n', mounts: unified('/'), files }), {
    processors: 1.5,
    memory: { limit: 1.5 * gigabyte, free: gigabyte },
  });
});

test('above memory.high a process is held up, so that it is a limit too', () => {
  const files = {
    'a/memory.max': `${8 * gigabyte}\n`,
    'a/memory.high': `${6 * gigabyte}\n`,
    'a/memory.current': '0\n',
  };
  const { memory } = limitsIn({ groups: '0::/a\n', mounts: unified('/'), files });
  assert.deepEqual(memory, { limit: 6 * gigabyte, free: 6 * gigabyte });
});

test('a container under version 1 names its group from the host, and has it mounted as the root', () => {
  const files = {
    'cpu,cpuacct/cpu.cfs_quota_us': '50000\n',
    'cpu,cpuacct/cpu.cfs_period_us': '100000\n',
    'memory/memory.limit_in_bytes': `${gigabyte}\n`,
    'memory/memory.usage_in_bytes': `${gigabyte}\n`,
    'memory/memory.stat': 'total_active_file 1000\ntotal_inactive_file 24\nactive_file 1\n',
  };
  const group = '/docker/0f3a';
  assert.deepEqual(limitsIn({ groups: firstGroups(group), mounts: first(group), files }), {
    processors: 0.5,
    memory: { limit: gigabyte, free: 1024 },
  });
});

test('with the host’s root mounted in a container its group is found below it', () => {
  const files = {
    'cpu,cpuacct/cpu.cfs_quota_us': '-1\n',
    'cpu,cpuacct/cpu.cfs_period_us': '100000\n',
    'cpu,cpuacct/docker/0f3a/cpu.cfs_quota_us': '300000\n',
    'cpu,cpuacct/docker/0f3a/cpu.cfs_period_us': '100000\n',
    'memory/memory.limit_in_bytes': '9223372036854771712\n',
    'memory/docker/0f3a/memory.limit_in_bytes': `${gigabyte}\n`,
  };
  assert.deepEqual(limitsIn({ groups: firstGroups('/docker/0f3a'), mounts: first('/'), files }), {
    processors: 3,
    memory: { limit: gigabyte, free: gigabyte },
  });
});

test('a group that cannot be seen from here leaves those that can', () => {
  const files = { 'a/cpu.max': '100000 100000\n' };
  assert.equal(limitsIn({ groups: '0::/a/gone/deep\n', mounts: unified('/'), files }).processors, 1);
  const named = { groups: '0::/\n', mounts: unified('/kubepods/pod7'), files: { 'cpu.max': '100000 100000\n' } };
  assert.equal(limitsIn(named).processors, 1);
});

test('version 1 says in memory.stat what groups around it allow', () => {
  const files = {
    'memory/memory.limit_in_bytes': '9223372036854771712\n',
    'memory/memory.usage_in_bytes': '0\n',
    'memory/memory.stat': `hierarchical_memory_limit ${gigabyte}\n`,
  };
  assert.equal(limitsIn({ groups: firstGroups('/x'), mounts: first('/x'), files }).memory?.limit, gigabyte);
});

test('where both versions stand side by side each controller is read where it is', () => {
  const files = {
    'cpu,cpuacct/mine/cpu.cfs_quota_us': '100000\n',
    'cpu,cpuacct/mine/cpu.cfs_period_us': '100000\n',
    'unified/mine/memory.max': `${gigabyte}\n`,
  };
  const mounts = `${first('/')}${unified('/', '/sys/fs/cgroup/unified')}`;
  assert.deepEqual(limitsIn({ groups: '5:cpu,cpuacct:/mine\n0::/mine\n', mounts, files }), {
    processors: 1,
    memory: { limit: gigabyte, free: gigabyte },
  });
});

test('a process in a group outside its namespace is held to what is mounted', () => {
  const layout = { groups: '0::/../other\n', mounts: unified('/'), files: { 'cpu.max': '100000 100000\n' } };
  assert.equal(limitsIn(layout).processors, 1);
});

test('a group with a colon in its name is found whole', () => {
  const files = { 'a:b/cpu.max': '250000 100000\n' };
  assert.equal(limitsIn({ groups: '0::/a:b\n', mounts: unified('/'), files }).processors, 2.5);
});

test('without groups, and with files that say nothing, there is no limit', () => {
  assert.deepEqual(
    groupLimits(() => null),
    none,
  );
  const files = { 'cpu.max': '\n', 'memory.max': 'soon\n', 'memory.stat': '\n' };
  assert.deepEqual(limitsIn({ groups: '0::/\n', mounts: unified('/'), files }), none);
  assert.deepEqual(limitsIn({ groups: '', mounts: unified('/'), files }), none);
});
