// `npm run replay`: a recorded trace through the real projection and engine, one JSON line per model call.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { faultOf, reasonOf } from '../core/faults.ts';
import { type Graph, graphNamed } from '../core/graph.ts';
import { chooseModel, openEngine } from './engine.ts';
import { type ReplayRow, replayTrace } from './replayTrace.ts';
import { sayFault } from './say.ts';
import { readTrace, type Trace, TraceError } from './trace.ts';

const usage =
  'usage: npm run -s replay -- [--model FILE] [--context-size N] [--graph unified|split] [--idle none|full] [--json] TRACE.json';

interface Arguments {
  readonly model: string;
  readonly contextSize: number;
  readonly idle: boolean;
  readonly graph: Graph;
  readonly json: boolean;
  readonly path: string;
}

function readArguments(argv: readonly string[]): Arguments | string {
  const string = { type: 'string' } as const;
  const options = {
    model: string,
    'context-size': string,
    idle: string,
    graph: string,
    json: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const contextSize = Number(values['context-size'] ?? 4096);
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) return usage;
    if (!Number.isInteger(contextSize) || contextSize < 512)
      return `--context-size must be a whole number from 512\n${usage}`;
    const idle = values.idle ?? 'none';
    if (idle !== 'none' && idle !== 'full') return `--idle must be none or full\n${usage}`;
    const graph = graphNamed(values.graph);
    if (graph === null) return `--graph must be unified or split\n${usage}`;
    const json = values.json ?? false;
    return { model: chooseModel(values.model), contextSize, idle: idle === 'full', graph, json, path };
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
  const broke = row.breakAt === null ? '' : `, broke at token ${row.breakAt.token} (${row.breakAt.layer})`;
  const work = `${row.newTokens} new: ${reused} reused, ${shifted} shifted, ${decoded} decoded, ${decodedIdle} idle`;
  const node = row.node === 'act' ? '' : ` ${row.node}`;
  return `turn ${row.turn}.${row.call}${node}: ${row.promptTokens} of ${row.high} tokens, ${work}; ${items}${broke}`;
}

function fail(code: number, message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

const args = readArguments(process.argv.slice(2));
if (typeof args === 'string') fail(2, args);
const trace = loadTrace(args.path);
if (typeof trace === 'string') fail(2, trace);
try {
  const engine = await openEngine(args.model, args.contextSize, args.graph.nodes.length);
  const print = (row: ReplayRow) => process.stdout.write(`${args.json ? JSON.stringify(row) : words(row)}\n`);
  await replayTrace(trace, engine, args, print).finally(() => engine.client.dispose());
} catch (error) {
  process.stderr.write(`${sayFault(faultOf(error))}\n`);
  process.exitCode = 1;
}
