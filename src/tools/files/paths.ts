// Paths from the model: find the real file inside the workspace, or refuse with words and advice.

import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { cutEnd, headLine } from './result.ts';
import type { Folder, Workspace } from './workspace.ts';

/** A workspace folder with its path free of symbolic links. */
export interface Root extends Folder {
  readonly real: string;
}

/** A file or folder that exists inside the workspace. */
export interface Place {
  /** Absolute, below the folder's own path, as the editor names it. */
  readonly path: string;
  /** Absolute and free of symbolic links: the one to open. */
  readonly real: string;
  /** The path as the model sees it. */
  readonly shown: string;
  readonly kind: 'file' | 'folder' | 'other';
  /** The text of the unsaved buffer, where one is open. */
  readonly unsaved?: string;
}

export interface PathRefusal {
  readonly ok: false;
  readonly reason: 'empty' | 'outside' | 'missing' | 'ambiguous';
  /** A line that says what is wrong and what to do instead. */
  readonly head: string;
}

export type Resolved = { readonly ok: true; readonly place: Place } | PathRefusal;

/** The folders of the workspace that exist. */
export async function findRoots(workspace: Workspace): Promise<readonly Root[]> {
  return Promise.all(workspace.folders.map(async (folder) => ({ ...folder, real: await realOf(folder.path) })));
}

/** Links that are followed one after another; a ring of them has no end. */
const mostLinks = 40;

/** A path without symbolic links, also where its last parts, or what a link leads to, do not exist yet. */
export async function realOf(path: string, links = mostLinks): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) return path;
  const at = join(await realOf(parent, links - 1), basename(path));
  const target = links > 0 ? await readlink(at).catch(() => undefined) : undefined;
  return target === undefined ? at : realOf(resolve(dirname(at), target), links - 1);
}

/** The unsaved buffers inside the workspace, by real path. */
export async function unsavedByReal(workspace: Workspace): Promise<ReadonlyMap<string, string>> {
  const buffers = workspace.unsaved();
  const reals = await Promise.all(buffers.map((buffer) => realOf(buffer.path)));
  return new Map(buffers.map((buffer, index) => [reals[index] ?? buffer.path, buffer.text]));
}

/** How the model sees an absolute path: relative to its folder, after the folder's name where there are several. */
export function showPath(roots: readonly Root[], path: string): string {
  const root = ownerOf(roots, path);
  if (root === undefined) return path;
  const rest = relative(isInside(root.path, path) ? root.path : root.real, path)
    .split(sep)
    .join('/');
  if (roots.length === 1) return rest === '' ? '.' : rest;
  if (roots.filter((other) => other.name === root.name).length > 1) return path;
  return rest === '' ? root.name : `${root.name}/${rest}`;
}

/** The innermost folder that holds an absolute path, by its own path or its real one. */
export function ownerOf(roots: readonly Root[], path: string): Root | undefined {
  return roots
    .filter((root) => isInside(root.path, path) || isInside(root.real, path))
    .sort((a, b) => b.real.length - a.real.length)[0];
}

/** Finds what the model means by a path. Never rejects. */
export async function resolvePath(workspace: Workspace, given: string): Promise<Resolved> {
  const roots = await findRoots(workspace);
  const text = given.trim();
  if (roots.length === 0) return refusal('missing', 'No folder is open, so there are no files to look at.');
  if (text === '') return refusal('empty', 'The path is empty; give one such as "src/index.ts".');
  if (text.includes('\0')) return missing(text);
  const buffers = await unsavedByReal(workspace);
  const lookUp = (paths: readonly string[]): Promise<Resolved[]> =>
    Promise.all(paths.map((path) => inspect(roots, buffers, path, text)));
  let first: Resolved | undefined;
  for (const spelling of spellingsOf(text)) {
    for (const paths of candidates(roots, spelling)) {
      const answer = choose(await lookUp(paths), text);
      if (answer.ok || answer.reason === 'ambiguous') return answer;
      if (first === undefined || (!first.ok && answer.reason === 'outside')) first = answer;
    }
  }
  return first ?? outside(text);
}

const quoted = /^(["'`])(.+)\1$/s;

/** Paths that a text may mean, as it was written first: models dress paths as they stand in prose, in diffs, in mentions and in search results. */
export function spellingsOf(text: string): readonly string[] {
  const spellings = [text];
  const also = (change: (one: string) => string) => {
    for (const one of [...spellings]) {
      const other = change(one).trim();
      if (other !== '' && !spellings.includes(other)) spellings.push(other);
    }
  };
  also((one) => one.replace(quoted, '$2'));
  also((one) => one.replace(/^@(?:file:|folder:)?/, '').replace(quoted, '$2'));
  also((one) => one.replace(/:\d+(?:[:-]\d+)?:?$/, ''));
  also((one) => one.replaceAll('\\', '/'));
  also((one) => one.replace(/^[ab]\//, ''));
  also((one) => one.normalize('NFC'));
  also((one) => one.normalize('NFD'));
  return spellings;
}

/** Whether an absolute path is a folder's path or below it. */
export function isInside(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/** Absolute paths the text can stand for, in groups: the first group with something in it wins. */
function candidates(roots: readonly Root[], text: string): string[][] {
  const groups: string[][] = [];
  if (isAbsolute(text)) groups.push([resolve(text)]);
  const slashed = sep === '\\' ? text.replaceAll('\\', '/') : text;
  // A leading slash often means the root of the workspace.
  const rel = posix.normalize(slashed.replace(/^\/+/, '')).replace(/\/$/, '');
  const named = roots
    .filter((root) => rel === root.name || rel.startsWith(`${root.name}/`))
    .map((root) => resolve(root.path, `.${rel.slice(root.name.length)}`));
  const plain = roots.map((root) => resolve(root.path, rel));
  return [...groups, ...(roots.length > 1 ? [named, plain] : [plain, named])].filter((group) => group.length > 0);
}

function choose(answers: readonly Resolved[], text: string): Resolved {
  const found = answers.filter((answer) => answer.ok);
  const [only, second] = found;
  if (only === undefined) return answers.find((answer) => !answer.ok && answer.reason === 'missing') ?? outside(text);
  if (second === undefined) return only;
  if (second.place.real === only.place.real) return only;
  const names = found.map((answer) => answer.place.shown).join('" or "');
  return refusal('ambiguous', `"${cutEnd(headLine(text), 60)}" is in several folders; say "${names}".`);
}

async function inspect(
  roots: readonly Root[],
  buffers: ReadonlyMap<string, string>,
  path: string,
  text: string,
): Promise<Resolved> {
  const real = await realOf(path);
  if (!roots.some((root) => isInside(root.real, real))) return outside(text);
  const unsaved = buffers.get(real);
  const stats = await stat(real).catch(() => undefined);
  if (stats === undefined && unsaved === undefined) return missing(text);
  const kind = stats === undefined || stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  const owned = ownerOf(roots, path) === undefined ? real : path;
  const place = { path: owned, real, shown: showPath(roots, owned), kind } as const;
  return { ok: true, place: unsaved === undefined ? place : { ...place, unsaved } };
}

function missing(text: string): PathRefusal {
  return refusal('missing', `There is no "${cutEnd(headLine(text), 100)}" in the workspace.`);
}

function outside(text: string): PathRefusal {
  const shown = cutEnd(headLine(text), 80);
  return refusal('outside', `"${shown}" is outside the workspace; give a path inside it, such as "src/index.ts".`);
}

function refusal(reason: PathRefusal['reason'], head: string): PathRefusal {
  return { ok: false, reason, head };
}
