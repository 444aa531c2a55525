// Renders a prompt with the GGUF's own chat template. Contents are placeholders, so the output splits into glue and segments.
import { Template } from '@huggingface/jinja';
import { FaultError, reasonOf } from '../../core/faults.ts';
import type { Message, Prompt } from '../../core/prompt.ts';
import type { ToolSchema } from '../../core/tool.ts';

/** A stretch of rendered prompt: template glue, the segment with this flat index, or a special string inside a schema. */
export type Stretch = { readonly glue: string } | { readonly segment: number } | { readonly quoted: string };

export interface ChatTemplate {
  /** `generate` ends with the assistant's opening. Throws `templateUnusable` when a message vanishes or moves. */
  render(prompt: Prompt, generate: boolean): readonly Stretch[];
}

export interface SpecialTexts {
  readonly bos: string;
  readonly eos: string;
  /** Matches every special string of the vocabulary. */
  readonly any: RegExp;
}

/** What a template expects of its input where templates differ. */
export interface Shape {
  /** `merged` puts the system text in front of the first user message, for templates without a system role. */
  readonly system: 'own' | 'merged';
  /** What stands for tools when there are none. */
  readonly noTools: 'absent' | 'empty';
}

const opening = '\uE000';
const closing = '\uE001';

export function createTemplate(
  source: string,
  special: SpecialTexts,
  shape: Shape = { system: 'own', noTools: 'absent' },
): ChatTemplate {
  // A template that prints the time would change the head of every prompt: it gets the moment of loading instead.
  const template = orFault(() => new Template(source.replaceAll('strftime_now(', 'time_of_loading(')));
  const loaded = new Date();
  return {
    render: ({ messages, tools }, generate) => {
      const quotes = createQuotes(special.any);
      const chat = messages.map((message, i) => chatMessage(message, `${opening}${i}${closing}`, quotes));
      const withTools = tools.length > 0 || shape.noTools === 'empty';
      const values = {
        messages: shape.system === 'merged' ? mergeSystem(chat) : chat,
        ...(withTools ? { tools: tools.map((tool) => openAiTool(tool, quotes)) } : {}),
        add_generation_prompt: generate,
        bos_token: special.bos,
        eos_token: special.eos,
        time_of_loading: (format: string) => formatDate(loaded, format),
      };
      return split(
        orFault(() => template.render(values)),
        messages,
        quotes.quoted,
      );
    },
  };
}

function orFault<T>(job: () => T): T {
  try {
    return job();
  } catch (error) {
    throw new FaultError({ kind: 'templateUnusable', reason: reasonOf(error) });
  }
}

/** Schemas and tool names go through the template as values: special strings in them become placeholders too. */
interface Quotes {
  readonly quoted: readonly string[];
  hide(value: unknown): unknown;
}

function createQuotes(anySpecial: RegExp): Quotes {
  const quoted: string[] = [];
  const pattern = new RegExp(`${anySpecial.source}|[${opening}${closing}]`, 'g');
  const mark = (found: string) =>
    // What JSON escapes cannot act in a schema, and must stay for the template to escape.
    JSON.stringify(found) === `"${found}"` ? `${opening}q${quoted.push(found) - 1}${closing}` : found;
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(pattern, mark);
    if (Array.isArray(value)) return value.map(hide);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key.replace(pattern, mark), hide(entry)]));
  };
  return { quoted, hide };
}

interface ChatMessage {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: unknown;
  readonly name?: unknown;
}

function chatMessage({ role, call }: Message, content: string, { hide }: Quotes): ChatMessage {
  return call === undefined ? { role, content } : { role, content, tool_call_id: hide(call.id), name: hide(call.tool) };
}

function mergeSystem([system, first, ...rest]: readonly ChatMessage[]): readonly ChatMessage[] {
  if (system === undefined || first === undefined) return system === undefined ? [] : [{ ...system, role: 'user' }];
  return [{ ...first, content: `${system.content}\n\n${first.content}` }, ...rest];
}

function openAiTool(tool: ToolSchema, { hide }: Quotes): Record<string, unknown> {
  return { type: 'function', function: hide(tool) };
}

function split(rendered: string, messages: readonly Message[], quoted: readonly string[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let next = 0;
  let segment = 0;
  for (const piece of rendered.split(new RegExp(`(${opening}q?\\d+${closing})`))) {
    if (!piece.startsWith(opening)) {
      if (piece !== '') stretches.push({ glue: piece });
      continue;
    }
    if (piece[1] === 'q') {
      stretches.push({ quoted: quoted[Number(piece.slice(2, -1))] ?? '' });
      continue;
    }
    const at = Number(piece.slice(1, -1));
    if (at !== next++) throw lost(`message ${at + 1} is rendered out of its order`);
    for (const _ of messages[at]?.segments ?? []) stretches.push({ segment: segment++ });
  }
  if (next !== messages.length) throw lost(`message ${next + 1} (${messages[next]?.role}) is dropped`);
  return stretches;
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
