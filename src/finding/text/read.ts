// Texts of files as the index sees them: the unsaved buffer where there is one, the disk elsewhere.
import { readFileSync, statSync } from 'node:fs';
import { mostBytes, type Refusal, refuseText } from './accept.ts';

export interface Stamp {
  readonly size: number;
  /** Milliseconds; -1 of a text that is not saved. */
  readonly mtime: number;
}

export type Read = (Stamp & { readonly text: string }) | (Stamp & { readonly refused: Refusal });

export const unsavedTime = -1;

/** Unsaved texts by absolute path. */
export type Buffers = ReadonlyMap<string, string>;

/** Null where there is no such file. */
export function stampOf(path: string, buffers: Buffers): Stamp | null {
  const unsaved = buffers.get(path);
  if (unsaved !== undefined) return { size: unsaved.length, mtime: unsavedTime };
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? { size: stats.size, mtime: stats.mtimeMs } : null;
}

/** Null where there is no such file. Invalid UTF-8 is read with replacement characters. */
export function readText(path: string, buffers: Buffers): Read | null {
  const stamp = stampOf(path, buffers);
  if (stamp === null) return null;
  if (stamp.size > mostBytes) return { ...stamp, refused: 'large' };
  try {
    const text = buffers.get(path) ?? readFileSync(path, 'utf8').replace(/^\ufeff/, '');
    const refused = refuseText(text);
    return refused === null ? { ...stamp, text } : { ...stamp, refused };
  } catch {
    return { ...stamp, refused: 'unreadable' };
  }
}
