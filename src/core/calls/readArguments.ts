// Reads one tool call's name and arguments: a JSON object that wraps both, a JSON object behind the name, or tagged values.
import { isRecord } from '../record.ts';
import { endOfJson, looseJson } from './json.ts';
import { loose, quoted } from './loose.ts';
import { readMarked } from './marked.ts';
import { readKeywords } from './pythonic.ts';
import type { ReadCall, ReadStep } from './readCall.ts';
import type { CallSyntax, Tagged } from './syntax.ts';

export function readWrapped(
  { after }: Pick<CallSyntax, 'after'>,
  keys: NonNullable<CallSyntax['wrapped']>,
  raw: string,
  at: number,
): ReadStep {
  const { text, value, end } = wrapped(after, raw, at);
  if (end < 0 || value === undefined) return { call: bad(`The tool call was not valid JSON: ${clip(text)}`), end };
  if (!isRecord(value) || typeof value[keys.name] !== 'string') {
    return { call: bad(`The tool call has no "${keys.name}".`), end };
  }
  const given = value[keys.arguments] ?? value.arguments ?? value.parameters;
  // Some models write the arguments as a string of JSON, as OpenAI's format has it.
  const read = typeof given === 'string' ? looseJson(given) : given;
  if (!isRecord(read)) return { call: bad(`The tool call has no "${keys.arguments}" object.`), end };
  return { call: { name: String(value[keys.name]), arguments: read }, end };
}

/** The object around a whole call, also with a brace too few in front of the mark that closes the call, or with two for each. */
function wrapped(after: string, raw: string, at: number) {
  const end = endOfJson(raw, at);
  const text = raw.slice(at, end < 0 ? undefined : end);
  if (end >= 0) return { text, value: looseJson(text) ?? doubled(text), end };
  const mark = /<[^<>]*>$/.exec(after)?.[0];
  const closed = mark === undefined ? -1 : raw.indexOf(mark, at);
  const value = closed < 0 ? undefined : looseJson(`${raw.slice(at, closed)}}`);
  return { text, value, end: value === undefined ? -1 : closed };
}

function doubled(text: string): unknown {
  return text.startsWith('{{') && text.endsWith('}}') ? looseJson(text.slice(1, -1)) : undefined;
}

/** Keyword arguments as Python has them. */
export function readPython(name: string, raw: string, at: number): ReadStep {
  const read = readKeywords(raw, at);
  if (read !== null && read !== 'begun') return { call: { name, arguments: read.values }, end: read.end };
  const problem = `The arguments of ${name} were not valid Python: ${clip(raw.slice(at))}`;
  return { call: { ...bad(problem), name }, end: -1 };
}

export function readObject(name: string, raw: string, at: number): ReadStep {
  const end = raw[at] === '{' ? endOfJson(raw, at) : at;
  const text = raw.slice(at, end < 0 ? undefined : end);
  const value = end <= at ? undefined : looseJson(text);
  if (isRecord(value)) return { call: { name, arguments: value }, end };
  return {
    call: { ...bad(`The arguments of ${name} were not valid JSON: ${clip(raw.slice(at))}`), name },
    end: at >= raw.length ? -1 : end,
  };
}

export function readTagged(
  syntax: Pick<CallSyntax, 'after'>,
  style: Tagged,
  raw: string,
  at: number,
  name: string,
): ReadStep {
  const values: [string, unknown][] = [];
  const open = new RegExp(`\\s*${loose(style.open)}\\s*(?<key>[\\w.-]+)`, 'y');
  const separator = new RegExp(`\\s*${loose(style.between)}`, 'y');
  let end = at;
  for (;;) {
    if (values.length > 0) end = past(separator, raw, end);
    open.lastIndex = end;
    const key = open.exec(raw)?.groups?.key;
    if (key === undefined) break;
    const keys = [...values.map(([one]) => one), key];
    const value = readValue(syntax, style, raw, open.lastIndex, keys);
    if (value === null) return { call: { ...bad(`The argument ${key} of ${name} was not closed.`), name }, end: -1 };
    values.push([key, value.value]);
    end = value.end;
  }
  const close = new RegExp(`\\s*${loose(syntax.after)}\\s*`, 'y');
  close.lastIndex = end;
  const closed = syntax.after.trim() === '' || close.test(raw);
  if (!closed) return { call: { ...bad(`The call of ${name} was not closed.`), name }, end: -1 };
  return { call: { name, arguments: Object.fromEntries(values) }, end: Math.max(end, close.lastIndex) };
}

/** A value in the string's marks is text as it stands, but for the line breaks that belong to the marks; any other is JSON where it can be. */
function readValue(
  syntax: Pick<CallSyntax, 'after'>,
  style: Tagged,
  raw: string,
  at: number,
  keys: readonly string[],
): { readonly value: unknown; readonly end: number } | null {
  if (style.values === 'marks') {
    const mark = new RegExp(`\\s*${loose(style.other[0])}`, 'y');
    mark.lastIndex = at;
    return mark.test(raw) ? readMarked(style, raw, mark.lastIndex) : null;
  }
  for (const [kind, [before, after]] of [
    ['string', style.string],
    ['other', style.other],
  ] as const) {
    const mark = new RegExp(`\\s*${loose(before)}`, 'y');
    mark.lastIndex = at;
    if (!mark.test(raw)) continue;
    const from = mark.lastIndex;
    // A value without a mark of its own behind it goes on to whatever comes next.
    const marks = after.trim() === '' ? [style.between.trim(), syntax.after.trim()] : [after.trim()];
    const closed =
      after.trim() === '' ? firstOf(marks, raw, from) : closingOf(syntax, style, after.trim(), raw, from, keys);
    if (closed < 0) return null;
    const text = unframed(raw.slice(from, closed), before, after);
    const end = closed + after.trim().length;
    const same = style.string[0] === style.other[0];
    return { value: kind === 'string' && !same ? text : typedIfBare(kind, text), end };
  }
  return null;
}

/** The first of the marks at or behind `from`, or -1. */
function firstOf(marks: readonly string[], raw: string, from: number): number {
  const closing = new RegExp(marks.filter(Boolean).map(quoted).join('|'), 'g');
  closing.lastIndex = from;
  return closing.exec(raw)?.index ?? -1;
}

/**
 * The mark that closes a value, or -1: the first with the next argument or the end of the call behind it, since a text may hold the mark.
 * An argument that was given already is part of the text.
 */
function closingOf(
  { after }: Pick<CallSyntax, 'after'>,
  style: Tagged,
  mark: string,
  raw: string,
  from: number,
  keys: readonly string[],
): number {
  const last = /^\s*(?:<[^<>]*>|\S+)/.exec(after)?.[0] ?? after;
  const gap = style.between.trim() === '' ? '' : `${loose(style.between)}\\s*`;
  const next = new RegExp(`\\s*(?:${gap}${loose(style.open)}\\s*([\\w.-]+)|${loose(last)})`, 'y');
  for (let at = raw.indexOf(mark, from); at >= 0; at = raw.indexOf(mark, at + 1)) {
    next.lastIndex = at + mark.length;
    const found = next.exec(raw);
    if (found !== null && (found[1] === undefined || !keys.includes(found[1]))) return at;
  }
  return raw.indexOf(mark, from);
}

/** Keeps the text when the marks do not tell strings from other values; the tool's schema decides later. */
function typedIfBare(kind: 'string' | 'other', text: string): unknown {
  const value = kind === 'string' ? undefined : looseJson(text);
  return value === undefined ? text : value;
}

function unframed(text: string, before: string, after: string): string {
  const head = /\s*$/.exec(before)?.[0] ?? '';
  const tail = /^\s*/.exec(after)?.[0] ?? '';
  const inner = text.startsWith(head) ? text.slice(head.length) : text;
  return tail !== '' && inner.endsWith(tail) ? inner.slice(0, -tail.length) : inner;
}

function past(pattern: RegExp, raw: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(raw) ? pattern.lastIndex : at;
}

function bad(problem: string): ReadCall {
  return { name: 'unknown', arguments: {}, problem };
}

function clip(text: string): string {
  return text.trim().slice(0, 120);
}
