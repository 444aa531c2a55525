// Finds out what a model can do by small questions with known answers, each a generation of its own, so that any message may
// come between two of them.

import { readThoughts } from '../answer/readThoughts.ts';
import type { ThoughtMarks } from '../answer/thoughts.ts';
import { dressedIn } from '../calls/dressed.ts';
import { readGeneration } from '../calls/read.ts';
import type { ReadCall } from '../calls/readCall.ts';
import type { CallSyntax } from '../calls/syntax.ts';
import type { ToolSchema } from '../dialog/tool.ts';
import type { Attempt } from '../engine/attempt.ts';
import type { Generation, ToolCallMode } from '../model/model.ts';
import { thinkingIn } from '../model/thoughts.ts';
import type { Calling, ModelAbilities } from './abilities.ts';

/** Generates without any randomness. Rejects when it is interrupted. */
export type Attempting = (attempt: Attempt) => Promise<Generation>;

const text = (description: string) => ({ type: 'string', description }) as const;
const tools: readonly ToolSchema[] = [
  {
    name: 'find_symbol',
    description: 'Find where a name is declared.',
    parameters: { type: 'object', properties: { name: text('The name.') }, required: ['name'] },
  },
  {
    name: 'read_file',
    description: 'Read a file.',
    parameters: { type: 'object', properties: { path: text('Its path.') }, required: ['path'] },
  },
];

/** Questions that only a tool can answer: the tool, and what its argument must hold. */
const needed = [
  { words: 'What does the file src/queue.ts export?', tool: 'read_file', argument: 'queue.ts' },
  { words: 'Where is the function parseDate declared?', tool: 'find_symbol', argument: 'parseDate' },
] as const;
/** A question that needs no tool. */
const known = {
  words: 'src/limits.ts:3-3\nexport const maxRetries = 7;\n\nAt most how many retries are made?',
  answer: /\b(?:7|seven)\b/i,
};

/** No words: a call of some tool that there is not. */
const isData = /^\s*(?:```\w*\s*)?[[{]/;

/** Tokens that a call takes, and a short answer. */
const callTokens = 48;
const answerTokens = 64;
/** And thoughts, where it thinks aloud. */
const thoughtTokens = 400;

/** `marks`: those of the thoughts of the model's template. */
export async function probe(
  ask: Attempting,
  syntax: CallSyntax | null,
  marks: readonly ThoughtMarks[] = [],
): Promise<ModelAbilities> {
  const first = await ask(attemptOf(known.words, 'auto', answerTokens, syntax));
  const thinks = thinkingIn(first.raw, syntax?.channels, marks)?.open ?? '';
  // Thoughts come before the answer, so they get tokens of their own.
  const more = thinks === '' ? 0 : thoughtTokens;
  const isCut = more > 0 && first.stop === 'length';
  const last = isCut ? await ask(attemptOf(known.words, 'auto', answerTokens + more, syntax)) : first;
  const spoken = readGeneration(syntax, last.raw, true, syntax === null ? [] : tools, marks);
  const { calls, wrote, all } = await callingOf(ask, syntax, more, marks);
  const told = [last, ...all];
  return {
    calls,
    wrote,
    answers: spoken.calls.length === 0 && !isData.test(spoken.text) && known.answer.test(spoken.text),
    ends: last.stop === 'end',
    thinks,
    reading: rate(told, ({ prefill }) => [prefill.decoded, prefill.milliseconds]),
    writing: rate(told, ({ generated, generateMilliseconds }) => [generated.ids.length, generateMilliseconds]),
    ...(told.some(({ busy }) => busy) && { busy: true }),
  };
}

function attemptOf(words: string, toolCalls: ToolCallMode, maxTokens: number, syntax: CallSyntax | null): Attempt {
  const segment = (layer: 'system' | 'turn', said: string) =>
    ({ layer, item: null, part: 'text', text: said }) as const;
  const messages = [
    { role: 'system', segments: [segment('system', 'Use a tool where you need one.')] },
    { role: 'user', segments: [segment('turn', words)] },
  ] as const;
  return { prompt: { messages, tools: syntax === null ? [] : tools }, toolCalls, maxTokens };
}

interface Called extends Pick<ModelAbilities, 'calls' | 'wrote'> {
  readonly all: readonly Generation[];
}

/** Both questions must be answered by the right call: one alone may be luck. */
async function callingOf(
  ask: Attempting,
  syntax: CallSyntax | null,
  more: number,
  marks: readonly ThoughtMarks[],
): Promise<Called> {
  if (syntax === null) return { calls: 'none', wrote: '', all: [] };
  const all: Generation[] = [];
  const seen: Calling[] = [];
  for (const question of needed) {
    const free = await ask(attemptOf(question.words, 'auto', callTokens + more, syntax));
    all.push(free);
    seen.push(howCalled(free.raw, question, syntax, marks));
  }
  const wrote = (all.find(({ raw }, at) => seen[at] !== 'none' && raw !== '')?.raw ?? '').slice(0, 120);
  if (seen.every((how) => how === 'marks')) return { calls: 'marks', wrote, all };
  if (seen.every((how) => how !== 'none')) return { calls: 'dressed', wrote, all };
  for (const question of needed) {
    const forced = await ask(attemptOf(question.words, 'choice', callTokens, syntax));
    all.push(forced);
    if (!isRight(readGeneration(syntax, forced.raw, true).calls, question)) return { calls: 'none', wrote, all };
  }
  return { calls: 'forced', wrote, all };
}

type Question = (typeof needed)[number];

function howCalled(raw: string, question: Question, syntax: CallSyntax, marks: readonly ThoughtMarks[]): Calling {
  if (isRight(readGeneration(syntax, raw, true, [], marks).calls, question)) return 'marks';
  const said = syntax.channels ? raw : readThoughts(raw, marks, true).answer;
  return isRight(dressedIn(said, tools)?.calls ?? [], question) ? 'dressed' : 'none';
}

function isRight(calls: readonly ReadCall[], { tool, argument }: Question): boolean {
  const [first] = calls;
  if (first === undefined || first.problem !== undefined || first.name !== tool) return false;
  return Object.values(first.arguments).some((value) => String(value).includes(argument));
}

function rate(all: readonly Generation[], of: (one: Generation) => readonly [number, number]): number {
  const parts = all.map(of);
  const tokens = parts.reduce((sum, [some]) => sum + some, 0);
  const milliseconds = parts.reduce((sum, [, some]) => sum + some, 0);
  return milliseconds === 0 ? 0 : (tokens * 1000) / milliseconds;
}
