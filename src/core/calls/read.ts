// Reads a generation, complete or so far: thoughts, the text to show, and the tool calls in the model's own syntax.
import { readThoughts } from '../answer/readThoughts.ts';
import type { ThoughtMarks } from '../answer/thoughts.ts';
import type { ToolSchema } from '../dialog/tool.ts';
import { begunDress, dressedAt, dressedIn } from './dressed.ts';
import { type Dressed, foreignIn } from './foreign.ts';
import { isBetweenCalls, loose } from './loose.ts';
import { readObject, readPython, readTagged, readWrapped } from './readArguments.ts';
import { broken, type ReadCall, type ReadStep } from './readCall.ts';
import { type CallSyntax, type Opening, openingIn, openingOf } from './syntax.ts';

/** The part of a generation that the user reads. */
export interface Said {
  readonly text: string;
  /** The thoughts before it; absent when it did not. */
  readonly thoughts?: string;
}

export interface Reading extends Said {
  /** The last one may be incomplete while the model still writes; it then has a problem. */
  readonly calls: readonly ReadCall[];
  /** A call has opened and is not complete. */
  readonly open: boolean;
  /** The calls are in another dress than the model's template has for them. */
  readonly dressed?: true;
}

/**
 * A beginning of an opening at the end is held back from the text while it may become a call: until the generation ended.
 * `tools` are those that may be called now: their calls are read in any other dress as well. `marks` are those of the model's thoughts.
 */
export function readGeneration(
  syntax: CallSyntax | null,
  raw: string,
  ended = false,
  tools: readonly ToolSchema[] = [],
  marks: readonly ThoughtMarks[] = [],
): Reading {
  if (syntax?.channels && raw.includes('<|')) return readSaid(syntax, raw, ended, tools);
  const { thoughts, answer, thinking } = readThoughts(raw, marks, ended);
  // A model that calls without an end of its thoughts has thought enough.
  const calledAt = thinking && syntax !== null ? openingIn(syntax, thoughts, 0, namesOf(tools)) : -1;
  const rest = calledAt < 0 ? answer : thoughts.slice(calledAt);
  const thought = calledAt < 0 ? thoughts : thoughts.slice(0, calledAt).trimEnd();
  const said = syntax === null ? { text: rest, calls: [], open: false } : readSaid(syntax, rest, ended, tools);
  return thought === '' ? said : { ...said, thoughts: thought };
}

function namesOf(tools: readonly ToolSchema[]) {
  return tools.map(({ name }) => name);
}

/** Reads what stands behind the thoughts; of channels, all. */
function readSaid(syntax: CallSyntax, raw: string, ended: boolean, tools: readonly ToolSchema[]): Reading {
  const names = namesOf(tools);
  const at = openingIn(syntax, raw, 0, names);
  const dressed = syntax.channels || tools.length === 0 ? null : readDressed(syntax, raw, ended, tools, at);
  if (dressed !== null) return dressed;
  if (at < 0) {
    const undecided = ended || raw === '' ? 0 : undecidedLength(openingOf(syntax), raw);
    return { ...saidIn(syntax, raw.slice(0, raw.length - undecided)), calls: [], open: false };
  }
  const calls: ReadCall[] = [];
  let end = at;
  for (let step = readCall(syntax, raw, at, true); step !== null; step = readCall(syntax, raw, end, false, names)) {
    calls.push(step.call);
    end = step.end;
    if (end < 0) break;
  }
  const before = raw.slice(0, at).replace(/<\|python_tag\|>\s*$/, '');
  const said = saidIn(syntax, before);
  const own: Reading = { ...said, text: said.text.trimEnd(), calls, open: end < 0 };
  // The marks are the model's own, and what stands between them is another family's.
  const other = calls[0]?.problem === undefined || syntax.channels ? null : dressedAt(raw, at, tools, ended);
  return other === null || other.calls.length === 0 ? own : { ...own, ...dressedCalls(other) };
}

/**
 * Returns null when no call opens in another dress in front of the model's own at `own`. An opening that never becomes a call counts as
 * text once the generation ends.
 */
function readDressed(
  syntax: CallSyntax,
  raw: string,
  ended: boolean,
  tools: readonly ToolSchema[],
  own: number,
): Reading | null {
  const found = own < 0 ? dressedIn(raw, tools, ended) : foreignIn(raw, tools, ended, own);
  const dressed = found ?? (ended || own >= 0 ? null : begunDress(raw, tools));
  if (dressed === null || (ended && dressed.calls.length === 0)) return null;
  const said = saidIn(syntax, raw.slice(0, dressed.at));
  return { ...said, text: said.text.trimEnd(), ...dressedCalls(dressed) };
}

function dressedCalls({ calls }: Dressed) {
  return { calls, open: calls.length === 0 || calls.at(-1)?.problem !== undefined, dressed: true } as const;
}

/** The call at or behind `from`; null when none follows. At the opening there is always one, be it a broken one. */
function readCall(
  syntax: CallSyntax,
  raw: string,
  from: number,
  first: boolean,
  names: readonly string[] = [],
): ReadStep | null {
  if (syntax.channels) return readChannel(raw, first ? from : openingIn(syntax, raw, from, names));
  if (syntax.wrapped !== null) {
    const at = raw.indexOf('{', from);
    if (at >= 0 && (first || isBetweenCalls(syntax, raw.slice(from, at))))
      return readWrapped(syntax, syntax.wrapped, raw, at);
    return first ? broken('The tool call was not valid JSON', raw, from) : null;
  }
  const front = syntax.before === '' ? '(?<![\\w.-])' : `${loose(syntax.before)}\\s*`;
  const before = new RegExp(`${front}(?<name>[\\w.-]+)\\s*${loose(syntax.middle)}\\s*`, 'g');
  before.lastIndex = from;
  const found = before.exec(raw);
  if (found !== null && isBetweenCalls(syntax, raw.slice(from, found.index))) {
    const name = found.groups?.name ?? '';
    if (syntax.arguments === 'python') return readPython(name, raw, before.lastIndex);
    if (syntax.arguments !== 'json') return readTagged(syntax, syntax.arguments, raw, before.lastIndex, name);
    return readObject(name, raw, before.lastIndex);
  }
  return first ? broken('The tool call could not be read', raw, from) : null;
}

/** In channels the recipient stands on either side of the channel's name; what follows up to the message tells the format. */
function readChannel(raw: string, at: number): ReadStep | null {
  if (at < 0) return null;
  const header =
    / to=(?:functions\.)?(?<name>[\w.-]+)(?:<\|channel\|>\w{1,20})?[^<{]{0,40}(?:<\|constrain\|>[^<{]{0,40})?<\|message\|>\s*/y;
  header.lastIndex = at;
  const found = header.exec(raw);
  if (found === null) return broken('The tool call could not be read', raw, at);
  return readObject(found.groups?.name ?? '', raw, header.lastIndex);
}

/** Copies text and thoughts, without the calls. */
export function saidOf({ text, thoughts }: Said): Said {
  return { text, ...(thoughts === undefined ? {} : { thoughts }) };
}

function saidIn(syntax: CallSyntax, raw: string): Said {
  const thoughts = syntax.channels ? thoughtsIn(raw) : '';
  return { text: visible(syntax, raw), ...(thoughts === '' ? {} : { thoughts }) };
}

/** The messages of the analysis channel. While one is being written, the beginning of a mark is no word of it. */
function thoughtsIn(raw: string): string {
  const message = /<\|channel\|>analysis[^<]*<\|message\|>((?:(?!<\|(?:end|start|channel|call|return)\|>).)*)(<\|)?/gs;
  return [...raw.matchAll(message)]
    .map(([, words = '', end]) => (end === undefined ? words.replace(/<(?:\|[a-z]{0,7}\|?)?$/, '') : words))
    .filter((words) => words.trim() !== '')
    .join('\n\n');
}

/** In channels, only the final one. */
function visible(syntax: CallSyntax, raw: string): string {
  if (!syntax.channels) return raw;
  const final = /<\|channel\|>final[^<]*<\|message\|>/.exec(raw);
  if (final !== null) return raw.slice(final.index + final[0].length).replace(/<\|(end|return)\|>[\s\S]*$/, '');
  const isHeader = raw.includes('<|') || '<|channel|>'.startsWith(raw) || /^ to?(?:=[\w.-]*)?$/.test(raw);
  return isHeader ? '' : raw;
}

/** How many characters at the end are a beginning of the opening. */
function undecidedLength(opening: Opening, raw: string): number {
  if (opening.atStart) {
    const begun = opening.text.startsWith(raw.trimStart().replace(/^<\|python_tag\|>\s*/, ''));
    return begun ? raw.length : 0;
  }
  for (let n = Math.min(opening.text.length - 1, raw.length); n > 0; n--) {
    if (opening.text.startsWith(raw.slice(-n))) return n;
  }
  return 0;
}
