// A prompt as the messages and tools of the chat completions API.
import type { Message, Prompt } from '../../../core/prompt/prompt.ts';

export function wireMessages({ messages }: Prompt): readonly object[] {
  return messages.map(wireMessage);
}

function wireMessage({ role, segments, call }: Message): object {
  const content = segments.map(({ text }) => text).join('');
  if (role === 'tool') return { role, content, tool_call_id: call?.id ?? '' };
  if (role !== 'assistant') return { role, content };
  const calls = segments.flatMap((segment) => segment.calls ?? []);
  if (calls.length === 0) return { role, content };
  const tool_calls = calls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }));
  return { role, content, tool_calls };
}

/** Left out where there are none: some servers refuse an empty list. */
export function wireTools({ tools }: Prompt): object {
  return tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) };
}
