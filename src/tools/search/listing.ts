// The files of a folder that no ignore file excludes, as absolute paths, through `rg --files`.

import type { Signal } from '../../core/dialog/tool.ts';
import { type RipgrepRun, runRipgrep } from './ripgrep.ts';

export interface ListingOptions {
  readonly folders: readonly string[];
  /** Whether files and folders that start with a dot are listed too (never those of version control). */
  readonly hidden: boolean;
  /** Only files with one of these names. */
  readonly names?: readonly string[];
  /** Takes one absolute path; answers false when it needs no more. */
  readonly onFile: (path: string) => boolean;
  readonly signal: Signal;
}

/** Walks the folders and hands over each file. Never rejects. */
export function listing(options: ListingOptions): Promise<RipgrepRun> {
  const args = ['--files', '--null'];
  if (options.hidden) args.push('--hidden', '--glob=!.git', '--glob=!.hg', '--glob=!.svn');
  // A type, not a glob, because a glob that includes a file would override the ignore files.
  for (const name of options.names ?? []) args.push(`--type-add=wanted:${escapeGlob(name)}`);
  if (options.names !== undefined) args.push('--type=wanted');
  args.push('--', ...options.folders);
  return runRipgrep({ args, separator: '\0', onPiece: options.onFile, signal: options.signal });
}

// Classes rather than backslashes, which are path separators on Windows; a colon would end the name of the type.
function escapeGlob(name: string): string {
  return name.replace(/[[\]{}*?]/g, '[$&]').replaceAll(':', '?');
}
