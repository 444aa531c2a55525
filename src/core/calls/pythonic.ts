// Calls as Python writes them, name(key='value', other=[1, True]): how LFM2 calls, and other models beside their templates.
import { looseJson } from './json.ts';

export interface Keywords {
  readonly values: Readonly<Record<string, unknown>>;
  /** The index behind the closing parenthesis. */
  readonly end: number;
}

/** Keyword arguments from behind the opening parenthesis on: `begun` while they are not complete, null where they are something else. */
export function readKeywords(raw: string, from: number): Keywords | 'begun' | null {
  const values: [string, unknown][] = [];
  let at = from;
  for (;;) {
    at = pastBlanks(raw, at);
    if (raw[at] === ')') return { values: Object.fromEntries(values), end: at + 1 };
    const key = /(\w+)\s*[=:]\s*/y;
    key.lastIndex = at;
    const name = key.exec(raw)?.[1];
    if (name === undefined) return /^\w*\s*$/.test(raw.slice(at, at + 80)) ? 'begun' : null;
    const end = endOfLiteral(raw, key.lastIndex);
    if (end === null || end < 0) return end === null ? null : 'begun';
    values.push([name, literal(raw.slice(key.lastIndex, end))]);
    at = pastBlanks(raw, end);
    if (raw[at] === ',') at += 1;
    else if (raw[at] !== ')') return at < raw.length ? null : 'begun';
  }
}

/** A value as Python's `repr` writes it. */
export function pythonText(value: unknown): string {
  if (typeof value === 'string') return quotedText(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  if (value === null || typeof value !== 'object') return value === null ? 'None' : (JSON.stringify(value) ?? 'None');
  const members = Object.entries(value).map(([key, one]) => `${quotedText(key)}: ${pythonText(one)}`);
  return `{${members.join(', ')}}`;
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

function quotedText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + text.replace(/[\n\r\t\\]|'/g, (char) => escapes[char] ?? (quote === char ? "\\'" : char)) + quote;
}

/** The index behind a value, -1 while it is not complete, null where none begins. */
function endOfLiteral(raw: string, from: number): number | null {
  const first = raw[from] ?? '';
  if (first === '' || first === '"' || first === "'") return first === '' ? -1 : endOfQuote(raw, from, behindValue);
  if (!/[[{(]/.test(first)) {
    const word = /[\w.+-]+/y;
    word.lastIndex = from;
    if (!word.test(raw)) return null;
    return word.lastIndex < raw.length ? word.lastIndex : -1;
  }
  let depth = 0;
  for (let at = from; at < raw.length; at++) {
    const char = raw[at] ?? '';
    if (char === '"' || char === "'") {
      at = endOfQuote(raw, at, behindItem) - 1;
      if (at < 0) return -1;
    } else if (/[[{(]/.test(char)) depth += 1;
    else if (/[\]})]/.test(char)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** LFM2's template escapes no quotation mark within a text: the closing one is known by what stands behind it. */
const behindValue = /\s*(?:\)|,\s*(?:\w+\s*[=:]|\)|$)|$)/y;
const behindItem = /\s*(?:[,\]}):]|$)/y;

/** The index behind the quotation mark that closes the text opened at `from`, or -1. */
function endOfQuote(raw: string, from: number, behind: RegExp): number {
  const quote = raw.startsWith(raw.charAt(from).repeat(3), from) ? raw.slice(from, from + 3) : raw.charAt(from);
  // From mark to mark, because a text may be a whole file.
  for (let at = raw.indexOf(quote, from + quote.length); at >= 0; at = raw.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (raw[at - 1 - slashes] === '\\') slashes += 1;
    behind.lastIndex = at + quote.length;
    if (slashes % 2 === 0 && behind.test(raw)) return at + quote.length;
  }
  return -1;
}

function literal(text: string): unknown {
  const [, quote, inner = ''] = /^("""|'''|["'])([\s\S]*)\1$/.exec(text) ?? [];
  if (quote !== undefined) return unescaped(inner);
  const value = looseJson(text);
  return value === undefined ? text : value;
}

const unescapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', '"': '"', "'": "'" };

/** Another letter behind a backslash keeps it, as in Python. */
function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (whole, char: string) => unescapes[char] ?? whole);
}

function pastBlanks(raw: string, from: number): number {
  const blanks = /\s*/y;
  blanks.lastIndex = from;
  blanks.test(raw);
  return blanks.lastIndex;
}
