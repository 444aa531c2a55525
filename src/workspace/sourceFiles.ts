// Source files of the workspace: code that people write, without tests and without what is vendored or generated.

import { relative, sep } from 'node:path';
import type { Signal } from '../core/dialog/tool.ts';
import { isInside, ownerOf, type Root, showPath } from '../tools/files/paths.ts';
import { listing } from '../tools/search/listing.ts';
import { linePlace } from '../tools/search/rankLines.ts';

export interface SourceFile {
  /** Absolute and free of symbolic links. */
  readonly real: string;
  readonly shown: string;
}

const extension = new RegExp(
  `\\.(?:${[
    '[mc]?[jt]s|[jt]sx|vue|svelte|py|rb|php|lua|pl|r|jl|sh|bash|sql|go|rs|zig|nim|java|kts?|scala|groovy|cs|fs|dart',
    'swift|mm?|c|h|cc|hh|cpp|hpp|cxx|hxx|cu|ex|exs|erl|hs|mli?|clj[cs]?|d|ino|sol|gd',
  ].join('|')})$`,
  'i',
);
const foreign =
  /(?:^|\/)(?:node_modules|bower_components|vendor|vendored|third[-_]party|external|dist|build|out|output|target|coverage|generated|__generated__|site-packages|venv|Pods|\.[^/]+)\//i;
const generatedPattern = /\.d\.[mc]?ts$|[._-](?:min|bundle|generated|gen|g|pb|designer)\.[^./]+$|_pb2(?:_grpc)?\.py$/i;

/** The rank that `linePlace` gives to a line in a test. */
const testRank = 2;

/** Whether a file is code by its name. */
export function isCode(path: string): boolean {
  return extension.test(path);
}

/** Whether an absolute path names a source file of the folder. */
export function isSource(folder: string, path: string): boolean {
  if (!isCode(path) || !isInside(folder, path)) return false;
  const rest = relative(folder, path).split(sep).join('/');
  if (foreign.test(rest) || generatedPattern.test(rest)) return false;
  return linePlace({ path, shown: rest, line: 1, text: '' }) !== testRank;
}

/** At most `limit` source files that no ignore file excludes: the least deep first, then by path. */
export async function listSources(
  roots: readonly Root[],
  limit: number,
  signal: Signal,
): Promise<readonly SourceFile[]> {
  const found = new Map<string, SourceFile>();
  const shrink = (): void => {
    const best = [...found.values()].sort(comparePaths).slice(0, limit);
    found.clear();
    for (const file of best) found.set(file.real, file);
  };
  const onFile = (path: string): boolean => {
    const root = isCode(path) ? ownerOf(roots, path) : undefined;
    if (root !== undefined && isSource(root.real, path)) found.set(path, { real: path, shown: showPath(roots, path) });
    // All files are seen, few are kept: ripgrep names them in another order each time.
    if (found.size >= limit * 4) shrink();
    return true;
  };
  await listing({ folders: [...new Set(roots.map((root) => root.real))], hidden: false, onFile, signal });
  shrink();
  return [...found.values()];
}

/** The less deep first, then in the order of the alphabet. */
export function comparePaths(a: { readonly shown: string }, b: { readonly shown: string }): number {
  const deeper = a.shown.split('/').length - b.shown.split('/').length;
  return deeper !== 0 || a.shown === b.shown ? deeper : a.shown < b.shown ? -1 : 1;
}
