// The calls of a trace as other clients of llama-server make them, the oldest turns dropped and the prompt as text, and what the server decodes for them.

import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import type { Message, Prompt } from '../../../src/core/prompt/prompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { openEngine } from '../../cli/engine.ts';
import { createNewTokens } from '../../cli/trace/newTokens.ts';
import type { RecordedStep, Trace } from '../../cli/trace/trace.ts';
import { walk } from '../rivals.ts';
import { startServer } from './startServer.ts';

/** A prompt as text, and what the recorded assistant then says, in tokens. */
export interface ServerCall {
  readonly prompt: string;
  readonly promptTokens: number;
  readonly newTokens: number;
  readonly answerTokens: number;
}

export async function callsOf(
  model: string,
  window: number,
  trace: Trace,
  target: number,
): Promise<readonly ServerCall[]> {
  const { client } = await openEngine(model, window, 1);
  const { high } = budgetFor(window, defaultPolicy);
  const newTokens = createNewTokens();
  const calls: ServerCall[] = [];
  const tokensOf = async ({ text, calls }: RecordedStep) => {
    const user = { layer: 'turn', item: 'user', part: 'text', text: 'x' } as const;
    const said = { layer: 'turn', item: 'said', part: 'text', text, calls } as const;
    const messages = [
      { role: 'user', segments: [user] },
      { role: 'assistant', segments: [said] },
    ] as const;
    return (await client.request('measure', { prompt: { messages, tools: [] } })).segments.at(-1) ?? 0;
  };
  const measure = (prompt: Prompt) => client.request('measure', { prompt });
  try {
    await walk(trace, high, target, measure, async ({ prompt, measure, answer }) => {
      calls.push({
        prompt: await client.request('spell', { prompt }),
        promptTokens: measure.total,
        newTokens: newTokens({ prompt: spoken(prompt), measure } as Fitted),
        answerTokens: await tokensOf(answer),
      });
      return null;
    });
  } finally {
    await client.dispose();
  }
  return calls;
}

/** For the counter: an assistant's message was generated, so it is not new. */
function spoken(prompt: Prompt): Prompt {
  const messages = prompt.messages.map((message): Message => {
    if (message.role !== 'assistant') return message;
    return { ...message, segments: message.segments.map((one) => ({ ...one, generated: { model: '', ids: [] } })) };
  });
  return { ...prompt, messages };
}

/** Tokens the server decoded, less those that it would have generated itself. */
export async function playOnServer(program: string, args: readonly string[], calls: readonly ServerCall[]) {
  const server = await startServer(program, args);
  try {
    let [decoded, owed] = [0, 0];
    for (const { prompt, answerTokens } of calls) {
      const body = { prompt, n_predict: 1, temperature: 0, cache_prompt: true };
      const answer = await fetch(`${server.url}/completion`, { method: 'POST', body: JSON.stringify(body) });
      const { timings } = (await answer.json()) as { readonly timings: { readonly prompt_n: number } };
      decoded += timings.prompt_n - owed;
      owed = Math.max(0, answerTokens - 1);
    }
    return decoded;
  } finally {
    await server.stop();
  }
}
