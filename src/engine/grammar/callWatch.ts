// Watches a generation for tool calls: free text until one opens, then a grammar to the end; or no call at all. It says which grammar
// holds and which tokens may not be drawn; how they are enforced is the engine's.

import { begunCall } from '../../core/calls/begun.ts';
import { readGeneration } from '../../core/calls/read.ts';
import { type CallSyntax, mayOpenBehind, openingOf } from '../../core/calls/syntax.ts';
import type { Quotable } from '../../core/dialog/quotable.ts';
import type { ToolSchema } from '../../core/dialog/tool.ts';
import { decline } from '../../core/model/model.ts';
import type { ThinkingSupport } from '../../core/model/thinking.ts';
import type { GenerateParams } from '../../protocol/engine.ts';
import type { SafeTokens } from '../../templates/safeTokens.ts';
import type { Spelling } from '../../templates/spelling.ts';
import { beginningOf, callGrammar, callRules, moreCalls, restOfCall, styleOf } from './callGrammar.ts';
import { freeStyle, jsonTextRules, terminal, type ValueStyle, valueRule, valueRules } from './valueGrammar.ts';

/** The parts of a loaded model that the watch needs. */
export interface Speaks {
  readonly safe: SafeTokens;
  readonly spelling: Spelling;
  readonly syntax: CallSyntax | null;
  readonly thinking: ThinkingSupport;
}

/** A grammar that holds from the next token on. Each object is a beginning of its own, whatever its text is. */
export interface GrammarStart {
  /** GBNF. */
  readonly text: string;
  /** The grammar holds for the first token only; any text may follow, and the grammar allows that, too. */
  readonly opening?: true;
}

export interface CallWatch {
  /** Asked before each token; undefined is any text. */
  readonly grammar: () => GrammarStart | undefined;
  /** Ids that are never drawn. */
  readonly banned: readonly number[];
  /** Whether the generation ends here: a call in another dress than the template's is complete, and its result is not the model's to write. */
  see(piece: string): boolean;
}

const nothing: CallWatch = { grammar: () => undefined, banned: [], see: () => false };
/** Characters that may end a call in another dress. */
const closes = /[\]})>]/;

type Watched = Pick<GenerateParams, 'prompt' | 'toolCalls' | 'grammar' | 'quotable'>;

export function watchCalls(model: Speaks, params: Watched): CallWatch {
  const { syntax } = model;
  const { toolCalls, prompt } = params;
  if (params.grammar !== undefined) {
    const whole = { text: params.grammar };
    return { ...nothing, grammar: () => whole };
  }
  if (syntax === null) return nothing;
  const opening = openingOf(syntax);
  if (toolCalls === 'none' || prompt.tools.length === 0) return withoutCalls(model, params, opening.text);
  const choice = toolCalls === 'choice';
  const trigger = choice ? '' : triggerOf(syntax, model);
  const calls = callGrammar(syntax, prompt.tools, trigger, decline);
  let now: GrammarStart | undefined = choice ? { text: calls } : undefined;
  // In channels none is read.
  const mayDress = !syntax.channels;
  let isDressed = false;
  let written = '';
  const quotes = watchQuotes(params, syntax);
  return {
    grammar: () => now,
    banned: [],
    see: (piece) => {
      written += piece;
      const quote = now === undefined ? null : quotes(written, piece, isDressed);
      if (quote !== null) {
        now = { text: quote };
        return false;
      }
      if (now !== undefined && !isDressed) return false;
      if (!isDressed && written.endsWith(trigger) && mayOpenBehind(syntax, written.slice(0, -trigger.length))) {
        now = { text: calls };
        return false;
      }
      if (closes.test(piece)) return readGeneration(syntax, written, false, prompt.tools).calls.length > 0;
      const begun = mayDress && !isDressed && /[:"]/.test(piece) ? begunCall(written, prompt.tools) : null;
      if (begun === null) return false;
      isDressed = true;
      now = { text: restOfCall(begun) };
      return false;
    },
  };
}

/**
 * Keeps calls from being opened. Where tools or calls stand in the prompt all the same, as in the last word of a turn, the first
 * character is one of words: a model that writes its calls as JSON, or spells the marks that it may not draw, would write another.
 */
function withoutCalls({ safe, syntax }: Speaks, { prompt }: Watched, opening: string): CallWatch {
  const open = safe.special(opening);
  const banned = open === undefined ? [] : [open];
  const called = prompt.messages.some(({ segments }) => segments.some(({ calls = [] }) => calls.length > 0));
  if ((prompt.tools.length === 0 && !called) || syntax === null || syntax.channels) return { ...nothing, banned };
  const begin: GrammarStart = { text: wordsFirst, opening: true };
  let written = '';
  return {
    banned,
    grammar: () => (written === '' ? begin : undefined),
    see: (piece) => {
      written += piece;
      return closes.test(piece) && readGeneration(syntax, written, false, prompt.tools).calls.length > 0;
    },
  };
}

/** A fence, a tag and JSON are none. */
const wordsFirst = 'root ::= " "? [^`{\\[< \\t\\n] [^\\x00]*';

/**
 * The opening, up to where a token ends: behind the middle of one the grammar could not take up. A bare `{"name"` goes on
 * to `{"name":`; where the last token may belong to the call's name, one token less is enough.
 */
export function triggerOf(syntax: CallSyntax, { safe, spelling }: Pick<Speaks, 'safe' | 'spelling'>): string {
  const whole = beginningOf(syntax);
  const opening = openingOf(syntax).text.trimStart();
  const from = whole.indexOf(opening);
  const stream = spelling.stream();
  let text = '';
  let trigger = '';
  for (const id of safe.glue(`${whole}name`)) {
    const piece = stream.push(id);
    text = (text + piece).trimStart();
    const mayGoOn = text.length === whole.length && safe.special(piece) === undefined;
    if (!whole.startsWith(text) || mayGoOn) break;
    trigger = text.slice(from);
    if (text.length >= from + opening.length) break;
  }
  return trigger === '' ? opening : trigger;
}

// GBNF for an argument that quotes lines of a text, and for the rest of its call: consecutive lines as they stand there, the first with or
// without its indentation. The rules are as many as the lines; each names the one behind it.

/** Lines of a text at most: the first token of a quotation is tried against each. */
const mostLines = 1000;
/** Characters that one token may bring behind the quotation mark. */
const longestBegun = 24;

/** Told of each piece of a message: the grammar from a quotation on, once, where one begins. Only arguments in JSON are looked at. */
export function watchQuotes({ quotable, prompt }: Pick<GenerateParams, 'quotable' | 'prompt'>, syntax: CallSyntax) {
  let last = -1;
  return (written: string, piece: string, isDressed: boolean): string | null => {
    if (quotable === undefined || syntax.arguments !== 'json' || !piece.includes('"')) return null;
    const begun = begunQuote(written, prompt.tools, quotable);
    if (begun === null || begun.at === last) return null;
    last = begun.at;
    return quoteGrammar(begun, prompt.tools, isDressed ? null : syntax);
  };
}

/** A quotation that a message has just begun. */
interface BegunQuote {
  readonly tool: ToolSchema;
  readonly text: string;
  /** The text behind the quotation mark so far, as JSON. */
  readonly written: string;
  /** Arguments of the call so far. */
  readonly given: readonly string[];
  /** Index in the message where the quotation begins. */
  readonly at: number;
  /** Calls of the message so far, with this one. */
  readonly calls: number;
}

/** Returns null when no quotation begins here, or when the text is unknown or too long. */
export function begunQuote(raw: string, tools: readonly ToolSchema[], quotable: Quotable): BegunQuote | null {
  const { argument, names, texts } = quotable;
  const tool = tools.find(({ name }) => name === quotable.tool);
  const [whole = '', written = ''] =
    new RegExp(`"${argument}"\\s*:\\s*"((?:[^"\\\\]|\\\\.){0,${longestBegun}})$`).exec(raw) ?? [];
  const from = raw.lastIndexOf(quotable.tool);
  const call = raw.slice(Math.max(0, from));
  if (tool === undefined || from < 0 || whole === '' || !call.endsWith(whole)) return null;
  const named = new RegExp(`"${names}"\\s*:\\s*"([^"\\\\]+)"`).exec(call)?.[1];
  const path = named?.replace(/^\.\//, '') ?? '';
  const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
  if (text === undefined || text.split('\n').length > mostLines) return null;
  const given = Object.keys(tool.parameters.properties).filter((key) => new RegExp(`"${key}"\\s*:`).test(call));
  return { tool, text, written, given, at: raw.length - written.length, calls: countOfCalls(raw, tools) };
}

/** Counts the calls of a message by tool names that stand where a name stands. */
function countOfCalls(raw: string, tools: readonly ToolSchema[]): number {
  const names = tools.map(({ name }) => name.replace(/[^\w]/g, '\\$&')).join('|');
  return raw.match(new RegExp(`(?<!\\\\)"(?:${names})(?<!\\\\)"\\s*,`, 'g'))?.length ?? 1;
}

/** The rest of a quotation and of its call; null where what is written stands nowhere. `syntax`: null for a call in a dress of its own. */
export function quoteGrammar(
  begun: BegunQuote,
  tools: readonly ToolSchema[],
  syntax: CallSyntax | null,
): string | null {
  const lines = begun.text.split(/\r\n|\n|\r/);
  const starts = lines.flatMap((line, i) => startsAt(line, i, begun.written));
  if (starts.length === 0) return null;
  const style = syntax === null ? freeStyle : styleOf(syntax);
  const end =
    syntax === null ? 'space "}" space "}"' : `"}" ${terminal(syntax.after)} ${moreCalls(syntax, begun.calls)}`;
  const free = ['space ::= [ \\t\\n]{0,20}', ...jsonTextRules, ...valueRules(freeStyle)];
  return [
    `root ::= (${starts.join(' | ')}) "\\"" ${membersBehind(begun, style)} ${end}`,
    ...lines.map((line, i) => `line${i} ::= ${quoted(escaped(line))} behind${i}`),
    ...lines.map((_, i) => `behind${i} ::= ${i + 1 < lines.length ? `(${terminal('\\n')} line${i + 1}?)?` : '""'}`),
    ...(syntax === null ? free : callRules(syntax, tools)),
    '',
  ].join('\n');
}

/** How a quotation may go on that begins with this line. */
function startsAt(line: string, i: number, written: string): readonly string[] {
  const bare = line.trimStart();
  if (bare === '') return [];
  const whole = escaped(line);
  const ways = [whole, escaped(bare)].filter((one, n, all) => one.startsWith(written) && all.indexOf(one) === n);
  return ways.map((one) => `${quoted(one.slice(written.length))} behind${i}`);
}

/** The arguments that are not there yet: those that must be, then those that may. */
function membersBehind({ tool, given }: BegunQuote, style: ValueStyle): string {
  const { properties, required } = tool.parameters;
  const left = Object.entries(properties).filter(([key]) => !given.includes(key));
  const pair = ([key, schema]: (typeof left)[number]) =>
    `${style.comma} ${style.key(key)} ${style.colon} ${valueRule(schema, style)}`;
  const needed = left.filter(([key]) => required.includes(key)).map(pair);
  const others = left.filter(([key]) => !required.includes(key)).map((one) => `(${pair(one)})?`);
  return [...needed, ...others].join(' ');
}

/** A file may hold the sign that stands for ids elsewhere. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function escaped(line: string): string {
  return JSON.stringify(line).slice(1, -1);
}
