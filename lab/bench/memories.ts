// How many tokens a tool-heavy trace costs models that cannot go back to any token, beside one with attention only, under the same
// policy: `npm run bench -- memories`. Exits 1 where one costs more than it may; with three checkpoints that is what a machine with little
// memory has.

import { graphs } from '../../src/core/agent/graph.ts';
import { loadParams } from '../../test/engine/scenes/engineUnderTest.ts';
import { loadTight } from '../../test/engine/scenes/loadTight.ts';
import { hybridModel, slidingModel } from '../../test/models/otherMemories.ts';
import { nanoModel } from '../../test/models/scenes/nano.ts';
import { openEngine } from '../cli/engine.ts';
import { type ReplayRow, replayTrace } from '../cli/replayTrace.ts';
import { readTrace } from '../cli/trace/trace.ts';
import { createTrace } from './traces.ts';

const trace = readTrace(JSON.stringify(createTrace({ turns: 20, callsPerTurn: 3, resultLines: 10, seed: 7 })));
const models = [
  { name: 'attention', path: nanoModel(), isTight: false },
  { name: 'sliding window', path: slidingModel(), isTight: false },
  { name: 'sliding window alone, three checkpoints', path: slidingModel(), isTight: true },
  { name: 'hybrid', path: hybridModel(), isTight: false },
  { name: 'hybrid, three checkpoints', path: hybridModel(), isTight: true },
] as const;
/** Shares of the cost of attention. */
const most = { unified: 1.05, split: 1.1 } as const;

interface Run {
  readonly path: string;
  readonly isTight: boolean;
  readonly graph: keyof typeof most;
  readonly idle: boolean;
}

async function rowsOf({ path, isTight, graph, idle }: Run): Promise<readonly ReplayRow[]> {
  const slots = graphs[graph].nodes.length;
  const engine = await openEngine(path, 4096, slots);
  const rows: ReplayRow[] = [];
  try {
    const tight = loadParams({ modelPath: path, slots, threads: null, verify: false });
    const info = isTight ? await loadTight(engine.client, tight) : engine.info;
    await replayTrace(trace, { ...engine, info }, { graph: graphs[graph], idle, reuse: 'exact' }, (row) =>
      rows.push(row),
    );
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
    for (const { name, ...model } of models) {
      const rows = await rowsOf({ ...model, graph, idle });
      const sum = (key: 'newTokens' | 'decoded' | 'decodedIdle') => rows.reduce((all, row) => all + row[key], 0);
      const cost = sum('decoded') + sum('decodedIdle');
      if (name === 'attention') attention = cost;
      const counts = [rows.length, sum('newTokens'), sum('decoded'), sum('decodedIdle')].join(' | ');
      process.stdout.write(`| ${graph} | ${idle} | ${name} | ${counts} | ${(cost / attention).toFixed(3)} |\n`);
      if (cost > most[graph] * attention) process.exitCode = 1;
    }
  }
}
