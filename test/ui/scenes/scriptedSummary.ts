// The scripted engine's choice for a summary: all sentences that it is shown, and a line.
import type { Prompt } from '../../../src/core/prompt/prompt.ts';

/** Answers the prompt's last message, which lists sentences as lines with a number. */
export function scriptedSummary({ messages }: Prompt): string {
  const asked = messages.at(-1)?.segments[0]?.text ?? '';
  const numbers = [...asked.matchAll(/^(\d+) \S/gm)].map(([, number]) => Number(number));
  return JSON.stringify({ keep: numbers.toReversed(), done: 'The questions were answered.' });
}
