// Changes of a command: the folder before and after it, by stamps that any change alters. Former bytes come from a copy or from the commit, so that the review
// takes them back; what they cannot be told of is named.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { obeyedPart } from '../../core/obeyed.ts';
import type { FoundChange } from '../../core/stored/fileSnapshots.ts';
import { isWithin } from '../fence/places.ts';
import { type AskFenced, committed, type GitLook, ignoredOf, lookAtGit } from './git.ts';
import { type FolderTree, walkFolder } from './walk.ts';

/** A file is kept up to so many bytes, all together up to so many more, and so many files. */
const [mostBytes, mostKeptBytes, mostFiles] = [1_000_000, 32_000_000, 400];

export interface Before {
  readonly folder: string;
  readonly tree: FolderTree;
  readonly git: GitLook | null;
  /** Bytes of files that a commit could not bring back, by their paths from the folder on. */
  readonly kept: ReadonlyMap<string, Buffer>;
  /** Such files that are too large or too many to be kept. */
  readonly unkept: readonly string[];
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
  const git = ask === null ? null : await lookAtGit(ask);
  const tree = await walkFolder(folder, git?.ignored ?? []);
  const own = [...named, ...(git?.changed ?? [])].map((name) => (isAbsolute(name) ? name : join(folder, name)));
  const kept = new Map<string, Buffer>();
  const unkept: string[] = [];
  let bytes = 0;
  for (const path of new Set(own.filter((one) => isWithin(folder, one)).map((one) => shownIn(folder, one)))) {
    if (tree.files.get(path)?.kind !== 'file') continue;
    const found = kept.size < mostFiles && bytes < mostKeptBytes ? await readFile(join(folder, path)) : null;
    if (found === null) unkept.push(path);
    else kept.set(path, found);
    bytes += found?.length ?? 0;
  }
  return { folder, tree, git, kept, unkept };
}

export interface FolderChanges {
  /** These can be taken back. */
  readonly found: readonly FoundChange[];
  /** Names of others, as the user knows them. */
  readonly others: readonly string[];
}

export async function changesSince(
  { folder, tree, git, kept }: Before,
  now: FolderTree,
  ask: AskFenced | null,
): Promise<FolderChanges> {
  const differ = [...new Set([...tree.files.keys(), ...now.files.keys()])].filter(
    (path) => tree.files.get(path)?.stamp !== now.files.get(path)?.stamp,
  );
  const fresh = differ.filter((path) => !tree.files.has(path));
  // Files that Git ignores by a rule which the command has just made are told.
  const hasRules = differ.some((path) => path.endsWith('.gitignore'));
  const ignored = ask === null || git === null || hasRules ? new Set() : await ignoredOf(ask, fresh);
  const told = differ.filter((path) => !ignored.has(path) || obeyedPart(path) !== null).toSorted();
  const unknown = told.filter((path) => tree.files.get(path)?.kind === 'file' && !kept.has(path));
  const former =
    ask === null || git === null
      ? new Map()
      : await committed(
          ask,
          git,
          unknown.slice(0, mostFiles).map((path) => join(folder, path)),
          mostBytes,
        );
  const [found, others]: [FoundChange[], string[]] = [[], []];
  for (const path of told) {
    const [was, is] = [tree.files.get(path), now.files.get(path)];
    const bytes = kept.get(path) ?? former.get(join(folder, path))?.bytes ?? null;
    const own = is?.kind === 'file' ? await readFile(join(folder, path)) : null;
    const isSame = own !== null && bytes !== null && own.equals(bytes);
    if (isSame && was?.mode === is?.mode) continue;
    const isKnown =
      (was === undefined || (was.kind === 'file' && bytes !== null)) && (is === undefined || own !== null);
    if (!isKnown || isSame || found.length >= mostFiles) others.push(path);
    else
      found.push({
        file: join(folder, path),
        shown: path,
        mode: was?.mode ?? null,
        before: was === undefined ? null : bytes,
        folders: was === undefined ? newFolders(folder, path, tree) : [],
      });
  }
  return { found, others: [...others, ...(now.isPartial ? ['more than can be looked at'] : [])] };
}

/** The folders above a file of which nothing stood before, the outermost first. */
function newFolders(folder: string, path: string, tree: FolderTree): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  const above = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  return above.filter((one) => !tree.folders.has(one)).map((one) => join(folder, one));
}

/** Returns null for what is no plain file, or is larger than what is kept. */
async function readFile(path: string): Promise<Buffer | null> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= mostBytes ? await file.readFile() : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

function shownIn(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}
