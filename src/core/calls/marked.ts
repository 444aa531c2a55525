// Values whose texts stand in marks instead of quotes, within lists and objects too, as Gemma writes them.
import { looseJson } from './json.ts';
import type { Tagged } from './syntax.ts';

/** The marks around a text: the part of a string's marks that other values lack. */
export function textMarks({ string, other }: Pick<Tagged, 'string' | 'other'>): readonly [string, string] {
  return [string[0].slice(other[0].length), string[1]];
}

interface Read {
  readonly value: unknown;
  readonly end: number;
}

/** The value at `at`, and the index behind it. Null while it is not complete. */
export function readMarked(style: Tagged, raw: string, at: number): Read | null {
  const from = pastBlanks(raw, at);
  const [open, close] = textMarks(style);
  if (raw.startsWith(open, from)) {
    const end = raw.indexOf(close, from + open.length);
    return end < 0 ? null : { value: raw.slice(from + open.length, end), end: end + close.length };
  }
  if (raw[from] === '[') return readList(style, raw, from + 1);
  if (raw[from] === '{') return readKeyed(style, raw, from + 1);
  const bare = /[^,\]}]*/y;
  bare.lastIndex = from;
  const word = bare.exec(raw)?.[0] ?? '';
  return from + word.length >= raw.length ? null : { value: plain(word.trim()), end: from + word.length };
}

function readList(style: Tagged, raw: string, from: number): Read | null {
  const value: unknown[] = [];
  const end = readEach(raw, from, ']', (at) => {
    const read = readMarked(style, raw, at);
    if (read !== null) value.push(read.value);
    return read?.end ?? -1;
  });
  return end < 0 ? null : { value, end };
}

function readKeyed(style: Tagged, raw: string, from: number): Read | null {
  const value: Record<string, unknown> = {};
  const end = readEach(raw, from, '}', (at) => {
    const key = /\s*([\w.$-]+)\s*:/y;
    key.lastIndex = at;
    const name = key.exec(raw)?.[1];
    const read = name === undefined ? null : readMarked(style, raw, key.lastIndex);
    if (name !== undefined && read !== null) value[name] = read.value;
    return read?.end ?? -1;
  });
  return end < 0 ? null : { value, end };
}

/** Reads one after the other up to what closes them; the index behind it, or -1. */
function readEach(raw: string, from: number, closing: string, read: (at: number) => number): number {
  let at = pastBlanks(raw, from);
  while (raw[at] !== closing) {
    const end = read(at);
    if (end < 0) return -1;
    at = pastBlanks(raw, end);
    if (raw[at] === ',') at = pastBlanks(raw, at + 1);
    else if (raw[at] !== closing) return -1;
  }
  return at + 1;
}

function plain(word: string): unknown {
  const value = looseJson(word);
  return value === undefined ? word : value;
}

function pastBlanks(raw: string, from: number): number {
  let at = from;
  while (/\s/.test(raw[at] ?? '')) at += 1;
  return at;
}
