// How many tokens a tool-heavy trace costs models that cannot go back to any token, beside one with attention only, under the same
// policy: `node test/bench/memories.ts`. Exits 1 where one costs more than twice as much.
import { openEngine } from '../../src/cli/engine.ts';
import { type ReplayRow, replayTrace } from '../../src/cli/replayTrace.ts';
import { readTrace } from '../../src/cli/trace.ts';
import { graphs } from '../../src/core/agent/graph.ts';
import { hybridModel, slidingModel } from '../models/otherMemories.ts';
import { nanoModel } from '../models/scenes/nano.ts';
import { createTrace } from './traces.ts';

const trace = readTrace(JSON.stringify(createTrace({ turns: 20, callsPerTurn: 3, resultLines: 10, seed: 7 })));
const models = { attention: nanoModel(), 'sliding window': slidingModel(), hybrid: hybridModel() };

async function rowsOf(modelPath: string, graph: keyof typeof graphs, idle: boolean): Promise<readonly ReplayRow[]> {
  const engine = await openEngine(modelPath, 4096, graphs[graph].nodes.length);
  const rows: ReplayRow[] = [];
  try {
    await replayTrace(trace, engine, { graph: graphs[graph], idle, reuse: 'exact' }, (row) => rows.push(row));
  } finally {
    await engine.client.dispose();
  }
  return rows;
}

process.stdout.write('| graph | idle work | model | calls | new | decoded | decoded idle | of attention |\n');
process.stdout.write('|---|---|---|---|---|---|---|---|\n');
for (const graph of ['unified', 'split'] as const) {
  for (const idle of [false, true]) {
    let attention = 0;
    for (const [name, path] of Object.entries(models)) {
      const rows = await rowsOf(path, graph, idle);
      const sum = (key: 'newTokens' | 'decoded' | 'decodedIdle') => rows.reduce((all, row) => all + row[key], 0);
      const cost = sum('decoded') + sum('decodedIdle');
      if (name === 'attention') attention = cost;
      const counts = [rows.length, sum('newTokens'), sum('decoded'), sum('decodedIdle')].join(' | ');
      process.stdout.write(`| ${graph} | ${idle} | ${name} | ${counts} | ${(cost / attention).toFixed(3)} |\n`);
      if (cost > 2 * attention) process.exitCode = 1;
    }
  }
}
