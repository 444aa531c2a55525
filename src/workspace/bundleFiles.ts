// The files of the bundle: which ones a list of paths and `dir/*.md` stands for, in every folder of the workspace.

import { readdir } from 'node:fs/promises';
import { isAbsolute, join, posix, relative, sep } from 'node:path';
import { type Place, resolvePath } from '../tools/files/paths.ts';
import type { Workspace } from '../tools/files/workspace.ts';

const readme = 'README.md';

/** Most telling first, because the bundle is cut from its end. `README.md` stands for a README of any kind. */
export const defaultFiles: readonly string[] = [
  'AGENTS.md',
  'CLAUDE.md',
  '.github/copilot-instructions.md',
  readme,
  '.tidemark/*.md',
];

/** Leaves the README out of files that nobody chose, for a model that does not look around: what a message needs of it is found. */
export function headFiles(files: readonly string[], looksAround: boolean): readonly string[] {
  const areChosen = files.length !== defaultFiles.length || files.some((file, at) => file !== defaultFiles[at]);
  return looksAround || areChosen ? files : files.filter((file) => file !== readme);
}

/** Rules that were written for other assistants, each a file or a folder: the first that is there is taken where there is no AGENTS.md. */
const otherRules: readonly string[] = [
  '.clinerules',
  '.clinerules/*.md',
  '.roo/rules/*.md',
  '.kilo/rules/*.md',
  '.kilocode/rules/*.md',
  '.continue/rules/*.md',
];
const rules = 'AGENTS.md';

const mostFiles = 64;
const readmes: readonly string[] = ['README.md', 'README.rst', 'README.txt', 'README'];

interface Entry {
  readonly folder: string;
  /** File names in the order of preference; the first that is there is taken. None for every `.md` file. */
  readonly names: readonly string[] | undefined;
}

/** Finds the files of the entries, each entry in all folders before the next; nothing outside the workspace. */
export async function findFiles(workspace: Workspace, entries: readonly string[]): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const text of entries) {
    const entry = readEntry(text);
    for (const { path } of entry === undefined ? [] : workspace.folders) {
      const found = entry === undefined ? [] : await findEntry(workspace, path, entry);
      places.push(...(text === rules && found.length === 0 ? await findOtherRules(workspace, path) : found));
      if (places.length >= mostFiles) return places.slice(0, mostFiles);
    }
  }
  return places;
}

async function findOtherRules(workspace: Workspace, root: string): Promise<readonly Place[]> {
  for (const entry of otherRules.map(readEntry)) {
    const found = entry === undefined ? [] : await findEntry(workspace, root, entry);
    if (found.length > 0) return found;
  }
  return [];
}

const withOtherRules = (entries: readonly string[]) =>
  entries.includes(rules) ? [...entries, ...otherRules] : entries;

/** Names the files of the entries that lie outside the workspace, or lead there by a symbolic link, as the entry or its folder names them. */
export async function findOutside(workspace: Workspace, entries: readonly string[]): Promise<readonly string[]> {
  const found = entries.filter((text) => isAbsolute(text.trim()));
  const isOutside = async (path: string) => {
    const place = await resolvePath(workspace, path);
    return !place.ok && place.reason === 'outside';
  };
  for (const { folder, names } of withOtherRules(entries)
    .map(readEntry)
    .filter((entry) => entry !== undefined)) {
    for (const { path } of workspace.folders) {
      const whole = await isOutside(join(path, folder));
      const there = whole ? [] : await readdir(join(path, folder)).catch(() => []);
      const wanted = whole ? (names?.slice(0, 1) ?? ['*.md']) : namesOf(there.sort(), { folder, names });
      for (const name of wanted) {
        if (whole || (there.includes(name) && (await isOutside(join(path, folder, name)))))
          found.push(posix.join(folder, name));
      }
    }
  }
  return [...new Set(found)];
}

/** Whether a changed file, by its absolute path, may be one of the entries. */
export function matchesFiles(workspace: Workspace, entries: readonly string[], path: string): boolean {
  const known = withOtherRules(entries)
    .map(readEntry)
    .filter((entry) => entry !== undefined);
  return workspace.folders.some((root) => {
    const parts = relative(root.path, path).split(sep);
    const name = (parts.pop() ?? '').toLowerCase();
    const folder = parts.length === 0 ? '.' : parts.join('/');
    return known.some((entry) => {
      if (entry.folder.toLowerCase() !== folder.toLowerCase()) return false;
      return entry.names === undefined ? name.endsWith('.md') : entry.names.some((one) => one.toLowerCase() === name);
    });
  });
}

function readEntry(text: string): Entry | undefined {
  const path = posix.normalize(text.trim().replaceAll('\\', '/'));
  const name = posix.basename(path);
  const folder = posix.dirname(path);
  if (path === '.' || isAbsolute(path) || folder.includes('*') || path.includes('\0')) return undefined;
  if (name === '*.md') return { folder, names: undefined };
  if (name.includes('*')) return undefined;
  return { folder, names: name.toLowerCase() === 'readme.md' ? readmes : [name] };
}

async function findEntry(workspace: Workspace, root: string, entry: Entry): Promise<readonly Place[]> {
  const folder = await resolvePath(workspace, join(root, entry.folder));
  if (!folder.ok || folder.place.kind !== 'folder') return [];
  const there = (await readdir(folder.place.real).catch(() => [])).sort();
  const places: Place[] = [];
  for (const name of namesOf(there, entry)) {
    const found = await resolvePath(workspace, join(folder.place.path, name));
    if (found.ok && found.place.kind === 'file') places.push(found.place);
    if (entry.names !== undefined && places.length > 0) break;
  }
  return places;
}

/** The names to look for, as the folder spells them. */
function namesOf(there: readonly string[], { names }: Entry): readonly string[] {
  if (names === undefined) return there.filter((name) => name.toLowerCase().endsWith('.md'));
  return names.map((wanted) => {
    const same = there.includes(wanted) ? wanted : there.find((name) => name.toLowerCase() === wanted.toLowerCase());
    // A file that only a buffer holds is not in the folder.
    return same ?? wanted;
  });
}
