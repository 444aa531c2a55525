// Hashes of all that is in a folder: links as links, and folders only where they are empty. Comparing two of them shows what changed.
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Hashes by path from the folder, with slashes. */
export type TreeHash = ReadonlyMap<string, string>;

export function treeHash(folder: string): TreeHash {
  const found = new Map<string, string>();
  const walk = (at: string) => {
    const entries = readdirSync(at, { withFileTypes: true });
    if (entries.length === 0) found.set(shownFrom(folder, at), 'an empty folder');
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) walk(path);
      else found.set(shownFrom(folder, path), hashOf(entry, path));
    }
  };
  walk(folder);
  return found;
}

function hashOf(entry: Dirent, path: string): string {
  if (entry.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!entry.isFile()) return 'no regular file';
  return `${statSync(path).mode.toString(8)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
}

function shownFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

/** Paths of what is new, gone, or not as it was. A folder that is empty now, or was, counts only where nothing in it does. */
export function changedPaths(before: TreeHash, after: TreeHash): readonly string[] {
  const all = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const changed = all.filter((path) => before.get(path) !== after.get(path));
  return changed.filter((path) => !changed.some((other) => other.startsWith(`${path}/`)));
}
