// Asks the model what a message wants: one token, under a grammar, or two in two orders, behind the message as it stands in the slot. The question is erased
// with the next prompt, so a turn pays for its tokens and no others.

import type { Act, Intent } from '../agent/intent.ts';
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

/** Asked besides where a command is known that the message wants. */
const ends: typeof options = [
  ['run', 'only to see what it says'],
  ['fix', 'to fix the code that fails, too'],
];

/** Characters of the message that the question repeats: its beginning and its end. */
const repeated = 600;

const letterOf = (at: number) => 'ABCD'[at] ?? '';

export interface AskedAct {
  /** The choice; null where the model was stopped before it. */
  readonly act: Act | null;
  /** The calls that were made, in their order: a second one only where the first chose neither a change nor what is usual. */
  readonly generations: readonly Generation[];
}

/**
 * `prompt` ends with the message, whose `words` the question repeats: behind 800 tokens of passages the 1.5B read 13 of 25 questions rightly without
 * them, 23 with them. Small models favour the first letter whatever it stands for (Zheng and others 2024, arXiv 2309.03882), so what is not usual is
 * wanted only where the model chooses it in both orders. A change is usual where the mode changes files and the words name one: 26 of 30 orders
 * about a line of a file are then carried out by the 1.5B (17 where an answer is usual), and 71 of 98 messages in ten languages are read rightly (73; 66
 * where a file that is only pointed at counts as well). A name that no file has is that of a new file where either order says so. Rejects with
 * a FaultError where the engine fails. A command that is wanted is to be fixed where the model says so in both orders.
 */
export async function askAct(
  model: Model,
  { prompt, words, intent }: { readonly prompt: Prompt; readonly words: string; readonly intent: Intent },
  reuse: CacheReuse,
  signal: Signal,
): Promise<AskedAct> {
  const ask = (some: typeof options) =>
    chosenOf(some, model, withQuestion(prompt, questionOf(words, some)), reuse, signal);
  const usual = intent.act === 'change' && intent.namesFile ? 'change' : 'answer';
  const open = options.filter(([act]) => act !== 'run' || intent.mayRun);
  const first = await ask(open);
  const isName = intent.act === 'make';
  if (first.act === null || (isName ? first.act === 'make' : first.act === 'change' || first.act === usual))
    return { act: first.act, generations: [first.generation] };
  const second = await ask(open.toReversed());
  const isBoth = second.act === null || second.act === first.act;
  const act = isBoth || (isName && second.act === 'make') ? second.act : usual;
  const asked = [first.generation, second.generation];
  if (act !== 'run' || intent.command === '') return { act, generations: asked };
  for (const some of [ends, ends.toReversed()]) {
    const wanted = await ask(some);
    asked.push(wanted.generation);
    if (wanted.act !== 'fix') return { act: 'run', generations: asked };
  }
  return { act: 'fix', generations: asked };
}

function questionOf(words: string, some: typeof options): string {
  const message =
    words.length <= repeated ? words : `${words.slice(0, repeated / 2)} ... ${words.slice(-repeated / 2)}`;
  const lines = some.map(([, option], at) => `${letterOf(at)}: ${option}`);
  return [`\n\nWhat does this message ask for: "${message}"? Answer with one letter.`, ...lines].join('\n');
}

async function chosenOf(some: typeof options, model: Model, prompt: Prompt, reuse: CacheReuse, signal: Signal) {
  const grammar = `root ::= ${some.map((_, at) => JSON.stringify(letterOf(at))).join(' | ')}`;
  const request = { prompt, maxTokens: 1, toolCalls: 'none', reuse, grammar } as const;
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
