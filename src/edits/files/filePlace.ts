// Resolves the path of a call: to a file that is there, or to the place of one that is not there yet, always inside the workspace.
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { findRoots, isInside, type Root, realOf, resolvePath, showPath, spellingsOf } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';

/** A place for a file. `real` is free of links, also where nothing stands there yet. */
export interface FilePlace {
  readonly real: string;
  readonly shown: string;
  readonly is: 'file' | 'absent';
}

export type ResolvedPlace =
  | { readonly ok: true; readonly place: FilePlace }
  | { readonly ok: false; readonly why: string };

/** Never rejects. */
export async function filePlace(workspace: Workspace, given: string): Promise<ResolvedPlace> {
  // Signs that do not show could make the path in a question look like another one.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(given.trim()))
    return { ok: false, why: 'A path cannot have line breaks or signs that do not show.' };
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(given.trim()))
    return { ok: false, why: `"${given.trim()}" is an address. Give a path in the workspace.` };
  const found = await resolvePath(workspace, given);
  if (found.ok) {
    const { real, shown, kind } = found.place;
    if (kind === 'file') return { ok: true, place: { real, shown, is: 'file' } };
    return { ok: false, why: kind === 'folder' ? `${shown} is a folder.` : `${shown} is not a regular file.` };
  }
  if (found.reason !== 'missing') return { ok: false, why: found.head };
  const roots = await findRoots(workspace);
  const full = placeIn(roots, newPath(roots, given.trim()));
  if (full === null || given.includes('\0') || /[/\\]$/.test(given.trim())) return { ok: false, why: found.head };
  const real = await realOf(full);
  if (!roots.some((root) => root.real !== real && isInside(root.real, real)))
    return { ok: false, why: `"${given}" is outside the workspace.` };
  return { ok: true, place: { real, shown: showPath(roots, full), is: 'absent' } };
}

/** The spelling of a path for a file that is not there: quotes and the number of a line are no part of it, and of the others the first whose folder is there. */
function newPath(roots: readonly Root[], given: string): string {
  const bare = given.replace(/^(["'`])(.+)\1$/s, '$2').replace(/(\.[A-Za-z]\w*):\d+(?:[:-]\d+)?$/, '$1');
  const isHome = (path: string) => {
    const full = placeIn(roots, path);
    return full !== null && path.includes('/') && existsSync(dirname(full));
  };
  const withoutRoot = (path: string) =>
    roots.flatMap(({ name }) => (path.startsWith(`${name}/`) ? path.slice(name.length + 1) : []));
  const meant = spellingsOf(bare).flatMap((path) => [path, ...withoutRoot(path)]);
  return meant.find(isHome) ?? bare;
}

/** Absolute. A path that is not below a folder is meant from the first one, or from the one that it names. */
export function placeIn(roots: readonly Root[], path: string): string | null {
  if (isAbsolute(path) && roots.some((root) => isInside(root.path, path) || isInside(root.real, path)))
    return normalize(path);
  const parts = normalize(path).split(/[\\/]/).filter(Boolean);
  const named = roots.length > 1 ? roots.find(({ name }) => name === parts[0]) : undefined;
  const root = named ?? roots[0];
  return root === undefined ? null : join(root.path, ...(named === undefined ? parts : parts.slice(1)));
}
