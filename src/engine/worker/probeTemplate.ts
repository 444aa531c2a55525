// Finds out at load what a chat template can do: how it takes a plain chat, and whether it carries tool calls we can read.
import { FaultError, reasonOf } from '../../core/faults.ts';
import type { Message, Prompt } from '../../core/prompt.ts';
import { callOpen } from '../../core/toolFormat.ts';
import type { ModelInfo } from '../../protocol/engine.ts';
import { type ChatTemplate, createTemplate, type Shape, type SpecialTexts } from './template.ts';

export interface ProbedTemplate {
  readonly template: ChatTemplate;
  readonly toolCalls: ModelInfo['toolCalls'];
}

/** In the order they are tried: the first that renders a plain chat is used. */
const shapes: readonly Shape[] = [
  { system: 'own', noTools: 'absent' },
  { system: 'own', noTools: 'empty' },
  { system: 'merged', noTools: 'absent' },
  { system: 'merged', noTools: 'empty' },
];

/** Throws `templateUnusable` with the first shape's reason when the template renders a plain chat in none. */
export function probeTemplate(source: string | undefined, special: SpecialTexts): ProbedTemplate {
  if (source === undefined) throw new FaultError({ kind: 'templateUnusable', reason: 'the file has none' });
  const refusals: unknown[] = [];
  for (const shape of shapes) {
    const template = createTemplate(source, special, shape);
    try {
      template.render(plainChat, true);
      return { template, toolCalls: probeToolCalls(template, source) };
    } catch (error) {
      refusals.push(error);
    }
  }
  throw refusals[0];
}

function probeToolCalls(template: ChatTemplate, source: string): ModelInfo['toolCalls'] {
  if (!source.includes(callOpen)) return { format: 'none', reason: `its chat template does not know ${callOpen}` };
  try {
    template.render(toolChat, true);
    return { format: 'hermes' };
  } catch (error) {
    return { format: 'none', reason: reasonOf(error) };
  }
}

function message(role: Message['role']): Message {
  const segments = [{ layer: 'history', item: role, part: 'text', text: role }] as const;
  return { role, segments, ...(role === 'tool' ? { call: { id: 'call00001', tool: 'probe' } } : {}) };
}

const plainChat: Prompt = { messages: (['system', 'user', 'assistant', 'user'] as const).map(message), tools: [] };

const toolChat: Prompt = {
  messages: (['system', 'user', 'assistant', 'tool'] as const).map(message),
  tools: [{ name: 'probe', description: 'Probe.', parameters: { type: 'object', properties: {}, required: [] } }],
};
