// A file as it is now, byte for byte.
import { readFile } from 'node:fs/promises';
import type { Content } from '../../core/stored/fileSnapshots.ts';
import { decoded, encoded } from '../../tools/files/encoding.ts';
import { sha256Of } from '../../tools/files/hash.ts';
import type { EditableFiles, EditableText } from '../files/editable.ts';

/** A file as it is now; null where there is none. The bytes of an unsaved buffer are its text in UTF-8. */
export type Look = (EditableText & { readonly bytes: Uint8Array }) | null;

/** Rejects with words where there is something that is no text, or may not be written. */
export async function lookAt(files: EditableFiles, path: string, shown: string): Promise<Look> {
  const found = await files.read(path);
  if (found.is === 'absent') return null;
  if (found.is === 'refused') throw new Error(`${shown} cannot be changed: ${found.why}.`);
  const bytes = found.unsaved ? Buffer.from(found.text) : await readFile(path);
  if (sha256Of(bytes) !== found.hash) throw new Error(`${shown} was changed meanwhile; nothing of it was written.`);
  return { bytes, text: found.text, hash: found.hash, unsaved: found.unsaved };
}

/** '' where there is no file. */
export function textOf(bytes: Uint8Array | null): string {
  return bytes === null ? '' : (decoded(bytes)?.text ?? '');
}

/** A text in the encoding of these bytes. */
export function bytesLike(text: string, like: Uint8Array | null): Uint8Array {
  return encoded(text, (like === null ? null : decoded(like)) ?? { encoding: 'utf8', mark: false });
}

export function contentOf(bytes: Uint8Array | null): Content {
  return bytes === null ? null : sha256Of(bytes);
}
