// `npm run bench:figures`: the table of the README: tokens decoded per new token, by the library's meter, for generated traces
// at a window of 4,096 with the vocabulary and template of Qwen2.5.
import { openEngine } from '../../src/cli/engine.ts';
import { type ReplayRow, replayTrace } from '../../src/cli/replayTrace.ts';
import { readTrace, type Trace } from '../../src/cli/trace.ts';
import { graphs } from '../../src/core/graph.ts';
import { bundleModel, qwen25 } from '../models/bundle.ts';
import { createTrace } from './traces.ts';

const model = bundleModel({
  vocabulary: 'qwen2',
  template: 'Qwen-Qwen2.5-7B-Instruct.jinja',
  patch: qwen25,
  eos: 151645,
});
const compaction = process.argv[2] === 'off' ? 'off' : 'auto';
const traces = [
  { turns: 20, callsPerTurn: 1, resultLines: 10, words: '20 turns, 1 short result each' },
  { turns: 20, callsPerTurn: 2, resultLines: 10, words: '20 turns, 2 short results each' },
  { turns: 20, callsPerTurn: 3, resultLines: 25, words: '20 turns, 3 medium results each' },
  { turns: 20, callsPerTurn: 2, resultLines: 90, words: '20 turns, 2 long results each' },
  { turns: 50, callsPerTurn: 1, resultLines: 10, words: '50 turns, 1 short result each' },
  { turns: 500, callsPerTurn: 1, resultLines: 10, words: '500 turns, 1 short result each' },
];

async function rowsOf(trace: Trace, idle: boolean): Promise<readonly ReplayRow[]> {
  const engine = await openEngine(model, 4096, 1);
  const rows: ReplayRow[] = [];
  try {
    await replayTrace(trace, engine, { graph: graphs.unified, idle, compaction }, (row) => rows.push(row));
  } finally {
    await engine.client.dispose();
  }
  return rows;
}

const sum = (rows: readonly ReplayRow[], key: 'decoded' | 'decodedIdle' | 'newTokens' | 'promptTokens') =>
  rows.reduce((all, row) => all + row[key], 0);

process.stdout.write('| trace | no reuse | Tidemark | with idle time |\n|---|---|---|---|\n');
for (const { words, ...options } of traces) {
  const trace = readTrace(JSON.stringify(createTrace({ ...options, seed: 7 })));
  const [plain, idle] = [await rowsOf(trace, false), await rowsOf(trace, true)];
  const by = (tokens: number, rows: readonly ReplayRow[]) => (tokens / sum(rows, 'newTokens')).toFixed(2);
  const without = by(sum(plain, 'promptTokens'), plain);
  const withIdle = `${by(sum(idle, 'decoded'), idle)} (+ ${by(sum(idle, 'decodedIdle'), idle)} idle)`;
  process.stdout.write(`| ${words} | ${without} | ${by(sum(plain, 'decoded'), plain)} | ${withIdle} |\n`);
}
