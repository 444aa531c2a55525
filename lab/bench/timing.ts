// Times against raw llama.cpp, in pairs, in one process and one context: the worker's own code on one sequence, the library's bare
// calls on another at the same depth. What goes over the process boundary is not in it.

import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { graphs } from '../../src/core/agent/graph.ts';
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import type { Fitted } from '../../src/core/pruning/fitted.ts';
import { generate } from '../../src/engine/worker/draw/generate.ts';
import { asTokens } from '../../src/engine/worker/slot/vocabulary.ts';
import type { GenerateParams, LoadParams } from '../../src/protocol/engine.ts';
import { replayTrace } from '../cli/replayTrace.ts';
import { createNewTokens } from '../cli/trace/newTokens.ts';
import { createKind } from './kinds.ts';
import { type LocalEngine, openLocal } from './localEngine.ts';

/** Milliseconds to the first token, or tokens in a second. */
export interface Pair {
  readonly ours: number;
  readonly raw: number;
  /** Tokens decoded before the first one came. */
  readonly tokens: number;
  /** The call that answers the user's message, for which idle work can have prepared. */
  readonly first: boolean;
}

export interface Times {
  readonly withIdle: readonly Pair[];
  readonly without: readonly Pair[];
  readonly generation: readonly Pair[];
}

const window = 4096;
const turns = 12;
/** The window is full from here on. */
const firstTimed = 4;
/** Tokens that the worker decodes at a time. Like the worker, this decodes the last token by itself. */
const chunk = 256;

export async function timeAll(modelPath: string): Promise<Times> {
  const params: LoadParams = { modelPath, contextSize: window, gpu: 'auto', gpuLayers: null, threads: null, slots: 2 };
  const say = (what: string) => process.stderr.write(`timing: ${what}\n`);
  say('first tokens with idle time');
  const withIdle = await firstTokens(params, true);
  say('first tokens without idle time');
  const without = await firstTokens(params, false);
  say('generation');
  return { withIdle, without, generation: await generation(params) };
}

async function firstTokens(params: LoadParams, idle: boolean): Promise<readonly Pair[]> {
  const timer: Timer = { since: performance.now(), turn: 1, pairs: [], newTokens: createNewTokens() };
  const local = await openLocal(params, async () => {
    timer.since = performance.now();
  });
  const client = { ...local.client, model: timedModel(local, timer) };
  const how = { graph: graphs.unified, idle, compaction: 'off', reuse: 'auto' } as const;
  const trace = createKind('tool-heavy', window, turns);
  const steps = trace.turns[0]?.steps.length ?? 0;
  try {
    await replayTrace(trace, { client, info: local.engine.info } as Opened, how, ({ turn, call }) => {
      if (call === steps) timer.turn = turn + 1;
    });
  } finally {
    await local.client.dispose();
  }
  return timer.pairs;
}

interface Timer {
  /** When what came before was done: from here on somebody waits. */
  since: number;
  turn: number;
  readonly pairs: Pair[];
  readonly newTokens: ReturnType<typeof createNewTokens>;
}

type Opened = Parameters<typeof replayTrace>[1];
type Models = LocalEngine['client']['model'];

/** Times a first token that is really sampled; then the recorded assistant speaks, as in every replay. */
function timedModel(local: LocalEngine, timer: Timer): Models {
  let last = 0;
  return (slot, sampling, forced) => ({
    measure: async (prompt) => local.engine.tokeniser.prompt(prompt).measure,
    generate: async (request, onText, signal) => {
      const waited = performance.now() - timer.since;
      const { tokens, measure } = local.engine.tokeniser.prompt(request.prompt);
      const fresh = timer.newTokens({ prompt: request.prompt, measure } as Fitted);
      if (timer.turn >= firstTimed) {
        const params = { ...request, slot, sampling, maxTokens: 1 };
        const ours = async () => waited + (await sampleOne(local, params)).milliseconds;
        const raw = () => rawFirst(rawSequence(local), asTokens(tokens), fresh);
        const times = await inTurn(ours, raw, timer.pairs.length);
        timer.pairs.push({ ...times, tokens: fresh, first: timer.turn !== last });
      }
      last = timer.turn;
      const said = await local.client.model(slot, sampling, forced).generate(request, onText, signal);
      timer.since = performance.now();
      return said;
    },
  });
}

/** Which of the two goes first changes from pair to pair. */
async function inTurn(ours: () => Promise<number>, raw: () => Promise<number>, pair: number) {
  if (pair % 2 === 0) {
    const first = await ours();
    return { ours: first, raw: await raw() };
  }
  const first = await raw();
  return { ours: await ours(), raw: first };
}

/** From the prompt to the first sampled token, as the worker does it. */
async function sampleOne({ engine }: LocalEngine, params: GenerateParams) {
  const started = performance.now();
  const [slot] = engine.slots;
  if (slot === undefined) throw new Error('no slot');
  const generation = await generate({
    loaded: engine.loaded,
    slot,
    params,
    prompt: engine.tokeniser.prompt(params.prompt),
    forced: null,
    onText: () => undefined,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  // Only the time to the first token counts.
  const milliseconds = performance.now() - started - generation.generateMilliseconds;
  return { generation, milliseconds };
}

function rawSequence({ engine }: LocalEngine): LlamaContextSequence {
  const sequence = engine.slots[1]?.sequence;
  if (sequence === undefined) throw new Error('no second sequence');
  return sequence;
}

/** Only the new tokens, behind as many tokens as ours has: which they are makes no difference to the time. */
async function rawFirst(sequence: LlamaContextSequence, tokens: readonly Token[], fresh: number): Promise<number> {
  const at = tokens.length - fresh;
  await bring(sequence, tokens, at);
  const started = performance.now();
  await decode(sequence, tokens.slice(at, -1));
  for await (const _ of sequence.evaluate(tokens.slice(-1), { temperature: 0, yieldEogToken: true })) break;
  return performance.now() - started;
}

/** Until the sequence holds so many tokens. */
async function bring(sequence: LlamaContextSequence, tokens: readonly Token[], depth: number): Promise<void> {
  const cached = sequence.contextTokens;
  if (cached.length > depth) await sequence.adaptStateToTokens(cached.slice(0, depth), false);
  await decode(sequence, tokens.slice(sequence.nextTokenIndex, depth));
}

async function decode(sequence: LlamaContextSequence, tokens: readonly Token[]): Promise<void> {
  for (let at = 0; at < tokens.length; at += chunk) {
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + chunk));
  }
}

const generated = 48;
const generations = 9;

/** Tokens in a second behind the first one, with the worker's watch for tool calls on. */
async function generation(params: LoadParams): Promise<readonly Pair[]> {
  const local = await openLocal(params, async () => undefined);
  const { tools, system, turns } = createKind('tool-heavy', window, 1);
  const result = turns[0]?.steps.map(({ results }) => results.join('\n')).join('\n') ?? '';
  const text = (words: string, item: string | null) =>
    [{ layer: item === null ? 'system' : 'turn', item, part: 'text', text: words }] as const;
  const prompt: Prompt = {
    messages: [
      { role: 'system', segments: text(system, null) },
      { role: 'user', segments: text(result, 'question') },
    ],
    tools,
  };
  const common = { prompt, toolCalls: 'auto', reuse: 'auto', sampling: { temperature: 0, seed: 1 } } as const;
  const { tokens } = local.engine.tokeniser.prompt(prompt);
  const pairs: Pair[] = [];
  const ours = async () => {
    const { generation } = await sampleOne(local, { ...common, slot: 0, maxTokens: generated });
    return (1000 * (generation.generated.ids.length - 1)) / generation.generateMilliseconds;
  };
  const raw = () => rawRate(rawSequence(local), asTokens(tokens));
  await inTurn(ours, raw, 0);
  while (pairs.length < generations) {
    pairs.push({ ...(await inTurn(ours, raw, pairs.length)), tokens: tokens.length, first: false });
  }
  await local.client.dispose();
  return pairs;
}

async function rawRate(sequence: LlamaContextSequence, tokens: readonly Token[]): Promise<number> {
  await bring(sequence, tokens, tokens.length - 1);
  let [count, first] = [0, 0];
  for await (const _ of sequence.evaluate(tokens.slice(-1), { temperature: 0, yieldEogToken: true })) {
    count += 1;
    if (count === 1) first = performance.now();
    if (count === generated) break;
  }
  return (1000 * (count - 1)) / (performance.now() - first);
}
