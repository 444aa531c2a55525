// Renders a prompt with the GGUF's own chat template. Contents are placeholders, so the output splits into glue and segments.

import { Environment, Template } from '@huggingface/jinja';
import { spacedJson } from '../core/calls/json.ts';
import { shortId } from '../core/calls/place.ts';
import { renderedText } from '../core/calls/render.ts';
import { type CallSyntax, idMark, openingOf, ownSyntax } from '../core/calls/syntax.ts';
import type { ToolSchema } from '../core/dialog/tool.ts';
import { FaultError, reasonOf } from '../core/faults/faults.ts';
import type { TemplateValues } from '../core/model/thinking.ts';
import { type Message, type Prompt, type Segment, segmentsOf } from '../core/prompt/prompt.ts';
import { type ChatMessage, chatMessages, closing, createQuotes, opening, structuredCalls } from './chatMessages.ts';
import { atTag, sharedStart } from './learnSyntax.ts';
import { type Headers, type Plan, plainPlan } from './plan.ts';

/** A stretch of rendered prompt: template glue, the segment with this flat index, or a special string inside a schema. */
export type RenderedPart =
  | { readonly glue: string }
  | { readonly segment: number; readonly escaped?: boolean }
  | { readonly quoted: string };

export interface ChatTemplate {
  /**
   * `generate` ends with the assistant's opening; a prompt that continues has its last message behind that. Messages that
   * `isOwn` says the loaded model generated follow that opening as it was when they were generated. Throws `templateUnusable` when a message vanishes or moves.
   */
  render(prompt: Prompt, generate: boolean, isOwn?: (segment: Segment) => boolean): readonly RenderedPart[];
}

export interface SpecialTexts {
  readonly bos: string;
  readonly eos: string;
  /** Matches every special string of the vocabulary. */
  readonly any: RegExp;
  /** The strings that end a generation. */
  readonly ends: readonly string[];
}

/** Renders values as they are, for probes. */
export type RenderChat = (
  chat: readonly ChatMessage[],
  tools: Prompt['tools'],
  generate: boolean,
  variables?: TemplateValues,
) => string;

export function createRenderer(
  source: string,
  special: SpecialTexts,
): (shape: Pick<Plan, 'noTools' | 'contents'>) => RenderChat {
  // A template that prints the time would change the head of every prompt: it gets the moment of loading instead.
  const render = orFault(() => compileJinja(source.replaceAll('strftime_now(', 'time_of_loading(')));
  const loaded = new Date();
  return ({ noTools, contents }) =>
    (messages, tools, generate, variables = {}) => {
      const withTools = tools.length > 0 || noTools === 'empty';
      const listed = tools.map((tool) => ({ type: 'function', function: tool }));
      const values = {
        messages: contents === 'text' ? messages : messages.map(inParts),
        ...variables,
        ...(withTools ? { tools: listed } : {}),
        add_generation_prompt: generate,
        bos_token: special.bos,
        eos_token: special.eos,
        time_of_loading: (format: string) => formatDate(loaded, format),
        // Names that single templates expect besides the common ones.
        functions: JSON.stringify(listed, null, 4),
        datetime: formatDate(loaded, '%Y-%m-%d'),
      };
      return orFault(() => render(values));
    };
}

function inParts(message: ChatMessage) {
  return { ...message, content: [{ type: 'text', text: message.content }] };
}

export function createTemplate(source: string, special: SpecialTexts, plan: Plan = plainPlan): ChatTemplate {
  const renderer = createRenderer(source, special)(plan);
  const template: ChatTemplate = {
    render: (prompt, generate, isOwn = () => false) => {
      if (prompt.continues === true) return continued(template, prompt, isOwn);
      const quotes = createQuotes(special.any);
      const tools = plan.schemas === 'template' ? prompt.tools.map((tool) => quotes.hide(tool)) : [];
      const schemas = plan.schemas === 'text' && prompt.tools.length > 0 ? schemaText(prompt.tools, plan.syntax) : '';
      const chat = chatMessages(prompt.messages, plan, schemas.replace(quotes.pattern, quotes.mark), quotes);
      const { thinking } = prompt;
      const { values = {}, closes = '' } = (thinking && plan.thinking?.[thinking]) ?? {};
      const rendered = renderer(chat, tools as Prompt['tools'], generate, values);
      return split(generate ? rendered + closes : rendered, prompt.messages, plan, quotes.quoted, isOwn);
    },
  };
  return template;
}

/** Renders the prompt as it was when its last message began, with the segments of that message. */
function continued(
  template: ChatTemplate,
  { messages, ...prompt }: Prompt,
  isOwn: (segment: Segment) => boolean,
): readonly RenderedPart[] {
  const { continues: _, ...rest } = prompt;
  const before = { ...rest, messages: messages.slice(0, -1) };
  const from = segmentsOf(before).length;
  const begun = messages.at(-1)?.segments.map((_, i) => ({ segment: from + i })) ?? [];
  return [...template.render(before, true, isOwn), ...begun];
}

function orFault<T>(job: () => T): T {
  try {
    return job();
  } catch (error) {
    throw new FaultError({ kind: 'templateUnusable', reason: reasonOf(error) });
  }
}

const placeholder = new RegExp(`(${opening}[qce]?\\d+${closing})`);

function split(
  rendered: string,
  messages: readonly Message[],
  plan: Plan,
  quoted: readonly string[],
  isOwn: (segment: Segment) => boolean,
): readonly RenderedPart[] {
  const stretches: RenderedPart[] = [];
  let [next, segment, glue, skip] = [0, 0, '', ''];
  /** Further calls of the message, whose texts are left out. */
  let more = 0;
  const flush = () => {
    if (glue !== '') stretches.push({ glue });
    glue = '';
  };
  for (const piece of rendered.split(placeholder)) {
    if (!piece.startsWith(opening)) {
      if (!piece.startsWith(skip)) throw lost(`the call in message ${next} is written in another way`);
      glue = more > 0 ? '' : piece.slice(skip.length);
      skip = '';
    } else if (piece[1] === 'e') {
      if (--more < 0) throw lost(`the calls in message ${next} are written twice`);
      if (more === 0) skip = callEnd(messages[next - 1], plan);
    } else if (piece[1] === 'q') {
      flush();
      stretches.push({ quoted: quoted[Number(piece.slice(2, -1))] ?? '' });
    } else {
      const structured = piece[1] === 'c';
      const at = Number(piece.slice(structured ? 2 : 1, -1));
      if (at !== next++) throw lost(`message ${at + 1} is rendered out of its order`);
      const message = messages[at];
      const escaped = plan.escaped.has(message?.role ?? '') ? { escaped: true } : {};
      if (message?.role === 'assistant') glue = header(glue, messages, at, plan, structured, isOwn);
      flush();
      for (const _ of message?.segments ?? []) stretches.push({ segment: segment++, ...escaped });
      if (structured) more = structuredCalls(message, plan).length - 1;
      if (structured && more === 0) skip = callEnd(message, plan);
    }
  }
  flush();
  if (next !== messages.length) throw lost(`message ${next + 1} (${messages[next]?.role}) is dropped`);
  return stretches;
}

function callEnd(message: Message | undefined, plan: Plan): string {
  return plan.callEnd.replaceAll(idMark, shortId(structuredCalls(message, plan).at(-1)?.id ?? ''));
}

/**
 * Returns the text in front of an assistant message. A generated message follows the opening it was generated behind, whatever the template makes of
 * it later: so the prefix stays as the slot has it, thoughts included.
 */
function header(
  glue: string,
  messages: readonly Message[],
  at: number,
  plan: Plan,
  structured: boolean,
  isOwn: (segment: Segment) => boolean,
): string {
  const former = messages[at - 1]?.role === 'tool' ? 'tool' : 'user';
  const asked = headersOf(plan, messages[at])[former].replaceAll(idMark, idOf(messages[at - 1]));
  const shared = atTag(sharedStart(glue, asked));
  const own = messages[at]?.segments.some(isOwn) ?? false;
  if (own && shared !== '') return asked;
  if (!structured) return glue;
  // A message of another model, or a recorded one, loses the template's own beginning of the call, because ours follows.
  const begins = plan.syntax === null ? -1 : glue.lastIndexOf(openingOf(plan.syntax).text.trim());
  return begins < shared.length ? shared : glue.slice(0, begins).trimEnd() === '' ? shared : glue.slice(0, begins);
}

/** The headers that a message was generated behind. */
function headersOf({ headers, thinking }: Plan, message: Message | undefined): Headers {
  const mode = message?.segments.find(({ generated }) => generated !== undefined)?.generated?.thinking;
  return mode === undefined ? headers : (thinking?.[mode].headers ?? headers);
}

/** The id by which a template names the message's call or the call it answers. */
function idOf(message: Message | undefined): string {
  const id = message?.call?.id ?? message?.segments.find(({ calls }) => calls !== undefined)?.calls?.[0]?.id;
  return id === undefined ? '' : shortId(id);
}

function lost(reason: string): FaultError {
  return new FaultError({ kind: 'templateUnusable', reason });
}

function formatDate(date: Date, format: string): string {
  const names = new Intl.DateTimeFormat('en', { month: 'long' });
  const two = (n: number) => String(n).padStart(2, '0');
  const parts: Record<string, string> = {
    '%Y': String(date.getFullYear()),
    '%m': two(date.getMonth() + 1),
    '%d': two(date.getDate()),
    '%B': names.format(date),
    '%b': names.format(date).slice(0, 3),
    '%H': two(date.getHours()),
    '%M': two(date.getMinutes()),
  };
  return format.replace(/%[YmdBbHM]/g, (key) => parts[key] ?? key);
}

// Tool schemas in words, for templates that have no place for them: what a model must know to call a tool in its syntax.
function schemaText(tools: readonly ToolSchema[], syntax: CallSyntax | null): string {
  const example = { id: 'abcdefghi', name: 'TOOL_NAME', arguments: { ARGUMENT: 'value' } };
  const call = renderedText(syntax ?? ownSyntax, '', [example]);
  return [
    'Tools, as JSON schemas:',
    ...tools.map((tool) => spacedJson(tool)),
    `To call a tool, write exactly this and nothing after it:\n${call.trim()}`,
  ].join('\n');
}

// Jinja for chat templates: the library, with the filters, methods and literals added that real templates use and it lacks.

/** Throws what the library throws: a syntax error when compiled, a template's own refusal when rendered. */
export function compileJinja(source: string): (values: Readonly<Record<string, unknown>>) => string {
  const template = new Template(source);
  extend(template.parsed, 'out');
  return (values) => template.render({ ...values, ...missing });
}

/** A node of the library's syntax tree, as far as it is looked at here. */
type Node = Record<string, unknown>;

const filters: readonly string[] = ['string', 'min', 'max', 'dictsort'];
const methods: readonly string[] = ['append', 'pop', 'format'];

/** Rewrites in place what the library refuses into calls of the functions below. */
function extend(value: unknown, place: 'out' | 'target'): void {
  if (Array.isArray(value)) for (const entry of value) extend(entry, place);
  if (value instanceof Map) renameKeys(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof Map) return;
  const node = value as Node;
  rewrite(node, place);
  for (const [key, child] of Object.entries(node)) {
    const target = place === 'target' || key === 'loopvar' || key === 'assignee';
    if (typeof child === 'object') extend(child, target ? 'target' : 'out');
  }
}

function rewrite(node: Node, place: 'out' | 'target'): void {
  const { type, filter, operand, callee, args } = node as { [K in keyof Node]: Node & string };
  if (type === 'FilterExpression' && filter?.type === 'Identifier' && filters.includes(String(filter.value))) {
    Object.assign(node, { type: 'CallExpression', callee: identifier(`filter_${filter.value}`), args: [operand] });
  }
  const member =
    type === 'CallExpression' && callee?.type === 'MemberExpression' ? (callee.property as Node) : undefined;
  if (member?.type === 'Identifier' && methods.includes(String(member.value))) {
    const given = args as unknown as readonly Node[];
    Object.assign(node, { callee: identifier(`method_${member.value}`), args: [callee?.object, ...given] });
  }
  // The library unpacks lists in a loop, but not tuples.
  if (type === 'TupleLiteral' && place === 'out') Object.assign(node, { type: 'ArrayLiteral' });
}

/** Object literals with numbers as keys: the library has only strings. */
function renameKeys(map: Map<unknown, unknown>): void {
  const entries = [...map];
  map.clear();
  for (const [key, value] of entries) {
    const node = key as Node;
    extend(key, 'out');
    extend(value, 'out');
    if (node.type === 'IntegerLiteral') Object.assign(node, { type: 'StringLiteral', value: String(node.value) });
    map.set(key, value);
  }
}

function identifier(value: string): Node {
  return { type: 'Identifier', value };
}

/** A value as the library holds it; lists and objects hold such values again. */
interface Comparable {
  readonly value: unknown;
}

const missing = {
  filter_string: (value: unknown) => pythonText(plain(value)),
  filter_min: (values: readonly Comparable[]) => sorted(values).at(0),
  filter_max: (values: readonly Comparable[]) => sorted(values).at(-1),
  filter_dictsort: (object: ReadonlyMap<string, unknown>) =>
    [...object]
      .map(([key, value]) => [/^\d+$/.test(key) ? Number(key) : key, plain(value)] as const)
      .toSorted(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1)),
  method_append: (list: Comparable[], value: unknown) => {
    const environment = new Environment();
    environment.set('value', plain(value));
    list.push(environment.lookupVariable('value'));
  },
  method_pop: (from: Comparable[] | Map<string, unknown>, at: number | string = -1) => {
    if (Array.isArray(from)) return plain(from.splice(Number(at), 1)[0]);
    const value = plain(from.get(String(at)));
    from.delete(String(at));
    return value;
  },
  method_format: (text: string, ...values: readonly unknown[]) => {
    let next = 0;
    return text.replace(/\{(\d*)\}/g, (_, index: string) =>
      String(plain(values[index === '' ? next++ : Number(index)])),
    );
  },
};

/** Numbers by value, strings by code units: a list holds one kind. */
function sorted(values: readonly Comparable[]): readonly (number | string)[] {
  return values.map(({ value }) => value as number | string).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function sortKey(key: string | number): string | number {
  return typeof key === 'number' ? key : key.toLowerCase();
}

/** Free of the library's wrapping. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, entry]) => [key, plain(entry)]));
  if (Array.isArray(value)) return value.map(plain);
  return value !== null && typeof value === 'object' && 'value' in value ? plain(value.value) : value;
}

/** Writes a value as Python's `str` does, for which such templates were written. */
function pythonText(value: unknown, inside = false): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return inside ? pythonQuoted(value) : value;
  if (Array.isArray(value)) return `[${value.map((entry) => pythonText(entry, true)).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, entry]) => `${pythonText(key, true)}: ${pythonText(entry, true)}`)
      .join(', ')}}`;
  }
  return String(value);
}

function pythonQuoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return text.includes("'") && !text.includes('"')
    ? `"${inner}"`
    : `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
