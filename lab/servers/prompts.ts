// Prompts of plain messages, in one line each.
import type { Generated } from '../../src/core/dialog/dialog.ts';
import type { Message, Prompt } from '../../src/core/prompt/prompt.ts';

export function message(role: Message['role'], text: string, generated?: Generated): Message {
  const own = generated === undefined ? {} : { generated };
  const call = role === 'tool' ? { call: { id: 'call00001', tool: 'probe' } } : {};
  return { role, segments: [{ layer: 'history', item: 'i', part: 'text', text, ...own }], ...call };
}

export function chat(...messages: readonly Message[]): Prompt {
  return { messages: [message('system', 'Be brief.'), ...messages], tools: [] };
}

export function words(count: number, seed = 1): string {
  const list = 'tide harbour moon station level gauge current datum height forecast basin channel'.split(' ');
  return Array.from({ length: count }, (_, i) => list[(i * i + i * seed + seed) % list.length]).join(' ');
}
