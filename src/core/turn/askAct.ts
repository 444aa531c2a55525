// Asks the model what a message wants: one token, under a grammar, or two in two orders, behind the message as it stands in the slot. The question is erased
// with the next prompt, so a turn pays for its tokens and no others.

import type { Act } from '../agent/intent.ts';
import type { Signal } from '../dialog/tool.ts';
import type { CacheReuse, Generation, Model } from '../model/model.ts';
import type { Prompt, Segment } from '../prompt/prompt.ts';

/** Chosen with a model of 1.5 billion parameters: letters for sentences did better than words, and than examples. */
const options: readonly (readonly [act: Act, words: string])[] = [
  ['answer', 'an answer in words'],
  ['change', 'a change of existing code'],
  ['run', 'to run a command, such as the tests'],
  ['make', 'a new file'],
];

/** The act of the mode. */
const usual: Act = 'change';

const letterOf = (at: number) => 'ABCD'[at] ?? '';

export interface AskedAct {
  /** The choice; null where the model was stopped before it. */
  readonly act: Act | null;
  /** The calls that were made, in their order: a second one only where the first departs from what the mode does. */
  readonly generations: readonly Generation[];
}

/**
 * `prompt` ends with the message, in a mode that changes files. Small models favour a letter whatever it stands for, so another act than the
 * mode's counts only where the model chooses it in both orders (Zheng and others 2024, arXiv 2309.03882). Rejects with a FaultError where the
 * engine fails.
 */
export async function askAct(model: Model, prompt: Prompt, reuse: CacheReuse, signal: Signal): Promise<AskedAct> {
  const first = await chosenOf(options, model, prompt, reuse, signal);
  if (first.act === null || first.act === usual) return { act: first.act, generations: [first.generation] };
  const second = await chosenOf(options.toReversed(), model, prompt, reuse, signal);
  const act = second.act === null ? null : second.act === first.act ? first.act : usual;
  return { act, generations: [first.generation, second.generation] };
}

async function chosenOf(some: typeof options, model: Model, prompt: Prompt, reuse: CacheReuse, signal: Signal) {
  const grammar = `root ::= ${some.map((_, at) => JSON.stringify(letterOf(at))).join(' | ')}`;
  const lines = some.map(([, words], at) => `${letterOf(at)}: ${words}`);
  const question = ['\n\nWhat does this message ask for? Answer with one letter.', ...lines].join('\n');
  const request = { prompt: withQuestion(prompt, question), maxTokens: 1, toolCalls: 'none', reuse, grammar } as const;
  const generation = await model.generate(request, () => undefined, signal);
  const [act = null] = some.find((_, at) => letterOf(at) === generation.raw.trim()) ?? [];
  return { act, generation };
}

/** A part of no message: where it goes, nothing of the conversation broke. */
function withQuestion(prompt: Prompt, text: string): Prompt {
  const segment: Segment = { layer: 'directive', item: null, part: 'text', text };
  const last = prompt.messages.findLastIndex(({ role }) => role === 'user');
  const messages = prompt.messages.map((message, at) =>
    at === last ? { ...message, segments: [...message.segments, segment] } : message,
  );
  return { ...prompt, messages };
}
