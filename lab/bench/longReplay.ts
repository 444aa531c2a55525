// `npm run bench -- long`: 500 turns at a window of 4,096 with results of up to 6,000 tokens, with three real vocabularies and
// both graphs, through the real engine. Exits 1 when a prompt is over high water or trims are too many.
// Arguments choose some of them: `npm run bench -- long llama-3 split 50`.

import { type Graph, graphs } from '../../src/core/agent/graph.ts';
import { bundleModel, qwen25 } from '../../test/models/scenes/bundle.ts';
import { openEngine } from '../cli/engine.ts';
import { type ReplayRow, replayTrace } from '../cli/replayTrace.ts';
import { readTrace } from '../cli/trace/trace.ts';
import { createTrace } from './traces.ts';

const qwen = { vocabulary: 'qwen2', template: 'Qwen-Qwen2.5-7B-Instruct.jinja', patch: qwen25, eos: 151645 };
const models: Readonly<Record<string, Parameters<typeof bundleModel>[0]>> = {
  'qwen2.5': qwen,
  'llama-3': { vocabulary: 'llama-bpe', template: 'meta-llama-Llama-3.1-8B-Instruct.jinja', eos: 128009 },
  gemma: { vocabulary: 'gemma-4', template: 'google-gemma-4-31B-it.jinja' },
};

interface Outcome {
  readonly words: string;
  readonly good: boolean;
}

async function replay(model: string, graph: Graph, turns: number): Promise<Outcome> {
  const options = models[model];
  if (options === undefined) throw new Error(`no model ${model}`);
  const trace = readTrace(JSON.stringify(createTrace({ turns, callsPerTurn: 1, resultLines: 110, seed: 7 })));
  const engine = await openEngine(bundleModel(options), 4096, graph.nodes.length);
  const rows: ReplayRow[] = [];
  const started = performance.now();
  try {
    await replayTrace(trace, engine, { graph, idle: false }, (row) => rows.push(row));
  } finally {
    await engine.client.dispose();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const slots = graph.nodes.map(({ name }) => judge(rows.filter(({ node }) => node === name)));
  const over = rows.filter(({ promptTokens, high }) => promptTokens > high).length;
  const good = over === 0 && slots.every(({ trims, most }) => trims <= most);
  const perSlot = slots.map(
    ({ node, trims, most, ratio }) => `${node} turns went ${trims} times of at most ${most}, decoded/new ${ratio}`,
  );
  return {
    good,
    words: `${model} ${graph.name}: ${rows.length} calls, ${over} over high, ${perSlot.join('; ')} (${seconds} s)`,
  };
}

/** How often turns went, compacted or dropped, and how often at most: each time frees at least what lies between the marks. */
function judge(rows: readonly ReplayRow[]) {
  const sum = (key: 'newTokens' | 'decoded') => rows.reduce((all, row) => all + row[key], 0);
  const out = (row: ReplayRow | undefined) => (row === undefined ? 0 : row.decisions.trimmed + row.decisions.folded);
  const trims = rows.filter((row, i) => out(row) > out(rows[i - 1])).length;
  const { high = 1, low = 0, node = 'act' } = rows[0] ?? {};
  const most = Math.floor(sum('newTokens') / (high - low)) + 1;
  return { node, trims, most, ratio: (sum('decoded') / sum('newTokens')).toFixed(2) };
}

const asked = process.argv.slice(2);
const some = (names: readonly string[]) => names.filter((name) => asked.includes(name));
const chosen = (names: readonly string[]) => (some(names).length === 0 ? names : some(names));
const turns = Number(asked.find((word) => /^\d+$/.test(word)) ?? 500);
for (const model of chosen(Object.keys(models))) {
  for (const name of chosen(Object.keys(graphs))) {
    const { words, good } = await replay(model, graphs[name as keyof typeof graphs], turns);
    process.stdout.write(`${words}\n`);
    if (!good) process.exitCode = 1;
  }
}
