// Bytes as text and back, so that what is not changed stays as it is: the byte order mark, UTF-16, line ends as they stand, and all of a
// notebook but the sources of its cells.
import { cellsText, withCells } from './notebook.ts';

export interface Encoded {
  readonly text: string;
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be';
  /** A byte order mark stands in front, which is no part of the text. */
  readonly mark: boolean;
  /** The JSON of a notebook, whose cells are the text; left out for any other text. */
  readonly notebook?: string;
}

/** Returns the text with its encoding; null for bytes that are no text in any of them. A notebook's text is that of its cells. */
export function decoded(bytes: Uint8Array): Encoded | null {
  const found = plainly(bytes);
  const cells = found?.text.includes('"nbformat"') === true ? cellsText(found.text) : null;
  return found === null || cells === null ? found : { ...found, text: cells, notebook: found.text };
}

/** Throws with words where a notebook's text has neither its cells nor the JSON of one. */
export function encoded(text: string, { encoding, mark, notebook }: Omit<Encoded, 'text'>): Buffer {
  const isJson = notebook === undefined || cellsText(text) !== null;
  const plain = isJson ? text : withCells(notebook, text);
  if (plain === null) throw new Error('The cells of a notebook are changed; none is added, moved or taken out.');
  const whole = mark ? `\uFEFF${plain}` : plain;
  if (encoding === 'utf8') return Buffer.from(whole, 'utf8');
  const bytes = Buffer.from(whole, 'utf16le');
  return encoding === 'utf16be' ? bytes.swap16() : bytes;
}

function plainly(bytes: Uint8Array): Encoded | null {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return withMark(bytes.subarray(2), 'utf16le');
  if (first === 0xfe && second === 0xff) return withMark(bytes.subarray(2), 'utf16be');
  const mark = first === 0xef && second === 0xbb && third === 0xbf;
  const text = read(mark ? bytes.subarray(3) : bytes, 'utf-8');
  return text === null || text.includes('\0') ? null : { text, encoding: 'utf8', mark };
}

function withMark(bytes: Uint8Array, encoding: 'utf16le' | 'utf16be'): Encoded | null {
  const text = bytes.length % 2 === 0 ? read(bytes, encoding === 'utf16le' ? 'utf-16le' : 'utf-16be') : null;
  return text === null ? null : { text, encoding, mark: true };
}

function read(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
