// Near names: files of the workspace that a wrong path may have meant.

import { basename, dirname, extname } from 'node:path';
import type { Signal } from '../core/dialog/tool.ts';
import { findRoots, showPath } from './files/paths.ts';
import type { Workspace } from './files/workspace.ts';
import { listing } from './search/listing.ts';

const mostFiles = 50_000;
const offered = 3;

/** Up to 3 files, as the model sees them, whose names are like the last part of `given`, nearest first. */
export async function nearNames(workspace: Workspace, given: string, signal: Signal): Promise<readonly string[]> {
  const asked = given.trim().replaceAll('\\', '/').toLowerCase();
  const wanted = basename(asked);
  const folder = `/${dirname(asked)}`;
  const roots = await findRoots(workspace);
  const near: { shown: string; distance: number }[] = [];
  let left = mostFiles;
  const onFile = (path: string): boolean => {
    const distance = distanceOf(basename(path).toLowerCase(), wanted);
    if (distance !== undefined) {
      const shown = showPath(roots, path);
      const isBeside = `/${dirname(shown.toLowerCase())}`.endsWith(folder);
      near.push({ shown, distance: isBeside ? distance - 0.6 : distance });
    }
    left -= 1;
    return left > 0;
  };
  await listing({ folders: [...new Set(roots.map((root) => root.real))], hidden: true, onFile, signal });
  near.sort((a, b) => a.distance - b.distance || (a.shown < b.shown ? -1 : 1));
  return [...new Set(near.map((file) => file.shown))].slice(0, offered);
}

/** How far a file name is from the wanted one; undefined when it is not near. */
function distanceOf(name: string, wanted: string): number | undefined {
  if (name === wanted) return 0;
  const stem = name.slice(0, name.length - extname(name).length);
  const wantedStem = wanted.slice(0, wanted.length - extname(wanted).length);
  if (wantedStem === '') return undefined;
  if (stem === wantedStem) return 0.5;
  const edits = countEdits(stem, wantedStem);
  if (edits <= Math.max(1, Math.floor(wantedStem.length / 3))) return edits;
  const longer = Math.max(stem.length, wantedStem.length);
  const contained =
    Math.min(stem.length, wantedStem.length) > 2 && (stem.includes(wantedStem) || wantedStem.includes(stem));
  return contained ? longer : undefined;
}

/** The Levenshtein distance, of names up to 100 characters. */
function countEdits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 33 || a.length > 100) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
