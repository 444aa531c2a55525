// `npm run bench -- server [--json]`: the same traces through llama-server, built from the same sources, as other clients use it:
// the oldest turns dropped, cache_prompt on, without and with --cache-reuse 256. Counts by the server's own `timings.prompt_n`.
import { parseArgs } from 'node:util';
import { openEngine } from '../../../src/cli/engine.ts';
import { createNewTokens } from '../../../src/cli/newTokens.ts';
import type { RecordedStep, Trace } from '../../../src/cli/trace.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import type { Message, Prompt } from '../../../src/core/prompt/prompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { benchModel } from '../../models/scenes/half.ts';
import { createKind, kinds } from '../kinds.ts';
import { machine } from '../machine.ts';
import { sum } from '../result.ts';
import { walk } from '../rivals.ts';
import { buildServer } from './buildServer.ts';
import { startServer } from './startServer.ts';

/** A prompt as text, and what the recorded assistant then says, in tokens. */
interface Call {
  readonly prompt: string;
  readonly promptTokens: number;
  readonly newTokens: number;
  readonly answerTokens: number;
}

const cuts = { 'exact-limit trimming': 1, 'hysteresis to 75 %': 0.75 } as const;
const modes = { cache_prompt: [], 'cache_prompt, --cache-reuse 256': ['--cache-reuse', '256'] } as const;

async function callsOf(model: string, window: number, trace: Trace, target: number): Promise<readonly Call[]> {
  const { client } = await openEngine(model, window, 1);
  const { high } = budgetFor(window, defaultPolicy);
  const newTokens = createNewTokens();
  const calls: Call[] = [];
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
async function play(program: string, args: readonly string[], calls: readonly Call[]) {
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

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    trace: { type: 'string', multiple: true },
    window: { type: 'string', multiple: true },
    turns: { type: 'string', default: '50' },
  },
});
const { server: program } = buildServer();
const model = benchModel('small');
const print = (line: string) => process.stdout.write(`${line}\n`);
const results: object[] = [];
const where = await machine(model, 'small');
if (!values.json) {
  print(`${where.cpu}, ${where.cores} cores; ${where.model}; llama-server of node-llama-cpp ${where.library}\n`);
  print('| trace | window | policy | server | decoded / new |\n|---|---|---|---|---|');
}
for (const kind of kinds.filter((kind) => values.trace?.includes(kind) ?? true)) {
  for (const window of (values.window ?? ['8192', '4096']).map(Number)) {
    for (const [policy, target] of Object.entries(cuts)) {
      const calls = await callsOf(model, window, createKind(kind, window, Number(values.turns)), target);
      const newTokens = sum(calls, (call) => call.newTokens);
      for (const [mode, more] of Object.entries(modes)) {
        const args = ['-m', model, '-c', String(window), '-np', '1', '-t', '1', ...more];
        const decoded = await play(program, args, calls);
        results.push({ trace: kind, window, policy, mode, calls: calls.length, newTokens, decoded });
        process.stderr.write(`${kind}, ${window}, ${policy}, ${mode}\n`);
        if (!values.json) print(`| ${kind} | ${window} | ${policy} | ${mode} | ${(decoded / newTokens).toFixed(3)} |`);
      }
    }
  }
}
if (values.json) print(JSON.stringify({ ...where, turns: Number(values.turns), results }, null, 1));
else {
  print(
    '\nThe prompts are those of `npm run bench`, as text. The server generates one token per call; what the recorded assistant',
  );
  print('says is decoded with the next prompt and taken off here, because in life the server would have generated it.');
}
