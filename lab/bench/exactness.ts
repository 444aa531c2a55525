// `npm run bench -- exact [--model FILE ... --window N]`: how far a slot is from a fresh prefill, in probabilities, when it was moved up and after idle work settled it.
// A trace is replayed with erasing; whenever idle work ends, the slot and an empty one with the same tokens read the same words.

import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { graphs } from '../../src/core/agent/graph.ts';
import type { CacheReuse } from '../../src/core/model/model.ts';
import { asTokens } from '../../src/engine/worker/slot/vocabulary.ts';
import { bundleModel, qwen25 } from '../../test/models/scenes/bundle.ts';
import { nanoModel } from '../../test/models/scenes/nano.ts';
import { replayTrace } from '../cli/replayTrace.ts';
import { readTrace } from '../cli/trace/trace.ts';
import { tellFigure } from './all/figure.ts';
import { openLocal } from './localEngine.ts';
import { createTrace } from './traces.ts';

/** A top token that is ahead by less may change with the rounding of other batches. */
const margin = 0.05;
const probe = 'Where is parseDuration defined, and which of the tests covers it? The forecast of the station says';
const pocket = new URL('../../test/fixtures/pocket.gguf', import.meta.url).pathname;

const { values } = parseArgs({
  options: { model: { type: 'string', multiple: true, default: [] }, window: { type: 'string', default: '4096' } },
});
const window = Number(values.window);

const ours: Readonly<Record<string, () => string>> = {
  pocket: () => pocket,
  nano: () => nanoModel(),
  'qwen2.5 (2 layers, random)': () =>
    bundleModel({ vocabulary: 'qwen2', template: 'Qwen-Qwen2.5-7B-Instruct.jinja', patch: qwen25, eos: 151645 }),
};

const named = Object.fromEntries(values.model.map((file) => [basename(file), () => file]));
const models = values.model.length === 0 ? ours : named;

interface Distance {
  /** Places that were compared, those where the fresh slot is sure, and those of them with another top token. */
  places: number;
  sure: number;
  other: number;
  /** Largest difference of a probability. */
  most: number;
}

type Row = ReadonlyMap<Token, number>;

/** The next token's probabilities behind each word of the probe. Leaves the sequence as it was. */
async function read(sequence: LlamaContextSequence, tokens: readonly Token[]): Promise<readonly Row[]> {
  const before = sequence.contextTokens;
  const asked = tokens.map((token) => [token, { generateNext: { probabilities: true } }] as const);
  const rows = await sequence.controlledEvaluate(asked.map(([token, how]) => [token, how]));
  await sequence.adaptStateToTokens(before, false);
  return rows.map((row) => row?.next.probabilities ?? new Map());
}

function compare(distance: Distance, fresh: Row, used: Row): void {
  const [first, second] = [...fresh.values()].slice(0, 2);
  distance.places += 1;
  if ((first ?? 0) - (second ?? 0) > margin) {
    distance.sure += 1;
    if (fresh.keys().next().value !== used.keys().next().value) distance.other += 1;
  }
  for (const [token, p] of fresh) distance.most = Math.max(distance.most, Math.abs(p - (used.get(token) ?? 0)));
}

async function distanceOf(modelPath: string, reuse: CacheReuse): Promise<Distance> {
  const distance: Distance = { places: 0, sure: 0, other: 0, most: 0 };
  const params = { modelPath, contextSize: window, gpu: 'auto', gpuLayers: null, threads: null, slots: 2 } as const;
  const { engine, client } = await openLocal({ ...params, verify: true }, async () => {
    const [used, fresh] = engine.slots;
    if (used === undefined || fresh === undefined) return;
    const tokens = used.sequence.contextTokens;
    await fresh.sequence.clearHistory();
    await fresh.sequence.evaluateWithoutGeneratingNewTokens(tokens);
    const words = asTokens(engine.loaded.safe.content(probe));
    const rows = await read(used.sequence, words);
    (await read(fresh.sequence, words)).forEach((row, i) => {
      compare(distance, row, rows[i] ?? new Map());
    });
  });
  const trace = readTrace(JSON.stringify(createTrace({ turns: 25, callsPerTurn: 2, resultLines: 12, seed: 11 })));
  try {
    const options = { graph: graphs.unified, idle: true, compaction: 'off', reuse } as const;
    await replayTrace(trace, { client, info: engine.info }, options, () => undefined);
  } finally {
    await client.dispose();
  }
  return distance;
}

let good = true;
process.stdout.write('| model | slot | places | sure | other top token | largest difference of a probability |\n');
process.stdout.write('|---|---|---|---|---|---|\n');
for (const [name, path] of Object.entries(models)) {
  for (const [reuse, words] of [
    ['shift', 'moved up, never settled'],
    ['auto', 'settled while idle'],
    ['exact', 'decoded again'],
  ] as const) {
    const { places, sure, other, most } = await distanceOf(path(), reuse);
    process.stdout.write(`| ${name} | ${words} | ${places} | ${sure} | ${other} | ${most.toExponential(1)} |\n`);
    if (reuse !== 'shift') tellFigure(`other top tokens, ${name}, ${words}`, `${other} of ${sure}`);
    if (reuse !== 'shift' && other > 0) good = false;
  }
}
if (!good) process.exitCode = 1;
