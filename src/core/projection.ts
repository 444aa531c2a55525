// The projection: dialog + pinned head + what was let go -> the ordered messages of the prompt. Pure, no token counts.
import { type Item, turnsOf } from './dialog.ts';
import type { Held } from './held.ts';
import type { Layer, Message, Prompt, Segment } from './prompt.ts';
import type { ToolSchema } from './tool.ts';

/** The pinned head of the context stack, byte-stable within a session. */
export interface Stack {
  readonly system: string;
  /** Sorted by name. */
  readonly tools: readonly ToolSchema[];
}

export function project(stack: Stack, path: readonly Item[], held: Held): Prompt {
  const messages: Message[] = [
    { role: 'system', segments: [{ layer: 'system', item: null, part: 'text', text: stack.system }] },
  ];
  const current = turnsOf(path, held.trimmedTo).at(-1)?.start ?? path.length;
  for (let i = held.trimmedTo; i < path.length; i++) {
    const item = path[i];
    if (item !== undefined) place(messages, item, i < current, held);
  }
  return { messages, tools: stack.tools };
}

function place(messages: Message[], item: Item, earlier: boolean, held: Held): void {
  const segment = (layer: Layer, part: Segment['part'], text: string): Segment => ({
    layer: earlier ? 'history' : layer,
    item: item.id,
    part,
    text,
  });
  switch (item.origin) {
    case 'user':
      messages.push({ role: 'user', segments: [segment('turn', 'text', item.text)] });
      return;
    case 'assistant':
    case 'call': {
      const text = segment(item.origin === 'call' ? 'steps' : 'turn', 'text', item.text);
      const calls = item.origin === 'call' ? { calls: item.calls } : {};
      const generated = item.generated === undefined ? {} : { generated: item.generated };
      messages.push({ role: 'assistant', segments: [{ ...text, ...calls, ...generated }] });
      return;
    }
    case 'result': {
      const body = held.capped.get(item.id)?.text ?? item.body;
      const stub = segment('steps', 'stub', item.head);
      const whole = held.cleared.has(item.id) || body === '' ? [] : [segment('steps', 'body', `\n${body}`)];
      messages.push({ role: 'tool', call: { id: item.call, tool: item.tool }, segments: [stub, ...whole] });
      return;
    }
    case 'note': {
      const last = messages.at(-1);
      if (held.cleared.has(item.id) || last === undefined) return;
      const note = segment('directive', 'text', `\n\n${item.text}`);
      messages[messages.length - 1] = { ...last, segments: [...last.segments, note] };
      return;
    }
    default:
      item satisfies never;
  }
}
