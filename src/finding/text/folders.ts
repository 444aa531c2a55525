// The folders of an index: the files in them that no ignore file excludes, and the names their paths have in it.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Signal } from '../../core/dialog/tool.ts';
import { isInside, type Root, showPath } from '../../tools/files/paths.ts';
import { hiddenToo, isInRepository } from '../../tools/search/listing.ts';
import { runRipgrep } from '../../tools/search/ripgrep.ts';

export interface Folders {
  readonly roots: readonly Root[];
  /** Globs of what the user excludes, as the editor writes them. */
  readonly exclude: readonly string[];
}

/** Seconds a walk may take, in milliseconds. */
const patience = 120_000;

/** The paths as the index names them, each with where it is: those with a dot in front in a repository alone. Rejects where the walk did not come to its end. */
export async function walkFolders(
  { roots, exclude }: Folders,
  limit: number,
  signal: Signal,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const outer = roots.filter(
    (one) => !roots.some((other) => other.real !== one.real && isInside(other.real, one.real)),
  );
  const folders = [...new Set(outer.map(({ real }) => real))];
  if (folders.length === 0) return found;
  const globs = exclude.flatMap((glob) => ['--glob', `!${glob}`]);
  const onPiece = (path: string): boolean => {
    if (path !== '') found.set(showPath(roots, path), path);
    return found.size < limit;
  };
  const hidden = folders.every(isInRepository) ? hiddenToo : [];
  const args = ['--files', '--null', ...hidden, ...globs, '--', ...folders];
  const { end, error } = await runRipgrep({ args, separator: '\0', onPiece, signal, timeout: patience });
  if (end === 'done' || end === 'enough') return found;
  throw new Error(`the folder could not be listed: ${error ?? end}`);
}

/** Whether a path leads into one of the folders, links followed: a file may have become a link since it was listed. */
export function staysInside(roots: readonly Root[], place: string): boolean {
  try {
    const real = realpathSync(place);
    return roots.some((root) => isInside(root.real, real));
  } catch {
    // There is no such file: nothing of it is read.
    return true;
  }
}

/** Returns the place on disk of a file that the index calls `path`. */
export function locate(roots: readonly Root[], path: string): string {
  const [only] = roots;
  if (roots.length === 1 && only !== undefined) return join(only.real, path);
  const owner = roots.find(({ name }) => path === name || path.startsWith(`${name}/`));
  return owner === undefined ? path : join(owner.real, path.slice(owner.name.length));
}
