// The names that a command may not leave behind: those that others obey as soon as the folder is open, and repositories. What is there is read-only behind the fence; what a
// command makes is put aside, by another name beside it, so that nothing is moved or lost.
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { chmod, copyFile, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { obeyedPart } from '../../core/obeyed.ts';
import { isWithin } from '../fence/places.ts';
import type { GitLook } from './git.ts';
import type { FolderTree } from './walk.ts';

/** Mounts of one run: those of repositories and of what Git obeys come first. */
const mostGuarded = 1000;

/** Files and folders that a command finds read-only, absolute: each is there and is no link. */
export function guardedIn(folder: string, tree: FolderTree, git: GitLook | null): readonly string[] {
  const repositories = [...tree.repositories.keys()].map((path) =>
    join(folder, path.endsWith('HEAD') ? dirname(path) : path),
  );
  const names = new Set([...tree.files.keys()].flatMap((path) => obeyedPart(path) ?? []));
  // A link leads to where its files really stand.
  const inside = (git?.folders ?? []).flatMap((from) => [join(from, 'hooks'), join(from, 'info')]);
  const places = [
    ...repositories,
    ...namedByGit(folder, git),
    ...inside,
    ...[...names].map((name) => join(folder, name)),
  ];
  const real = places.flatMap((place) => (existsSync(place) ? [realpathSync(place)] : []));
  return [...new Set(real)].filter((place) => isWithin(folder, place) && place !== folder).slice(0, mostGuarded);
}

/** Places in the folder that the settings of its repository name, there or not: Git reads its own files from where they stand, and others from the top. */
export function namedByGit(folder: string, git: GitLook | null): readonly string[] {
  const from = git === null ? [] : [git.root, ...git.folders];
  const places = from.flatMap((place) => (git?.named ?? []).map((name) => join(place, name)));
  return places.filter((place) => isWithin(folder, place) && place !== folder && !place.includes(`${sep}.git${sep}`));
}

/**
 * Puts aside what is in the place of a repository, or of a link that others obey, and was not there before; the link comes back. Never rejects: it tells what became
 * of each.
 */
export async function putAway(folder: string, before: FolderTree, now: FolderTree): Promise<readonly string[]> {
  const known = new Set([...before.repositories.values()].filter((one) => !one.startsWith('link')));
  const links = [...before.files].filter(([path, { kind }]) => kind === 'link' && obeyedPart(path) === path);
  const replaced = links.flatMap(([path, { stamp }]) => (now.files.get(path)?.stamp === stamp ? [] : [path]));
  const made = [...now.repositories].flatMap(([path, identity]) =>
    before.repositories.get(path) === identity || known.has(identity) ? [] : [path],
  );
  const aside: string[] = [];
  for (const path of [...replaced, ...made]) if (isThere(join(folder, path))) aside.push(await putAside(folder, path));
  const targets = [
    ...[...before.repositories].map(([path, identity]) => [path, linkIn(identity)] as const),
    ...replaced.map((path) => [path, linkIn(before.files.get(path)?.stamp ?? '')] as const),
  ];
  for (const [path, target] of targets)
    if (target !== null && !isThere(join(folder, path)))
      await symlink(target, join(folder, path)).catch(() => undefined);
  return aside;
}

/** Gives it another name that nobody obeys, and tells so. A folder `.git` stays where it is: without its HEAD it is none. */
export async function putAside(folder: string, path: string): Promise<string> {
  const place = join(folder, path);
  const isRepository =
    basename(place) === '.git' && lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const from = isRepository ? join(place, 'HEAD') : place;
  try {
    // Nothing is renamed through a link that was put in the place of a folder.
    if (realpathSync(dirname(from)) !== dirname(from)) throw new Error('its folder is a link');
    await chmod(dirname(from), (await stat(dirname(from))).mode | 0o700);
    let to = `${from}.put-aside`;
    for (let n = 2; isThere(to); n++) to = `${from}.put-aside-${n}`;
    await rename(from, to);
    return `${relative(folder, from)} put aside as ${basename(to)}: renamed back, it is what it was`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${path} COULD NOT be put aside (${reason}): look at it before you open the folder`;
  }
}

/** Tells where a link led, by its stamp. */
function linkIn(stamp: string): string | null {
  return /^link (.*)$/s.exec(stamp)?.[1] ?? null;
}

/** Whether something is there, be it a link that leads nowhere. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Files of a repository by which Git decides what it runs, with their bytes and rights; null is no file. */
export type RepositoryRules = ReadonlyMap<string, { readonly bytes: Buffer; readonly mode: number } | null>;

const rules = [
  'config',
  'config.worktree',
  'commondir',
  'gitdir',
  'objects/info/alternates',
  'objects/info/http-alternates',
];

export async function repositoryRules(folders: readonly string[]): Promise<RepositoryRules> {
  const found = new Map<string, { readonly bytes: Buffer; readonly mode: number } | null>();
  for (const folder of folders) {
    const more = await Promise.all(['hooks', 'info'].map((name) => filesIn(join(folder, name))));
    for (const path of [...rules.map((name) => join(folder, name)), ...more.flat()]) {
      const bytes = await readFile(path).catch(() => null);
      found.set(path, bytes === null ? null : { bytes, mode: (await stat(path)).mode & 0o7777 });
    }
  }
  return found;
}

/** Puts back what differs, byte by byte, with the other bytes beside it, and gives its names. */
export async function putRulesBack(folders: readonly string[], before: RepositoryRules): Promise<readonly string[]> {
  const now = await repositoryRules(folders);
  const told: string[] = [];
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const [was, is] = [before.get(path) ?? null, now.get(path) ?? null];
    if (was === null ? is === null : is?.bytes.equals(was.bytes) === true && is.mode === was.mode) continue;
    if (is !== null && was !== null) await copyFile(path, `${path}.put-aside`);
    if (was === null) await rename(path, `${path}.put-aside`);
    else await writeFile(path, was.bytes, { mode: was.mode });
    if (was !== null) await chmod(path, was.mode);
    told.push(`${relative(dirname(folders[0] ?? ''), path)} put back as it was`);
  }
  return told;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((one) => !one.isDirectory()).map((one) => join(one.parentPath, one.name));
  return files.filter((path) => !path.endsWith('.put-aside'));
}
