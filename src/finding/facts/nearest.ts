// The manifests that a message may be about, the nearest to it first.
import { posix } from 'node:path';
import type { Question } from '../rank/question.ts';
import { fileKindOf } from '../text/accept.ts';
import { wordOf } from '../text/words.ts';
import { manifestOf } from './manifests.ts';

export interface AskedFrom {
  /** Only manifests below this folder; '' for all. */
  readonly folder: string;
  /** Paths of files that are open, the nearest first. */
  readonly near: readonly string[];
}

/**
 * Manifests by their folders: of the folder that the message names, else of the one that holds the open file, then of those above it. Where
 * there are none, those with the fewest folders above them.
 */
export function nearestManifests(
  { names, paths }: Question,
  { folder, near }: AskedFrom,
  files: readonly string[],
): readonly (readonly string[])[] {
  const top = folder === '' || folder === '.' ? '.' : folder.replace(/\/$/, '');
  const isBelow = (path: string) => top === '.' || path.startsWith(`${top}/`);
  const byFolder = new Map<string, string[]>();
  for (const path of files)
    if (isBelow(path) && manifestOf(path) !== null)
      byFolder.set(posix.dirname(path), [...(byFolder.get(posix.dirname(path)) ?? []), path]);
  const own = [...byFolder.keys()].filter(
    (one) => one !== '.' && !/^(?:test|example|foreign)$/.test(fileKindOf(`${one}/file.ts`)),
  );
  const asked = paths.map((path) => posix.normalize(path).replace(/^\.?\/|\/$/g, ''));
  const named = [
    ...[...byFolder.keys()].filter((one) => asked.some((path) => path === one || path.startsWith(`${one}/`))),
    ...own.filter((one) => names.has(wordOf(posix.basename(one).replaceAll(/[-.]/g, '')).whole)),
  ].toSorted((one, two) => two.length - one.length);
  const base = named[0] ?? (near[0] === undefined ? top : posix.dirname(near[0]));
  const above = foldersAbove(base).flatMap((one) => byFolder.get(one) ?? []);
  const depth = (one: string) => one.split('/').length;
  const least = Math.min(...own.map(depth));
  const chosen = above.length > 0 ? foldersAbove(base) : own.filter((one) => depth(one) === least);
  return chosen.flatMap((one) => {
    const found = byFolder.get(one);
    return found === undefined ? [] : [found];
  });
}

/** A folder, the one around it, and so on. */
function foldersAbove(folder: string): readonly string[] {
  const above = posix.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}
