// Renders a prompt with the GGUF's own chat template. Contents are placeholders, so the output splits into glue and segments.
import { Template } from '@huggingface/jinja';
import { FaultError } from '../../core/faults.ts';
import type { Message, Prompt } from '../../core/prompt.ts';
import type { ToolSchema } from '../../core/tool.ts';

/** A stretch of rendered prompt: template glue, or the segment with this flat index. */
export type Stretch = { readonly glue: string } | { readonly segment: number };

export interface ChatTemplate {
  /** `generate` ends with the assistant's opening. Throws `templateUnusable` when a message vanishes or moves. */
  render(prompt: Prompt, generate: boolean): readonly Stretch[];
}

export interface SpecialTexts {
  readonly bos: string;
  readonly eos: string;
}

const opening = '\uE000';
const closing = '\uE001';

export function createTemplate(source: string, special: SpecialTexts): ChatTemplate {
  // A template that prints the time would change the head of every prompt: it gets the moment of loading instead.
  const template = new Template(source.replaceAll('strftime_now(', 'time_of_loading('));
  const loaded = new Date();
  return {
    render: ({ messages, tools }, generate) => {
      const values = {
        messages: messages.map((message, i) => chatMessage(message, `${opening}${i}${closing}`)),
        ...(tools.length > 0 ? { tools: tools.map(openAiTool) } : {}),
        add_generation_prompt: generate,
        bos_token: special.bos,
        eos_token: special.eos,
        time_of_loading: (format: string) => formatDate(loaded, format),
      };
      return split(renderOrFault(template, values), messages);
    },
  };
}

function renderOrFault(template: Template, values: Record<string, unknown>): string {
  try {
    return template.render(values);
  } catch (error) {
    throw new FaultError({ kind: 'templateUnusable', reason: error instanceof Error ? error.message : String(error) });
  }
}

function chatMessage(message: Message, content: string): Record<string, unknown> {
  return message.call === undefined
    ? { role: message.role, content }
    : { role: message.role, content, tool_call_id: message.call.id, name: message.call.tool };
}

function openAiTool(tool: ToolSchema): Record<string, unknown> {
  return { type: 'function', function: tool };
}

function split(rendered: string, messages: readonly Message[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let next = 0;
  let segment = 0;
  for (const piece of rendered.split(new RegExp(`(${opening}\\d+${closing})`))) {
    if (!piece.startsWith(opening)) {
      if (piece !== '') stretches.push({ glue: piece });
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
