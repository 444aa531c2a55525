// Words that code probably has where a question has others. A model names them from what it knows, so what they find is searched for beside
// what the question's own words find: it knows `rollback` where a user says that he did not finish.
import type { Prompt } from '../prompt/prompt.ts';

/** Tokens that it may write. */
export const mostWordTokens = 40;
const most = 8;

/** The prompt that asks for them, behind all that the next message will have in front of it. */
export function askForWords(prompt: Prompt, message: string): Prompt {
  const text = `A developer asks about the source code of this workspace: "${message}"
Write eight words that the code which answers it probably contains: names of functions, options, errors. Only the words, separated by spaces.`;
  const { tools, messages, thinking } = prompt;
  const last = messages.at(-1);
  const segments =
    last?.segments.map((one, at) => (at === last.segments.length - 1 ? { ...one, item: null, text } : one)) ?? [];
  const asked = [...messages.slice(0, -1), { role: 'user' as const, segments }];
  return thinking === undefined ? { tools, messages: asked } : { tools, messages: asked, thinking: 'off' };
}

/** The words of its answer, each once; '' where it wrote sentences. */
export function searchWords(answer: string): string {
  const words = answer.split(/[^\p{L}\p{N}_$]+/u).filter((word) => word.length > 2 && !/^\d+$/.test(word));
  const isProse = /\p{L}[.!?]\s+\p{Lu}/u.test(answer) || /^\s*(?:here|the|sure|to)\b/i.test(answer);
  return isProse ? '' : [...new Set(words)].slice(0, most).join(' ');
}
