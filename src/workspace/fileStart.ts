// The start of a workspace file as text: the unsaved buffer where one is open, else the disk; nothing that is not text.

import type { FileHandle } from 'node:fs/promises';
import { withFile } from '../tools/files/opened.ts';
import type { Place } from '../tools/files/paths.ts';
import { isText } from '../tools/lineRange.ts';

export interface FileStart {
  /** With line breaks as `\n`, and without a byte order mark. */
  readonly text: string;
  /** False when the file goes on; `text` then ends with a whole line where it has more than one. */
  readonly whole: boolean;
}

/** Reads about `limit` bytes at most; undefined for what is no file, no text, or cannot be read. Never rejects. */
export async function readStart(
  place: Pick<Place, 'real' | 'kind' | 'unsaved'>,
  limit: number,
): Promise<FileStart | undefined> {
  if (place.kind !== 'file') return undefined;
  try {
    if (place.unsaved !== undefined) {
      return startOf(place.unsaved.slice(0, limit).toWellFormed(), place.unsaved.length <= limit);
    }
    const bytes = await withFile(place.real, async (file) =>
      (await isText(file)) ? readBytes(file, limit + 1) : undefined,
    );
    if (bytes === undefined) return undefined;
    const whole = bytes.length <= limit;
    // A stream, because the last character may be cut in two.
    return startOf(new TextDecoder().decode(bytes.subarray(0, limit), { stream: !whole }), whole);
  } catch {
    return undefined;
  }
}

function startOf(read: string, whole: boolean): FileStart {
  const text = read.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const end = whole ? -1 : text.lastIndexOf('\n');
  return { text: end === -1 ? text : text.slice(0, end), whole };
}

async function readBytes(file: FileHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const stream = file.createReadStream({ start: 0, end: limit - 1, autoClose: false, highWaterMark: 256 * 1024 });
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
