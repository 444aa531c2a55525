// The three traces of the benchmark: chat, tool-heavy, long results. Results grow with the window, so that each is as full.

import { budgetFor, defaultPolicy } from '../../src/core/prompt/budget.ts';
import { readTrace, type Trace } from '../cli/trace/trace.ts';
import { createSpeech, createTrace, lookUp, system, toolList } from './traces.ts';

export const kinds = ['chat', 'tool-heavy', 'long results'] as const;
export type Kind = (typeof kinds)[number];

export function createKind(kind: Kind, window: number, turns: number): Trace {
  const { high } = budgetFor(window, defaultPolicy);
  return readTrace(JSON.stringify(generate(kind, high / 7168, turns)));
}

function generate(kind: Kind, share: number, turns: number): object {
  switch (kind) {
    case 'chat':
      return createChat(turns);
    case 'tool-heavy':
      return createTrace({ turns, callsPerTurn: 3, resultLines: Math.round(25 * share), seed: 7 });
    case 'long results':
      return createLong(turns, Math.floor(longest * share));
    default:
      return kind satisfies never;
  }
}

/** Messages and answers of about 60 to 400 tokens: a word of these is about one. */
function createChat(turns: number): object {
  const { next, sentence } = createSpeech(11);
  const words = () => `${sentence(Math.round(58 + next() * 335))}.`;
  const messages: object[] = [{ role: 'system', content: 'You are a coding assistant. Answer briefly.' }];
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: 'user', content: words() }, { role: 'assistant', content: words() });
  }
  return { messages };
}

/** Lines that take not quite 30 % of a window of 8,192 less the reserve: more would be cut to that, ours only. */
const longest = 74;

/** Makes a trace of one or two calls a turn, whose results have from half of `most` lines to all of them. */
function createLong(turns: number, most: number): object {
  const { next, pick, name, sentence, lines } = createSpeech(5);
  const messages: object[] = [{ role: 'system', content: system }];
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: 'user', content: `What does ${name()} do with the ${sentence(8)}?` });
    const calls = next() < 0.5 ? 1 : 2;
    const result = () => lines(Math.ceil(most * (0.5 + next() / 2)));
    for (let call = 0; call < calls; call++) messages.push(...lookUp(`call_${turn}_${call}`, name(), result));
    messages.push({ role: 'assistant', content: `It ends in src/${pick()}/${pick()}.ts: ${sentence(60)}.` });
  }
  return { messages, tools: toolList };
}
