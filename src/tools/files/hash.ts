// Tells one version of a file from another.
import { createHash } from 'node:crypto';
import { withFile } from './opened.ts';
import type { Place } from './paths.ts';

/** Bytes of a file whose version is told. */
const largest = 16 * 1024 * 1024;

/** In hexadecimal. */
export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** SHA-256 of a file's bytes, of an unsaved buffer of its text; null for what is too large or cannot be read. */
export async function hashOfPlace({ real, unsaved }: Pick<Place, 'real' | 'unsaved'>): Promise<string | null> {
  if (unsaved !== undefined) return sha256Of(unsaved);
  try {
    return await withFile(real, async (file) =>
      (await file.stat()).size <= largest ? sha256Of(await file.readFile()) : null,
    );
  } catch {
    return null;
  }
}
