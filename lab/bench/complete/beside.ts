// `npm run bench -- complete-beside MODEL.gguf [--rounds N]`: what inline suggestions cost a chat, and what we cost beside the library's bare calls.
// The first token of a chat whose prompt has 1,500 new tokens: in an engine that never completed, in one that did while nobody types, and while somebody
// types. Then lines at a caret, ours through the worker's process against bare calls for the same tokens, in turn.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getLlama, type Token } from 'node-llama-cpp';
import type { FillRequest } from '../../../src/core/engine/completion.ts';
import type { EngineClient } from '../../../src/engine/client.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { startEngine } from '../../cli/engine.ts';
import { chat, message, words } from '../../servers/prompts.ts';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const [model] = positionals;
if (model === undefined) {
  process.stderr.write('usage: npm run bench -- complete-beside MODEL.gguf [--rounds N]\n');
  process.exit(2);
}
const rounds = Number(values.rounds);
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const never = new AbortController().signal;

async function opened(): Promise<EngineClient> {
  const engine = startEngine();
  const load = { contextSize: 4096, gpu: 'auto', gpuLayers: null, threads: null, slots: 1 } as const;
  await engine.load({ ...load, modelPath: resolve(model ?? '') });
  return engine;
}

const source = readFileSync(join(projectRoot, 'src', 'completion', 'session.ts'), 'utf8').split('\n');
/** A caret that wanders through a line, as keys move it. */
function fillAt(line: number, column: number, maxTokens: number): FillRequest {
  const own = source[line] ?? '';
  return {
    prefix: [...source.slice(Math.max(0, line - 40), line), own.slice(0, column)].join('\n'),
    suffix: ['', ...source.slice(line + 1, line + 3)].join('\n'),
    ...{ order: 'prefix-first', maxTokens, lines: 1 },
  };
}

let seed = 1;
/** Milliseconds to the first token of an answer to a prompt that is new but for its head. */
async function firstToken(engine: EngineClient): Promise<number> {
  const prompt = chat(message('user', words(1200, seed++)));
  const request = { prompt, maxTokens: 1, toolCalls: 'none', reuse: 'exact' } as const;
  const said = await engine.model(0, { temperature: 0, seed: 1 }).generate(request, () => undefined, never);
  tokens.push(said.prefill.decoded);
  return said.firstTokenMilliseconds;
}
const tokens: number[] = [];

/** Somebody types until the signal says so: a key each 300 ms, each asks for a line. Gives the milliseconds of those that were answered. */
async function typing(engine: EngineClient, signal: AbortSignal): Promise<readonly number[]> {
  const waits: Promise<number | null>[] = [];
  for (let key = 0; !signal.aborted; key++) {
    const started = performance.now();
    const asked = engine.complete?.(fillAt(100, 4 + (key % 30), 16), () => undefined);
    if (asked === undefined) throw new Error('this model has no tokens for filling in');
    waits.push(asked.then(({ stop }) => (stop === 'cancelled' ? null : performance.now() - started)));
    await new Promise((done) => setTimeout(done, key % 5 === 4 ? 1500 : 300));
  }
  return (await Promise.all(waits)).filter((wait) => wait !== null);
}

const [bare, completes] = [await opened(), await opened()];
await completes.complete?.(fillAt(100, 4, 8), () => undefined);
const times = { bare: [] as number[], idle: [] as number[], typing: [] as number[] };
const waits: number[] = [];
for (let round = 0; round < rounds; round++) {
  const order = round % 2 === 0 ? (['bare', 'idle'] as const) : (['idle', 'bare'] as const);
  for (const which of order) times[which].push(await firstToken(which === 'bare' ? bare : completes));
  const stopping = new AbortController();
  const typed = typing(completes, stopping.signal);
  times.typing.push(await firstToken(completes));
  stopping.abort();
  waits.push(...(await typed));
}
await bare.dispose();
print(`a chat's first token behind ${Math.round(median(tokens))} new tokens, ${rounds} rounds, median`);
for (const [which, own] of Object.entries(times))
  print(`  ${which}: ${Math.round(median(own))} ms, ${(median(own) / median(times.bare)).toFixed(3)} of bare`);
print(`  ${waits.length} lines at the caret meanwhile, median ${Math.round(median(waits))} ms`);

const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 2 });
const raw = await llama.loadModel({ modelPath: resolve(model) });
const sequence = (await raw.createContext({ contextSize: 2048, batchSize: 128, threads: 2 })).getSequence();
const { prefix, suffix, middle } = raw.tokens.infill;
const mark = (token: Token | null) => (token === null ? [] : [token]);

/** Only what is new is decoded, then as many tokens are written as ours wrote. */
async function rawLine(request: FillRequest, count: number): Promise<number> {
  const started = performance.now();
  const before = raw.tokenize(request.prefix, false);
  const all = [...mark(prefix), ...before, ...mark(suffix), ...raw.tokenize(request.suffix, false), ...mark(middle)];
  await sequence.adaptStateToTokens(all.slice(0, -1), false);
  const missing = all.slice(sequence.nextTokenIndex, -1);
  if (missing.length > 0) await sequence.evaluateWithoutGeneratingNewTokens(missing);
  let written = 0;
  for await (const _ of sequence.evaluate(all.slice(-1), { temperature: 0, yieldEogToken: true }))
    if (++written >= count) break;
  return performance.now() - started;
}

const pairs: { ours: number; raw: number }[] = [];
// A line is typed to its end with one of them, then with the other: our engine leaves the cores to others that work, so it must not see them taken.
for (const line of [60, 75, 90, 105, 120, 135]) {
  const typed = Array.from({ length: 10 }, (_, i) => fillAt(line, 4 + i, 12));
  const own: { milliseconds: number; generated: number }[] = [];
  for (const request of typed) {
    const started = performance.now();
    const done = await completes.complete?.(request, () => undefined);
    own.push({ milliseconds: performance.now() - started, generated: done?.tokens.generated ?? 0 });
  }
  for (const [at, request] of typed.entries()) {
    const { milliseconds: ours = 0, generated = 0 } = own[at] ?? {};
    const raw = await rawLine(request, generated);
    // The first one in a line reads the window.
    if (at > 0) pairs.push({ ours, raw });
  }
}
await completes.dispose();
const ratios = pairs.map((pair) => pair.ours / pair.raw);
print(
  `a line at the caret, ${pairs.length} keys: ours ${Math.round(median(pairs.map(({ ours }) => ours)))} ms, bare calls ${Math.round(median(pairs.map((one) => one.raw)))} ms, ratio ${median(ratios).toFixed(3)} (median of the pairs)`,
);
process.exit(0);
