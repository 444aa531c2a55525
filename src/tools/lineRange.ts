// A range of lines of a file, read as a stream, so that a file of any size and lines of any length fit in memory.

import type { FileHandle } from 'node:fs/promises';
import type { Signal } from '../core/dialog/tool.ts';
import { decoded } from './files/encoding.ts';
import { cellsText, isNotebook } from './files/notebook.ts';
import { withFile } from './files/opened.ts';

export interface LineRange {
  /** The lines from the first one asked for, each without its line break. */
  readonly lines: readonly string[];
  /** Lines in the whole file. */
  readonly total: number;
  /** Whether the whole file was counted; a huge file is not. */
  readonly counted: boolean;
  readonly aborted: boolean;
}

/** The range to read: lines `first` to `last` from 1, until `most` UTF-16 units are full. */
export interface RangeOptions {
  readonly first: number;
  readonly last: number;
  readonly most: number;
  readonly signal: Signal;
}

/** The mark at the end of a line that was cut. */
export const cutMark = ' … (line cut)';

/** Characters of a line that are shown. */
export const longestLine = 1000;
const bytesKept = longestLine * 4;
const bytesCounted = 256 * 1024 * 1024;
/** Bytes of one line after which a file counts as one that has no lines. */
const endlessLine = 64 * 1024 * 1024;
const probe = 8192;

/** Whether the first 8 kB are text: UTF-8 without a NUL byte. Rejects where the file cannot be read. */
export async function isText(file: FileHandle): Promise<boolean> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(probe), 0, probe, 0);
  const start = buffer.subarray(0, bytesRead);
  return !start.includes(0) && isUtf8Start(start);
}

/** Reads a range of a file. Rejects where the file cannot be read. */
export async function readLineRange(file: FileHandle, options: RangeOptions): Promise<LineRange> {
  const reader = createLineReader(options);
  let bytes = 0;
  let inLine = 0;
  const stream = file.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (options.signal.aborted) return { ...reader.finish(), counted: false, aborted: true };
    reader.take(chunk);
    bytes += chunk.length;
    const last = chunk.lastIndexOf(10);
    inLine = last < 0 ? inLine + chunk.length : chunk.length - last - 1;
    const endless = inLine > endlessLine;
    if (endless || (bytes >= bytesCounted && reader.served()))
      return { ...reader.finish(), counted: false, aborted: false };
  }
  return { ...reader.finish(), counted: true, aborted: false };
}

/** A range of a file, or of its unsaved text; null for what is no text. Rejects where the file cannot be read. */
export async function placeRange(
  { real, unsaved }: { readonly real: string; readonly unsaved?: string | undefined },
  options: RangeOptions,
): Promise<LineRange | null> {
  const isCells = isNotebook(real);
  if (unsaved !== undefined) return cutLineRange((isCells ? cellsText(unsaved) : null) ?? unsaved, options);
  return withFile(real, async (file) => {
    // A notebook is read as its cells, for which all of it is decoded.
    if (!isCells && (await isText(file))) return readLineRange(file, options);
    const text = await otherText(file);
    return text === null ? null : cutLineRange(text, options);
  });
}

/** Bytes of a file in another encoding, which is decoded as a whole. */
const largestDecoded = 16 * 1024 * 1024;

/** A notebook's cells, a file in UTF-16 with its mark, or in an encoding of single bytes, as the editor shows it; null for what is no text in one of these. */
async function otherText(file: FileHandle): Promise<string | null> {
  const { size } = await file.stat();
  if (size > largestDecoded) return null;
  const { buffer } = await file.read(Buffer.alloc(size), 0, size, 0);
  const marked = decoded(buffer);
  if (marked !== null) return marked.text;
  // Control characters stand in no text.
  return buffer.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))
    ? null
    : new TextDecoder('windows-1252').decode(buffer);
}

/** The same range of a text that is in memory. */
function cutLineRange(text: string, options: RangeOptions): LineRange {
  const reader = createLineReader(options);
  reader.take(Buffer.from(text, 'utf8'));
  return { ...reader.finish(), counted: true, aborted: false };
}

interface LineReader {
  readonly take: (chunk: Buffer) => void;
  readonly served: () => boolean;
  readonly finish: () => { lines: readonly string[]; total: number };
}

function createLineReader({ first, last, most }: RangeOptions): LineReader {
  const lines: string[] = [];
  let line = 1;
  let kept: Buffer[] = [];
  let size = 0;
  let left = most;
  let open = false;
  const wanted = (): boolean => line >= first && line <= last && left > 0;
  const keep = (part: Buffer): void => {
    open ||= part.length > 0;
    // A copy, so that the kept bytes do not hold the whole chunk.
    if (wanted() && size < bytesKept) kept.push(Buffer.from(part.subarray(0, bytesKept - size)));
    size += part.length;
  };
  const end = (): void => {
    if (wanted()) {
      const text = decodeLine(Buffer.concat(kept), size, line === 1);
      left -= text.length + String(line).length + 3;
      if (left >= 0 || lines.length === 0) lines.push(text);
    }
    line += 1;
    kept = [];
    size = 0;
    open = false;
  };
  return {
    take: (chunk) => {
      let from = 0;
      for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
        keep(chunk.subarray(from, to));
        end();
        from = to + 1;
      }
      keep(chunk.subarray(from));
    },
    served: () => line > last || left <= 0,
    finish: () => {
      if (open) end();
      return { lines, total: line - 1 };
    },
  };
}

function decodeLine(bytes: Buffer, size: number, isFirst: boolean): string {
  const text = bytes.toString('utf8').replace(/\r$/, '');
  const line = isFirst ? text.replace(/^\uFEFF/, '') : text;
  if (size <= bytes.length && line.length <= longestLine) return line;
  return (
    line
      .slice(0, longestLine)
      .toWellFormed()
      .replace(/\uFFFD+$/, '') + cutMark
  );
}

function isUtf8Start(bytes: Buffer): boolean {
  try {
    // A stream, because the last character may be cut in two.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
