// Texts of files as the index sees them: the unsaved buffer where there is one, the disk elsewhere.
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { textWithoutSecrets } from '../../secrets/lines.ts';
import { decoded } from '../../tools/files/encoding.ts';
import { cellsText, isNotebook } from '../../tools/files/notebook.ts';
import { openedAt, toRead } from '../../tools/files/opened.ts';
import { isInside, type Root } from '../../tools/files/paths.ts';
import { mostBytesOf, type Refusal, refuseText } from './accept.ts';

export interface Stamp {
  readonly size: number;
  /** Milliseconds; -1 of a text that is not saved. */
  readonly mtime: number;
}

export type Read = (Stamp & { readonly text: string }) | (Stamp & { readonly refused: Refusal });

const unsavedTime = -1;

/** Unsaved texts by absolute path. */
export type Buffers = ReadonlyMap<string, string>;

/** Returns the size and time of a file or of its unsaved text; `null` where there is no such file. */
export function stampOf(path: string, buffers: Buffers): Stamp | null {
  const unsaved = buffers.get(path);
  if (unsaved !== undefined) return { size: unsaved.length, mtime: unsavedTime };
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? { size: stats.size, mtime: stats.mtimeMs } : null;
}

/**
 * Reads a file, or its unsaved text; `null` where there is no such file. The opened file must lie in one of the folders, since it may have become a
 * link after it was listed. UTF-16 is read by its mark, invalid UTF-8 with replacement characters, a line with a secret gets a mark in its place,
 * and a notebook is read as its cells.
 */
export function readText(path: string, buffers: Buffers, roots: readonly Root[]): Read | null {
  const stamp = stampOf(path, buffers);
  if (stamp === null) return null;
  if (stamp.size > mostBytesOf(path)) return { ...stamp, refused: 'large' };
  try {
    const own = buffers.get(path);
    const whole = own === undefined ? readOnce(path, roots) : ((isNotebook(path) ? cellsText(own) : null) ?? own);
    const refused = refuseText(whole);
    return refused === null ? { ...stamp, text: textWithoutSecrets(whole, path) } : { ...stamp, refused };
  } catch {
    return { ...stamp, refused: 'unreadable' };
  }
}

function readOnce(path: string, roots: readonly Root[]): string {
  const descriptor = openSync(path, toRead);
  try {
    const real = openedAt(descriptor, path);
    if (real === null || !roots.some((root) => isInside(root.real, real)))
      throw new Error('It leads out of the folder.');
    const bytes = readFileSync(descriptor);
    return decoded(bytes)?.text ?? bytes.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
