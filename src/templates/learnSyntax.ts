// Learns how a chat template writes tool calls, by letting it write some and looking at what stands around their parts.
import { endOfJson } from '../core/calls/json.ts';
import { textMarks } from '../core/calls/marked.ts';
import { placeCalls } from '../core/calls/place.ts';
import { readGeneration } from '../core/calls/read.ts';
import { renderedText } from '../core/calls/render.ts';
import {
  type CallSyntax,
  type Family,
  harmony,
  idMark,
  lfm2,
  openingOf,
  type Tagged,
  typeMark,
} from '../core/calls/syntax.ts';
import type { Json } from '../core/dialog/jsonSchema.ts';

/** Renders what a template writes behind the user's message for one assistant message: its text, or calls with these arguments. */
export type Write = (message: { readonly text: string } | { readonly calls: readonly Values[] }) => string;
export type Values = Readonly<Record<string, Json>>;

/** The name and the ids that the written calls have. */
export const learnedName = 'qqname';
export const learnedId = (call: number) => `qqid0000${call}`;

const one: Values = { qqkone: 'qqvone' };
const three: Values = { qqkone: 'qqvone', qqktwo: 'qqvtwo', qqkzed: 7 };

/**
 * `generation` is what the template ends with when the model is to speak, `ends` are the texts that end a generation.
 * Null when the template writes no calls, or none that a model could write in one go and that could be read back.
 */
export function learnSyntax(
  source: string,
  write: Write,
  generation: string,
  ends: readonly string[],
): CallSyntax | null {
  if (source.includes('<|channel|>') && source.includes('<|call|>')) return harmony;
  if (source.includes('<|tool_call_start|>')) return lfm2;
  try {
    const learned = learn(write, generation);
    if (learned === null) return null;
    const section = [learned.section[0], untilEnd(learned.section[1], ends)] as const;
    const syntax = { ...learned, section, after: untilEnd(learned.after, ends) };
    return isSound(syntax, ends) ? { ...syntax, family: familyOf(syntax) } : null;
  } catch {
    // A template that refuses one of these messages has no syntax to learn.
    return null;
  }
}

/** Texts around one call: in front of its name, between name and arguments, behind them. */
interface Around {
  readonly front: string;
  readonly middle: string;
  readonly back: string;
}

function learn(write: Write, generation: string): CallSyntax | null {
  const plain = write({ text: 'qqtext' }).split('qqtext');
  const single = around(withIdMarks(write({ calls: [one] })));
  if (single === null || plain.length !== 2) return null;
  const headers = [plain[0] ?? '', generation].map((header) => atTag(sharedStart(single.front, header)).length);
  const front = single.front.slice(Math.max(...headers));
  const back = dropEnd(single.back, insideTag(commonSuffix(single.back, plain[1] ?? '')));
  const parts = { ...split(front, back, pair(write)), middle: single.middle };
  const style = single.json ? ('json' as const) : learnTagged(write, parts);
  if (style === null) return null;
  const key = /"(\w+)":\s*"$/.exec(parts.before)?.[1];
  const argumentsKey = /^",[\s\S]*"(\w+)":\s*$/.exec(parts.middle)?.[1];
  const wrapped = key !== undefined && argumentsKey !== undefined ? { name: key, arguments: argumentsKey } : null;
  const common = { ...parts, family: 'other', wrapped, channels: false } as const;
  if (style === 'json') return { ...common, arguments: style };
  return { ...common, middle: style.middle, after: style.after, arguments: style.tagged };
}

function around(written: string): (Around & { readonly json: boolean }) | null {
  const name = written.indexOf(learnedName);
  const key = written.indexOf('qqkone', name);
  if (name < 0 || key < 0) return null;
  const quoted = /\{\s*"$/.exec(written.slice(0, key));
  const end = quoted === null ? -1 : endOfJson(written, quoted.index);
  const json = quoted !== null && end > 0;
  const from = json ? quoted.index : key;
  const to = json ? end : written.indexOf('qqvone', key) + 'qqvone'.length;
  const [front, back] = [written.slice(0, name), written.slice(to)];
  return { front, middle: written.slice(name + learnedName.length, from), back, json };
}

/** Returns the text between the arguments of one call and the name of the next; null when a message may have only one call. */
function pair(write: Write): string | null {
  try {
    const written = withIdMarks(write({ calls: [one, one] }));
    const first = around(written);
    const next = first?.back.indexOf(learnedName) ?? -1;
    return first === null || next < 0 ? null : first.back.slice(0, next);
  } catch {
    return null;
  }
}

/** Splits the text around one call, by the text between two calls (`gap`), into what surrounds each call and what surrounds all of them. */
function split(front: string, back: string, gap: string | null) {
  if (gap === null) return { section: ['', ''] as const, before: front, after: back, between: '\n' };
  const before = insideTag(commonSuffix(front, gap));
  const rest = dropEnd(gap, before);
  const after = atTag(sharedStart(back, rest));
  const section = [dropEnd(front, before), back.slice(after.length)] as const;
  return { section, before, after, between: rest.slice(after.length) };
}

function learnTagged(
  write: Write,
  { section, middle: front, after: back }: { section: readonly [string, string]; middle: string; after: string },
) {
  const written = withIdMarks(write({ calls: [three] }));
  const between = (a: string, b: string) => written.split(a)[1]?.split(b)[0];
  const next = between('qqvone', 'qqktwo');
  const string = between('qqkone', 'qqvone');
  const other = between('qqkzed', '7');
  const tail = written.split(`qqkzed${other}7`)[1];
  if (next === undefined || string === undefined || other === undefined || tail === undefined) return null;
  const open = insideTag(commonSuffix(front, next));
  const gap = dropEnd(next, open);
  const close = atTag(sharedStart(gap, back));
  const after = back.slice(close.length);
  const end = tail.indexOf(after + section[1]);
  // Text that nothing closes could not be told from what follows.
  if (end < 0 || close.trim() === '') return null;
  const after7 = tail.slice(0, end);
  const marked = { string: [string, close], other: [other, after7] } as const;
  const tagged = { open, ...marked, between: gap.slice(close.length), values: valuesOf(write, marked) };
  return { tagged: { ...tagged, other: [typed(write, other), after7] as const }, middle: dropEnd(front, open), after };
}

/** Whether texts within a list have the marks that they have alone. */
function valuesOf(write: Write, marks: Pick<Tagged, 'string' | 'other'>): Tagged['values'] {
  const [open, close] = marks.string[0].startsWith(marks.other[0]) ? textMarks(marks) : ['', ''];
  const listed = open === '' || open === '"' ? '' : written(write, { qqklist: ['qqvone'] });
  return listed.includes(`[${open}qqvone${close}]`) ? 'marks' : 'json';
}

/** Returns the opening of a value that is no text, with `typeMark` for its type where the template names that there. */
function typed(write: Write, other: string): string {
  const listed = other.includes('number') ? written(write, { qqklist: ['qqvone'] }) : '';
  return listed.includes(other.replace('number', 'array')) ? other.replace('number', typeMark) : other;
}

/** Empty where the template refuses these values. */
function written(write: Write, values: Values): string {
  try {
    return write({ calls: [values] });
  } catch {
    return '';
  }
}

const learnedTool = {
  description: '',
  parameters: { type: 'object', properties: { deep: { type: 'array' } }, required: [] },
} as const;

/** Tells whether rendered calls read back the same, whatever their texts have in them: a quote, line breaks, blanks around. */
function isSound(syntax: CallSyntax, ends: readonly string[]): boolean {
  const opening = openingOf(syntax);
  const literals = JSON.stringify({ ...syntax, section: syntax.section[0] });
  if (opening.text.trim().length < 3 || /qq[knv]/.test(literals) || ends.some((end) => literals.includes(end)))
    return false;
  const words = opening.atStart ? '' : 'Text.';
  const values = { path: ' a"b\nc ', other: "it's {x}, [y] <z>", deep: [{ at: 'a "b", c', many: [1, true] }] };
  const call = { id: 'abcdefghi', name: 'read_file', arguments: values };
  const text = (calls: readonly (typeof call)[]) => renderedText(syntax, words, calls);
  return [[call], [call, call]].every((calls) => {
    const read = readGeneration(syntax, text(calls));
    const placed = placeCalls(read.calls, [{ ...learnedTool, name: call.name }], () => '');
    const same = placed.every(
      (got) => got.name === call.name && JSON.stringify(got.arguments) === JSON.stringify(values),
    );
    return read.text === words && read.calls.length === calls.length && same && !read.open;
  });
}

function familyOf(syntax: CallSyntax): Family {
  const text = syntax.section[0] + syntax.before;
  const marks: readonly (readonly [Family, RegExp])[] = [
    ['qwen3coder', /^\s*<tool_call>\s*<function=/],
    ['hermes', /^\s*<tool_call>\s*\{/],
    ['llama3', /^\s*\{"name": "$/],
    ['mistral', /\[TOOL_CALLS\]/],
    ['deepseek', /<｜tool▁calls▁begin｜>|｜DSML｜/],
    ['gemma', /<\|tool_call>call:/],
  ];
  return marks.find(([, mark]) => mark.test(text))?.[0] ?? 'other';
}

/** Cuts a text at what ends a generation: that is not part of a call, because the model stops there. */
function untilEnd(text: string, ends: readonly string[]): string {
  const at = ends.map((end) => text.indexOf(end)).filter((index) => index >= 0);
  return at.length === 0 ? text : text.slice(0, Math.min(...at));
}

function withIdMarks(written: string): string {
  return written.replaceAll(learnedId(1), idMark).replaceAll(learnedId(2), idMark);
}

export function sharedStart(a: string, b: string): string {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n += 1;
  return a.slice(0, n);
}

function commonSuffix(a: string, b: string): string {
  let n = 0;
  while (n < Math.min(a.length, b.length) && a.at(-1 - n) === b.at(-1 - n)) n += 1;
  return a.slice(a.length - n);
}

/** The text without a tag at its end that is not whole. */
export function atTag(text: string): string {
  const open = text.lastIndexOf('<');
  return open > text.lastIndexOf('>') ? text.slice(0, open) : text;
}

/** The text without the end of a tag that begins before it. */
function insideTag(text: string): string {
  const close = text.indexOf('>');
  const open = text.indexOf('<');
  return close >= 0 && (open < 0 || close < open) ? text.slice(close + 1) : text;
}

function dropEnd(text: string, end: string): string {
  return text.slice(0, text.length - end.length);
}
