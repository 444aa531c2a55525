// The chat as a template gets it: placeholders for contents, and special strings in names and schemas hidden.
import { shortId } from '../core/calls/place.ts';
import type { ToolCall } from '../core/dialog/dialog.ts';
import type { Message } from '../core/prompt/prompt.ts';
import type { Plan } from './plan.ts';

export const opening = '\uE000';
export const closing = '\uE001';

/** A message in OpenAI's format. */
export interface ChatMessage {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: unknown;
  readonly name?: unknown;
  readonly tool_calls?: unknown;
}

/** Schemas and tool names go through the template as values: special strings in them become placeholders too. */
export interface Quotes {
  readonly quoted: readonly string[];
  readonly pattern: RegExp;
  mark(found: string): string;
  hide(value: unknown): unknown;
}

export function createQuotes(anySpecial: RegExp): Quotes {
  const quoted: string[] = [];
  const pattern = new RegExp(`${anySpecial.source}|[${opening}${closing}]`, 'g');
  const mark = (found: string) => {
    // Signs that JSON escapes must stay for the template to escape: hiding what stands before them is enough.
    const [hidden = ''] = /^[^"\\\p{Cc}]*/u.exec(found) ?? [];
    return hidden === '' ? found : `${opening}q${quoted.push(hidden) - 1}${closing}${found.slice(hidden.length)}`;
  };
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(pattern, mark);
    if (Array.isArray(value)) return value.map(hide);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key.replace(pattern, mark), hide(entry)]));
  };
  return { quoted, pattern, mark, hide };
}

/** `schemas` is what the system text says of the tools, where the template does not. */
export function chatMessages(
  messages: readonly Message[],
  plan: Plan,
  schemas: string,
  quotes: Quotes,
): readonly ChatMessage[] {
  const chat = messages.map((message, i) => chatMessage(message, i, plan, quotes));
  const [system, ...rest] = chat;
  const headed =
    system === undefined || schemas === ''
      ? chat
      : [{ ...system, content: `${system.content}\n\n${schemas}` }, ...rest];
  const joined = plan.results === 'user' ? joinUsers(headed) : headed;
  return plan.system === 'merged' ? mergeSystem(joined) : joined;
}

function chatMessage(message: Message, index: number, plan: Plan, { hide }: Quotes): ChatMessage {
  const content = `${opening}${index}${closing}`;
  const { role, call } = message;
  if (call !== undefined && plan.results === 'user') {
    return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` };
  }
  if (call !== undefined) return { role, content, tool_call_id: shortId(call.id), name: hide(call.tool) };
  const calls = structuredCalls(message, plan);
  if (calls.length === 0) return { role, content };
  const tool_calls = calls.map((one, i) => {
    const name = /^[\w.-]+$/.test(one.name) ? one.name : 'tool';
    return structuredCall(name, shortId(one.id), `${i === 0 ? 'c' : 'e'}${index}`, plan);
  });
  return { role, content: '', tool_calls };
}

/** The calls of a message that the template gets to see. What it makes of them is replaced. */
export function structuredCalls(message: Message | undefined, plan: Plan): readonly ToolCall[] {
  const calls = message?.segments.flatMap((segment) => segment.calls ?? []) ?? [];
  return plan.calls === 'text' ? [] : plan.calls === 'first' ? calls.slice(0, 1) : calls;
}

/** Its argument's name is a placeholder: `c` in the first call of a message, `e` in those after it. */
export function structuredCall(name: unknown, id: string, mark: string, plan: Pick<Plan, 'arguments'>) {
  const values = { [`${opening}${mark}${closing}`]: 'x' };
  const text = JSON.stringify(values).replace('":"', '": "');
  return { id, type: 'function', function: { name, arguments: plan.arguments === 'string' ? text : values } };
}

/** Tool results as user messages must not stand next to each other, nor next to the user's own. */
function joinUsers(chat: readonly ChatMessage[]): readonly ChatMessage[] {
  const joined: ChatMessage[] = [];
  for (const message of chat) {
    const last = joined.at(-1);
    if (last?.role === 'user' && message.role === 'user') {
      joined[joined.length - 1] = { ...last, content: `${last.content}\n${message.content}` };
    } else joined.push(message);
  }
  return joined;
}

function mergeSystem([system, first, ...rest]: readonly ChatMessage[]): readonly ChatMessage[] {
  if (system === undefined || first === undefined) return system === undefined ? [] : [{ ...system, role: 'user' }];
  return [{ ...first, content: `${system.content}\n\n${first.content}` }, ...rest];
}
