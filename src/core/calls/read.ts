// Reads a generation, complete or so far: the text to show, and the tool calls in the model's own syntax.
import type { ToolCall } from '../dialog.ts';
import { isBetweenCalls, loose } from './loose.ts';
import { readObject, readTagged, readWrapped } from './readArguments.ts';
import { type CallSyntax, openingOf } from './syntax.ts';

/** A call as the model wrote it, not yet placed in a dialog. */
export type ReadCall = Omit<ToolCall, 'id'>;

export interface Reading {
  readonly text: string;
  /** The last one may be incomplete while the model still writes; it then has a problem. */
  readonly calls: readonly ReadCall[];
  /** A call has opened and is not complete. */
  readonly open: boolean;
}

/** One call, and the index behind it; `end` is -1 when the text stops before the call does. */
export interface Step {
  readonly call: ReadCall;
  readonly end: number;
}

/** A beginning of an opening at the end is held back from the text while it may become a call: until the generation ended. */
export function readGeneration(syntax: CallSyntax | null, raw: string, ended = false): Reading {
  if (syntax === null) return { text: raw, calls: [], open: false };
  const opening = openingOf(syntax);
  const at = raw.indexOf(opening.text);
  if (at < 0 || (opening.atStart && raw.slice(0, at).trim() !== '')) {
    const begun = !opening.atStart || raw.trim() === '' || opening.text.startsWith(raw.trim());
    const held = ended || !begun ? 0 : openingAtEnd(raw, opening.text);
    return { text: visible(syntax, raw.slice(0, raw.length - held)), calls: [], open: false };
  }
  const calls: ReadCall[] = [];
  let end = at;
  for (let step = readCall(syntax, raw, end); step !== null && end >= 0; step = readCall(syntax, raw, end)) {
    calls.push(step.call);
    end = step.end;
    if (end < 0) break;
  }
  return { text: visible(syntax, raw.slice(0, at)).trimEnd(), calls, open: end < 0 };
}

/** The call at or behind `from`; null when none follows. At the opening there is always one, be it a broken one. */
function readCall(syntax: CallSyntax, raw: string, from: number): Step | null {
  const first = raw.startsWith(openingOf(syntax).text, from);
  if (syntax.wrapped !== null) {
    const at = raw.indexOf('{', from);
    if (at >= 0 && (first || isBetweenCalls(syntax, raw.slice(from, at)))) return readWrapped(syntax.wrapped, raw, at);
    return first ? broken('The tool call was not valid JSON', raw, from) : null;
  }
  const before = new RegExp(`${loose(syntax.before)}(?<name>[\\w.-]+)${loose(syntax.middle)}`, 'g');
  before.lastIndex = syntax.channels ? 0 : from;
  for (let found = before.exec(raw); found !== null; found = before.exec(raw)) {
    if (before.lastIndex <= from) continue;
    const name = found.groups?.name ?? '';
    if (syntax.arguments !== 'json') return readTagged(syntax, syntax.arguments, raw, before.lastIndex, name);
    return readObject(name, raw, before.lastIndex);
  }
  return first ? broken('The tool call could not be read', raw, from) : null;
}

export function broken(problem: string, raw: string, from: number): Step {
  const words = raw.slice(from).trim().slice(0, 120);
  return { call: { name: 'unknown', arguments: {}, problem: `${problem}: ${words}` }, end: -1 };
}

/** What a user may read: in channels, only the final one. */
function visible(syntax: CallSyntax, raw: string): string {
  if (!syntax.channels) return raw;
  const final = /<\|channel\|>final[^<]*<\|message\|>/.exec(raw);
  if (final !== null) return raw.slice(final.index + final[0].length).replace(/<\|(end|return)\|>[\s\S]*$/, '');
  return raw.includes('<|') || '<|channel|>'.startsWith(raw) ? '' : raw;
}

/** How many characters at the end are a beginning of the opening. */
function openingAtEnd(text: string, opening: string): number {
  for (let n = Math.min(opening.length - 1, text.length); n > 0; n--) {
    if (opening.startsWith(text.slice(-n))) return n;
  }
  return 0;
}
