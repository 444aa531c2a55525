// The names that a command may not leave behind: those that others obey as soon as the folder is open, and repositories. What is there is read-only behind the fence; what a
// command makes is put aside: files until the user keeps them, repositories at once.
import { randomUUID } from 'node:crypto';
import { existsSync, type FSWatcher, lstatSync, realpathSync, watch } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { obeyed, plainName } from '../../core/obeyed.ts';
import { isWithin } from '../fence/places.ts';
import type { GitLook } from './git.ts';
import type { FolderTree } from './walk.ts';

/** Mounts of one run. */
const mostGuarded = 1000;

/** Files and folders that a command finds read-only, absolute: each is there and is no link. */
export function guardedIn(folder: string, tree: FolderTree, git: GitLook | null): readonly string[] {
  const names = new Set<string>();
  for (const path of tree.repositories.keys()) names.add(path.endsWith('HEAD') ? dirname(path) : path);
  for (const path of tree.files.keys()) {
    const own = obeyedPart(path);
    if (own !== null) names.add(own);
  }
  const places = [...names].map((name) => join(folder, name));
  // Git reads its settings' own files from where they stand, and others from the top.
  for (const name of git?.named ?? [])
    for (const from of [git?.root ?? folder, ...(git?.folders ?? [])])
      if (name !== '' && name !== '.') places.push(join(from, name));
  // A link leads to where its files really stand.
  for (const from of git?.folders ?? []) places.push(join(from, 'hooks'), join(from, 'info'));
  const real = places.flatMap((place) => (existsSync(place) ? [realpathSync(place)] : []));
  return [...new Set(real)].filter((place) => isWithin(folder, place) && place !== folder).slice(0, mostGuarded);
}

/** The outermost part of a path that others obey unasked; null for none. */
export function obeyedPart(path: string): string | null {
  const parts = path.split('/');
  for (let end = 1; end <= parts.length; end++)
    if (obeyed(parts.slice(0, end))?.when === 'opened') return parts.slice(0, end).join('/');
  return null;
}

/** Moves it into a folder of ours, and gives its new place. */
export async function moveAside(path: string, storage: string): Promise<string> {
  const place = join(storage, 'aside', randomUUID(), path.split(sep).at(-1) ?? '');
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  await rename(path, place).catch(async () => {
    // On another disk; a link stays the link that it is.
    await cp(path, place, { recursive: true, verbatimSymlinks: true });
    await rm(path, { recursive: true });
  });
  return place;
}

/** Moves away what is in the place of a repository, or of a link that others obey, and was not there before; the link comes back. Gives names with new places. */
export async function putAway(
  folder: string,
  before: FolderTree,
  now: FolderTree,
  storage: string,
): Promise<readonly string[]> {
  const known = new Set([...before.repositories.values()].filter((one) => one.startsWith('folder')));
  const links = [...before.files].filter(([path, { kind }]) => kind === 'link' && obeyedPart(path) === path);
  const replaced = links.flatMap(([path, { stamp }]) => (now.files.get(path)?.stamp === stamp ? [] : [path]));
  const made = [...now.repositories].flatMap(([path, identity]) =>
    before.repositories.get(path) === identity || known.has(identity) ? [] : [path],
  );
  const aside: string[] = [];
  for (const path of [...replaced, ...made])
    if (isThere(join(folder, path))) aside.push(`${path} moved to ${await moveAside(join(folder, path), storage)}`);
  const targets = [
    ...[...before.repositories].map(([path, identity]) => [path, linkIn(identity)] as const),
    ...replaced.map((path) => [path, linkIn(before.files.get(path)?.stamp ?? '')] as const),
  ];
  for (const [path, target] of targets)
    if (target !== null && !isThere(join(folder, path)))
      await symlink(target, join(folder, path)).catch(() => undefined);
  return aside;
}

/** Tells where a link led, by its stamp. */
function linkIn(stamp: string): string | null {
  return /^link (.*)$/s.exec(stamp)?.[1] ?? null;
}

/** Whether something is there, be it a link that leads nowhere. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Watches folders while a command runs, and moves a new repository away before an open editor has looked at it. */
export class RepositoryWatch {
  private readonly watchers: FSWatcher[] = [];
  private readonly moving: Promise<string | null>[] = [];
  private readonly seen = new Set<string>();
  private readonly folder: string;
  private readonly storage: string;

  constructor(folder: string, tree: FolderTree, storage: string) {
    this.folder = folder;
    this.storage = storage;
    for (const path of tree.repositories.keys()) this.seen.add(join(folder, path));
    for (const path of ['', ...tree.folders].slice(0, mostWatched)) this.watch(join(folder, path));
  }

  private watch(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name === null || this.moving.length > mostWatched) return;
        const path = join(folder, name);
        if (plainName(name) === '.git') this.take(path);
        else if (
          this.watchers.length < mostWatched &&
          lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
        ) {
          if (existsSync(join(path, '.git'))) this.take(join(path, '.git'));
          if (!this.seen.has(path)) this.watch(path);
          this.seen.add(path);
        }
      });
      watcher.on('error', () => undefined);
      this.watchers.push(watcher);
    } catch {
      // The folder has gone again, or the system watches no more: the look after the command finds what it left.
    }
  }

  private take(path: string): void {
    if (this.seen.has(path)) return;
    const shown = relative(this.folder, path);
    this.moving.push(
      moveAside(path, this.storage).then(
        (place) => `${shown} moved to ${place}`,
        () => null,
      ),
    );
  }

  async end(): Promise<readonly string[]> {
    for (const watcher of this.watchers) watcher.close();
    return (await Promise.all(this.moving)).flatMap((one) => one ?? []);
  }
}
const mostWatched = 2000;

/** Files of a repository by which Git decides what it runs, with their bytes; null is no file. */
export type RepositoryRules = ReadonlyMap<string, Buffer | null>;

const rules = [
  'config',
  'config.worktree',
  'commondir',
  'gitdir',
  'objects/info/alternates',
  'objects/info/http-alternates',
];

export async function repositoryRules(folders: readonly string[]): Promise<RepositoryRules> {
  const found = new Map<string, Buffer | null>();
  for (const folder of folders) {
    const more = await Promise.all(['hooks', 'info'].map((name) => filesIn(join(folder, name))));
    for (const path of [...rules.map((name) => join(folder, name)), ...more.flat()])
      found.set(path, await readFile(path).catch(() => null));
  }
  return found;
}

/** Puts back what differs, byte by byte, and gives its names. */
export async function putRulesBack(folders: readonly string[], before: RepositoryRules): Promise<readonly string[]> {
  const now = await repositoryRules(folders);
  const changed: string[] = [];
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const [was, is] = [before.get(path) ?? null, now.get(path) ?? null];
    if (was === null ? is === null : is?.equals(was) === true) continue;
    if (was === null) await rm(path, { force: true });
    else await writeFile(path, was);
    changed.push(`${relative(dirname(folders[0] ?? ''), path)} put back as it was`);
  }
  return changed;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.filter((one) => !one.isDirectory()).map((one) => join(one.parentPath, one.name));
}
