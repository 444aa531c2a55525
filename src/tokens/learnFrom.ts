// Gives the counter the exact counts of a measured prompt.
import type { Measure, Prompt } from '../core/prompt/prompt.ts';
import type { CascadeCounter } from './counter.ts';

/** Texts that stood in a prompt as they are need not be counted again. */
export function learnFrom(counter: CascadeCounter, fingerprint: string, prompt: Prompt, measure: Measure): void {
  const plain = prompt.messages.flatMap(({ role, segments }) =>
    segments.map(({ text }) => ({ text, counts: role === 'user' || role === 'system' })),
  );
  const known = plain.flatMap(({ text, counts }, i) => (counts ? [{ text, tokens: measure.segments[i] ?? 0 }] : []));
  counter.learn(
    fingerprint,
    known.map(({ text }) => text),
    known.map(({ tokens }) => tokens),
  );
}
