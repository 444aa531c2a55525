// The files of a folder that no ignore file excludes, as absolute paths, through `rg --files`.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Signal } from '../../core/dialog/tool.ts';
import { type RipgrepRun, runRipgrep } from './ripgrep.ts';

export interface ListingOptions {
  readonly folders: readonly string[];
  /** Whether files and folders that start with a dot are listed too (never those of version control); left out, in a repository alone. */
  readonly hidden?: boolean;
  /** Only files with one of these names. */
  readonly names?: readonly string[];
  /** Takes one absolute path; answers false when it needs no more. */
  readonly onFile: (path: string) => boolean;
  readonly signal: Signal;
}

/** Walks the folders and hands over each file. Never rejects. */
export function listing(options: ListingOptions): Promise<RipgrepRun> {
  const args = ['--files', '--null'];
  if (options.hidden ?? options.folders.every(isInRepository)) args.push(...hiddenToo);
  // A type, not a glob, because a glob that includes a file would override the ignore files.
  for (const name of options.names ?? []) args.push(`--type-add=wanted:${escapeGlob(name)}`);
  if (options.names !== undefined) args.push('--type=wanted');
  args.push('--', ...options.folders);
  return runRipgrep({ args, separator: '\0', onPiece: options.onFile, signal: options.signal });
}

export const hiddenToo = ['--hidden', '--glob=!.git', '--glob=!.hg', '--glob=!.svn'];

/** Whether Git's ignore files say which names with a dot are nobody's work: elsewhere they are caches as often as not. */
export function isInRepository(folder: string): boolean {
  return existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isInRepository(dirname(folder)));
}

// Classes rather than backslashes, which are path separators on Windows; a colon would end the name of the type.
function escapeGlob(name: string): string {
  return name.replace(/[[\]{}*?]/g, '[$&]').replaceAll(':', '?');
}
