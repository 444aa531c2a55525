// Files that a command changed: looked at before and after it, never claimed to be all. Their former bytes are kept, so that the review takes it back.
import { constants } from 'node:fs';
import { lstat, open, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { FoundChange } from '../../core/stored/fileSnapshots.ts';
import { isWithin } from '../fence/places.ts';
import { type AskFenced, committed, filesBetween, type GitLook, lookAtGit } from './git.ts';

/** A file is kept up to so many bytes, all together up to so many more, and so many files. */
const [mostBytes, mostKeptBytes, mostFiles] = [1_000_000, 32_000_000, 400];

export interface Before {
  readonly folder: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly git: GitLook | null;
  /** Files as they were, by their absolute paths; null is no file. */
  readonly kept: ReadonlyMap<string, { readonly bytes: Buffer | null; readonly mode: number | null }>;
  /** Files that Git has not, and that are too large or too many to be kept: size and time of change by path. */
  readonly unkept: ReadonlyMap<string, string>;
  /** The same of links, and of other things that are no files, that Git lists. */
  readonly links: ReadonlyMap<string, string>;
}

export interface BeforeRequest {
  /** Real path of the open folder. */
  readonly folder: string;
  /** Asks behind the fence; null where none holds. */
  readonly ask: AskFenced | null;
  /** Words of the command, and files that the conversation changed: paths from the folder on, or absolute. */
  readonly named: readonly string[];
}

/** Looks at the folder and keeps what Git could not bring back. */
export async function lookBefore({ folder, ask, named }: BeforeRequest): Promise<Before> {
  const at = Date.now();
  const git = ask === null ? null : await lookAtGit(ask);
  const own = named
    .map((name) => (isAbsolute(name) ? name : join(folder, name)))
    .filter((path) => isWithin(folder, path));
  const kept = new Map<string, { bytes: Buffer | null; mode: number | null }>();
  const unkept = new Map<string, string>();
  const links = new Map<string, string>();
  let bytes = 0;
  for (const path of new Set([...own, ...(git?.changed.keys() ?? [])])) {
    const found = kept.size < mostFiles && bytes < mostKeptBytes ? await readFile(path) : 'unkept';
    if (found === 'unkept') unkept.set(path, await stampOf(path));
    else if (found !== 'no file') kept.set(path, found);
    else if (git?.changed.has(path) === true) links.set(path, await stampOf(path));
    if (typeof found === 'object') bytes += found.bytes?.length ?? 0;
  }
  return { folder, at, git, kept, unkept, links };
}

export interface FolderChanges {
  /** These can be taken back. */
  readonly found: readonly FoundChange[];
  /** Names of others, as the user knows them. */
  readonly others: readonly string[];
}

/** `heard`: absolute paths of files that somebody heard of meanwhile, which count where Git says nothing. */
export async function changesSince(
  before: Before,
  ask: AskFenced | null,
  heard: readonly string[],
): Promise<FolderChanges> {
  const { folder, kept, unkept, links } = before;
  const now = before.git === null || ask === null ? null : await lookAtGit(ask);
  const others = new Set<string>();
  const found: FoundChange[] = [];
  const shown = (path: string) => relative(folder, path).split(sep).join('/');
  const note = async (file: string, mode: number | null, former: Buffer | null) => {
    const folders = former === null ? await foldersSince(folder, file, before.at) : [];
    found.push({ file, shown: shown(file), mode, before: former, folders });
  };
  for (const [path, { bytes, mode }] of kept) {
    const is = await readFile(path);
    if (typeof is === 'object' && sameBytes(is.bytes, bytes)) continue;
    if (typeof is === 'object') await note(path, mode, bytes);
    else others.add(shown(path));
  }
  for (const [path, stamp] of [...unkept, ...links]) if ((await stampOf(path)) !== stamp) others.add(shown(path));
  const known = (path: string) => [kept, unkept, links].some((some) => some.has(path)) || !isWithin(folder, path);
  if (now === null || before.git === null || ask === null) {
    for (const path of heard) if (!known(path)) others.add(shown(path));
    return { found, others: [...others] };
  }
  const moved =
    before.git.head === now.head || before.git.head === null || now.head === null
      ? []
      : await filesBetween(ask, now.root, before.git.head, now.head);
  const fresh = [...new Set([...now.changed.keys(), ...moved])].filter((path) => !known(path));
  const former = await committed(ask, before.git, fresh.slice(0, mostFiles), mostBytes);
  for (const path of fresh) {
    const { bytes = null, mode = null } = former.get(path) ?? {};
    const is = await readFile(path);
    // A file that no commit has, and that was not there for Git before, is new.
    const isKnown = bytes !== null || (now.changed.get(path) === 'untracked' && is !== 'no file');
    if (typeof is === 'object' && isKnown && !sameBytes(is.bytes, bytes)) await note(path, mode, bytes);
    else if (typeof is !== 'object' || !isKnown) others.add(shown(path));
  }
  return { found, others: [...others] };
}

type Read = { readonly bytes: Buffer | null; readonly mode: number | null } | 'unkept' | 'no file';

/** 'no file': a folder, a link, or a thing of another kind. */
async function readFile(path: string): Promise<Read> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return 'no file';
      return stats.size > mostBytes ? 'unkept' : { bytes: await file.readFile(), mode: stats.mode & 0o7777 };
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { bytes: null, mode: null } : 'no file';
  }
}

function sameBytes(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

async function stampOf(path: string): Promise<string> {
  return lstat(path).then(
    ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
    () => '',
  );
}

/** The folders above a file that were made since, the outermost first. `since`: Unix milliseconds. */
async function foldersSince(folder: string, file: string, since: number): Promise<readonly string[]> {
  const parts = relative(folder, file).split(sep).slice(0, -1);
  const above = parts.map((_, i) => join(folder, ...parts.slice(0, i + 1)));
  const born = await Promise.all(
    above.map((path) =>
      stat(path).then(
        ({ birthtimeMs }) => birthtimeMs,
        () => 0,
      ),
    ),
  );
  return above.filter((_, i) => (born[i] ?? 0) >= since);
}
