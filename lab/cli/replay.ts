// `npm run replay`: a recorded trace through the real projection and engine, one JSON line per model call.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Graph, graphNamed } from '../../src/core/agent/graph.ts';
import type { Switches } from '../../src/core/agent/mechanisms.ts';
import { faultOf, reasonOf } from '../../src/core/faults/faults.ts';
import { type Other, pairWords, readOther, sideBySide, totalWords } from './compare.ts';
import { type ModelFlags, modelFrom, openWith } from './engine.ts';
import { type ReplayRow, replayTrace } from './replayTrace.ts';
import { say, sayFault } from './say.ts';
import { readTrace, type Trace, TraceError } from './trace/trace.ts';

const usage =
  'usage: npm run -s replay -- [--model FILE | --engine URL [--insecure]] [--context-size N] [--graph unified|guided|split] [--idle none|full] [--compaction auto|on|off] [--compare window=N,pruneAt=N...] [--json] TRACE.json';

interface Arguments {
  readonly model: ModelFlags;
  readonly contextSize: number;
  readonly idle: boolean;
  readonly compaction: Switches['compaction'];
  readonly graph: Graph;
  readonly compare: Other | null;
  readonly json: boolean;
  readonly path: string;
}

const string = { type: 'string' } as const;
const options = {
  model: string,
  engine: string,
  insecure: { type: 'boolean' },
  'context-size': string,
  idle: string,
  compaction: string,
  graph: string,
  compare: string,
  json: { type: 'boolean' },
} as const;

function readArguments(argv: readonly string[]): Arguments | string {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const contextSize = Number(values['context-size'] ?? 4096);
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) return usage;
    if (!Number.isInteger(contextSize) || contextSize < 512)
      return `--context-size must be a whole number from 512\n${usage}`;
    const idle = values.idle ?? 'none';
    if (idle !== 'none' && idle !== 'full') return `--idle must be none or full\n${usage}`;
    const compaction = values.compaction ?? 'auto';
    if (compaction !== 'auto' && compaction !== 'on' && compaction !== 'off')
      return `--compaction must be auto, on or off\n${usage}`;
    const graph = graphNamed(values.graph);
    if (graph === null) return `--graph must be unified, guided or split\n${usage}`;
    const compare = values.compare === undefined ? null : readOther(values.compare);
    if (typeof compare === 'string') return `${compare}\n${usage}`;
    const json = values.json ?? false;
    return {
      model: { engine: values.engine, model: values.model, insecure: values.insecure === true },
      contextSize,
      idle: idle === 'full',
      compaction,
      graph,
      compare,
      json,
      path,
    };
  } catch (error) {
    return `${reasonOf(error)}\n${usage}`;
  }
}

function loadTrace(path: string): Trace | string {
  try {
    return readTrace(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof TraceError) return `${path}, ${error.message}`;
    return `${path} cannot be read: ${reasonOf(error)}`;
  }
}

function words(row: ReplayRow): string {
  const { reused, shifted, decoded, decodedIdle } = row;
  const states = Object.entries(row.decisions).filter(([, count]) => count > 0);
  const items = states.map(([state, count]) => `${count} ${state}`).join(', ');
  const broke = row.breakAt === null ? '' : `; ${row.breakAt.words}`;
  const work = `${row.newTokens} new: ${reused} reused, ${shifted} shifted, ${decoded} decoded, ${decodedIdle} idle`;
  const node = row.node === 'act' ? '' : ` ${row.node}`;
  return `turn ${row.turn}.${row.call}${node}: ${row.promptTokens} of ${row.high} tokens, ${work}; ${items}${broke}`;
}

function fail(code: number, message: string): never {
  say(message, process.stderr);
  process.exit(code);
}

async function replayOnce(trace: Trace, args: Arguments, other: Other | null, row: (row: ReplayRow) => void) {
  const contextSize = other?.window ?? args.contextSize;
  const slots = args.graph.nodes.length;
  const set = { modelPath: '', contextSize, gpu: 'auto', gpuLayers: null, threads: null, slots } as const;
  const engine = await openWith(modelFrom(args.model, set));
  const how = { graph: args.graph, idle: args.idle, compaction: args.compaction, policy: other?.policy ?? {} };
  await replayTrace(trace, engine, how, row).finally(() => engine.client.dispose());
}

/** Both sides, even where one fails: how far it came is part of the comparison. */
async function compare(trace: Trace, args: Arguments, other: Other): Promise<void> {
  const rows: [ReplayRow[], ReplayRow[]] = [[], []];
  const faults: unknown[] = [];
  for (const [i, side] of [null, other].entries()) {
    await replayOnce(trace, args, side, (row) => rows[i]?.push(row)).catch((error: unknown) => faults.push(error));
  }
  const pairs = sideBySide(...rows);
  for (const pair of pairs) say(args.json ? JSON.stringify(pair) : pairWords(pair));
  if (!args.json) say(totalWords(...rows));
  if (faults.length > 0) throw faults[0];
}

const args = readArguments(process.argv.slice(2));
if (typeof args === 'string') fail(2, args);
const trace = loadTrace(args.path);
if (typeof trace === 'string') fail(2, trace);
try {
  if (args.compare !== null) await compare(trace, args, args.compare);
  else await replayOnce(trace, args, null, (row) => say(args.json ? JSON.stringify(row) : words(row)));
} catch (error) {
  sayFault(faultOf(error));
  process.exitCode = 1;
}
