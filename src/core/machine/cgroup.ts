// Control groups of Linux limit what a process may use of the machine, and a container has its limits there: version 1, version 2, and both side by side.

export interface GroupLimits {
  /** Processors whose time it may use, in parts of one too; null for no limit. */
  readonly processors: number | null;
  /** Bytes of main memory; null for no limit. */
  readonly memory: { readonly limit: number; readonly free: number } | null;
}

/** The text of a file; null where it cannot be read. */
export type ReadText = (path: string) => string | null;

type Controller = 'cpu' | 'memory';

/** Limits of groups around a group hold for it too, as far as they can be seen. */
export function groupLimits(read: ReadText): GroupLimits {
  const quotas = foldersOf('cpu', read).flatMap((folder) => quotaOf(folder, read) ?? []);
  const limits = foldersOf('memory', read).flatMap((folder) => memoryOf(folder, read) ?? []);
  const least = (list: readonly number[]) => Math.min(...list);
  return {
    processors: quotas.length === 0 ? null : least(quotas),
    memory:
      limits.length === 0
        ? null
        : { limit: least(limits.map(({ limit }) => limit)), free: least(limits.map(({ free }) => free)) },
  };
}

/** The folder of this process's group, and of each around it up to the root that is mounted here. Some of them may not be there. */
function foldersOf(controller: Controller, read: ReadText): readonly string[] {
  const groups = linesOf(read('/proc/self/cgroup')).map((line) => line.split(':'));
  return linesOf(read('/proc/self/mountinfo')).flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '/', mount = ''] = before.split(' ');
    const [type, , options = ''] = after.split(' ');
    const isFirst = type === 'cgroup' && options.split(',').includes(controller);
    if (!isFirst && type !== 'cgroup2') return [];
    const isOwn = ([, names = '']: readonly string[]) =>
      isFirst ? names.split(',').includes(controller) : names === '';
    const group = groups.find(isOwn)?.slice(2).join(':');
    return group === undefined ? [] : upwards(mount, below(root, group));
  });
}

/** Steps from what is mounted to the group. In a container the two may be named from different roots: then the mount itself is the group. */
function below(root: string, group: string): readonly string[] {
  const [from, to] = [stepsOf(root), stepsOf(group)];
  const inside = to.slice(from.length);
  const isWithin = from.every((step, at) => step === to[at]);
  return isWithin && !inside.includes('..') ? inside : [];
}

function upwards(mount: string, steps: readonly string[]): readonly string[] {
  return Array.from({ length: steps.length + 1 }, (_, up) => [mount, ...steps.slice(0, steps.length - up)].join('/'));
}

function quotaOf(folder: string, read: ReadText): number | null {
  const [quota, period] = read(`${folder}/cpu.max`)?.split(' ') ?? [
    read(`${folder}/cpu.cfs_quota_us`),
    read(`${folder}/cpu.cfs_period_us`),
  ];
  const processors = Number(quota) / Number(period);
  return processors > 0 && Number.isFinite(processors) ? processors : null;
}

/** Version 1 says no limit with a number that no machine has. */
const limitless = 2 ** 60;

function memoryOf(folder: string, read: ReadText): { readonly limit: number; readonly free: number } | null {
  const stat = new Map(linesOf(read(`${folder}/memory.stat`)).map((line) => line.split(' ') as [string, string]));
  const said = [
    ...['memory.max', 'memory.high', 'memory.limit_in_bytes'].map((name) => read(`${folder}/${name}`)),
    // The limits of groups around it, also where they cannot be seen.
    stat.get('hierarchical_memory_limit') ?? null,
  ];
  const limits = said.flatMap((text) => numberIn(text) ?? []).filter((bytes) => bytes < limitless);
  if (limits.length === 0) return null;
  const limit = Math.min(...limits);
  const used = numberIn(read(`${folder}/memory.current`) ?? read(`${folder}/memory.usage_in_bytes`)) ?? 0;
  return { limit, free: Math.max(0, Math.min(limit, limit - used + reclaimable(stat))) };
}

/** Pages of files, which the system takes back: what was read of a model before is among them. */
function reclaimable(stat: ReadonlyMap<string, string>): number {
  const pages = (name: string) => numberIn(stat.get(`total_${name}`) ?? stat.get(name) ?? null) ?? 0;
  return pages('active_file') + pages('inactive_file');
}

/** A text such as "max" is no number. */
function numberIn(text: string | null): number | null {
  return text !== null && /^\s*\d+\s*$/.test(text) ? Number(text) : null;
}

function linesOf(text: string | null): readonly string[] {
  return text?.split('\n').filter((line) => line !== '') ?? [];
}

function stepsOf(path: string): readonly string[] {
  return path.split('/').filter((step) => step !== '');
}
