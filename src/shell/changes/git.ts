// The folder as Git sees it, before a command and after it. Git runs programs that the settings of a repository name, so it is asked behind the
// fence alone, with the folder read-only.
import { join, sep } from 'node:path';
import type { Started } from '../fence/fence.ts';

/** Runs a program behind the fence and gives its output; null where it fails. */
export type AskFenced = (started: Started, input?: string) => Promise<Buffer | null>;

export interface GitLook {
  /** The top of the working tree, absolute. */
  readonly root: string;
  /** The commit's id; null before the first. */
  readonly head: string | null;
  /** Files that are not as the commit has them, absolute; 'untracked' are in no commit. */
  readonly changed: ReadonlyMap<string, 'tracked' | 'untracked'>;
}

const asked = [
  '--no-optional-locks',
  '-c',
  'safe.directory=*',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
];

/** The result is null where there is no repository, or Git cannot say. Format: git-status(1), porcelain version 2. */
export async function lookAtGit(ask: AskFenced): Promise<GitLook | null> {
  // Both in one start of the fence.
  const script =
    'git "$@" rev-parse --show-toplevel && exec git "$@" status --untracked-files=all --porcelain=v2 --branch -z --no-renames --ignore-submodules=all -- .';
  const told = await ask({ program: '/bin/sh', args: ['-c', script, 'sh', ...asked] });
  const end = told?.indexOf('\n') ?? -1;
  if (told === null || end < 0) return null;
  const root = told.toString('utf8', 0, end);
  const changed = new Map<string, 'tracked' | 'untracked'>();
  let head: string | null = null;
  for (const entry of told.toString('utf8', end + 1).split('\0')) {
    const [kind = ''] = entry;
    if (entry.startsWith('# branch.oid ')) head = /^[\da-f]{40,}$/.exec(entry.slice(13))?.[0] ?? null;
    const path = { '1': wordFrom(entry, 8), u: wordFrom(entry, 10), '?': entry.slice(2) }[kind] ?? '';
    if (path !== '' && !path.endsWith('/')) changed.set(placeIn(root, path), kind === '?' ? 'untracked' : 'tracked');
  }
  return { root, head, changed };
}

/** Files in which two commits differ, absolute. */
export async function filesBetween(ask: AskFenced, root: string, from: string, to: string): Promise<readonly string[]> {
  const args = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', from, to, '--', '.'];
  const told = await ask({ program: 'git', args: [...asked, ...args] });
  const paths = (told?.toString('utf8') ?? '').split('\0').filter((path) => path !== '');
  return paths.map((path) => placeIn(root, path));
}

export interface Committed {
  readonly bytes: Buffer;
  /** Permission bits. */
  readonly mode: number;
}

/** Files as a commit has them, with the line ends of a working tree; left out are those that it has not, links, and what is larger than `most` bytes. */
export async function committed(
  ask: AskFenced,
  { root, head }: Pick<GitLook, 'root' | 'head'>,
  files: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, Committed>> {
  const found = new Map<string, Committed>();
  if (head === null || files.length === 0) return found;
  const named = files.map((file) => file.slice(root.length + 1).replaceAll(sep, '/'));
  const tree = await ask({
    program: 'git',
    args: [...asked, 'ls-tree', '-z', '-l', '--full-tree', head, '--', ...named.map((path) => `:(literal)${path}`)],
  });
  const rows = (tree?.toString('utf8') ?? '').split('\0').flatMap((row) => {
    const [, mode = '', id = '', size = '', path = ''] = /^(\d+) blob (\w+) +(\d+)\t([^\n]+)$/.exec(row) ?? [];
    return mode.startsWith('100') && Number(size) <= most
      ? [{ id, path, mode: mode === '100755' ? 0o755 : 0o644 }]
      : [];
  });
  if (rows.length === 0) return found;
  const wanted = rows.map(({ id, path }) => `${id} ${path}\n`).join('');
  const told = await ask({ program: 'git', args: [...asked, 'cat-file', '--batch', '--filters'] }, wanted);
  let at = 0;
  for (const { path, mode } of rows) {
    const line = told?.indexOf('\n', at) ?? -1;
    const size = Number(/ blob (\d+)$/.exec(told?.toString('utf8', at, line) ?? '')?.[1] ?? Number.NaN);
    if (told === null || line < 0 || Number.isNaN(size)) break;
    found.set(placeIn(root, path), { bytes: told.subarray(line + 1, line + 1 + size), mode });
    at = line + 2 + size;
  }
  return found;
}

/** The rest of a line behind so many words. */
function wordFrom(entry: string, words: number): string {
  return entry.split(' ').slice(words).join(' ');
}

function placeIn(root: string, path: string): string {
  return join(root, path);
}
