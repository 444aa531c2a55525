// `npm run bench -- remote [--json]`: the engine of this machine beside a real llama-server, built from the same sources: the ids of prompts,
// greedy texts (of the tiny model with Qwen2.5's vocabulary many tokens are equally likely, so its texts part), and the three traces, where what the server says it reused is held against what was planned. No slot erases on either side.
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { graphs } from '../../../src/core/agent/graph.ts';
import { benchModel } from '../../../test/models/scenes/half.ts';
import { openEngine, openWith } from '../../cli/engine.ts';
import { type ReplayRow, replayTrace } from '../../cli/replayTrace.ts';
import { pocketPath, serverParams } from '../../servers/serverParams.ts';
import { createKind, kinds } from '../kinds.ts';
import { machine } from '../machine.ts';
import { sum } from '../result.ts';
import { buildServer } from '../views/buildServer.ts';
import { callsOf, playOnServer } from '../views/serverCalls.ts';
import { startServer } from '../views/startServer.ts';
import { compared } from './compared.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    turns: { type: 'string', default: '50' },
    /** Further files whose ids and texts are compared. */
    model: { type: 'string', multiple: true, default: [] },
  },
});
const print = (line: string) => process.stdout.write(`${line}\n`);
const programs = buildServer();
/** A trace on this machine without erasing, and on the server. */
async function traced(model: string, kind: (typeof kinds)[number], window: number) {
  const trace = createKind(kind, window, Number(values.turns));
  const play = async (engine: Awaited<ReturnType<typeof openEngine>>) => {
    const rows: ReplayRow[] = [];
    const options = { graph: graphs.unified, idle: false, reuse: 'exact' } as const;
    await replayTrace(trace, engine, options, (row) => rows.push(row)).finally(() => engine.client.dispose());
    return rows;
  };
  const here = await play(await openEngine(model, window, 1, 1));
  const args = ['-m', model, '-c', String(window), '-np', '1', '-t', '1'];
  const running = await startServer(programs.server, args);
  const there = await openWith({
    modelPath: '',
    server: serverParams(running.url),
    contextSize: window,
    ...({ gpu: 'off', gpuLayers: null, threads: null, slots: 1 } as const),
  })
    .then(play)
    .finally(() => running.stop());
  const own = await callsOf(model, window, trace, 0.75);
  const reuse = ['-m', model, '-c', String(window), '-np', '1', '-t', '1', '--cache-reuse', '256'];
  const shifting = (await playOnServer(programs.server, reuse, own)) / sum(own, (call) => call.newTokens);
  const newTokens = sum(there, (row) => row.newTokens);
  return {
    trace: kind,
    window,
    calls: there.length,
    newTokens,
    local: sum(here, ({ decoded }) => decoded) / newTokens,
    remote: sum(there, ({ decoded }) => decoded) / newTokens,
    shifting,
    asPlanned: there.filter(({ breakAt }) => breakAt?.cause !== 'server').length,
    asLocal: there.filter(({ reused }, i) => reused === here[i]?.reused).length,
  };
}

const small = benchModel('small');
const where = await machine(small, 'small');
const onServer = async (model: string) => {
  const args = ['-m', model, '-c', '4096', '-np', '1', '-t', '1'];
  const running = await startServer(programs.server, args);
  return compared(model, running.url).finally(() => running.stop());
};
const same: Record<string, Awaited<ReturnType<typeof compared>>> = {
  pocket: await onServer(pocketPath),
  'Qwen2.5 vocabulary': await onServer(small),
};
for (const path of values.model) same[basename(path)] = await onServer(path);
if (!values.json) {
  print(`${where.cpu}, ${where.cores} cores; llama-server of node-llama-cpp ${where.library}\n`);
  print('| model | prompts with the same ids | greedy texts that are the same |\n|---|---|---|');
  for (const [name, { ids, texts, different }] of Object.entries(same)) {
    print(`| ${name} | ${ids.join(' of ')} | ${texts.join(' of ')} |`);
    for (const words of different) process.stderr.write(`${words}\n`);
  }
  print(
    '\n| trace | window | decoded / new, here | on the server | ratio | `--cache-reuse` of the server | calls as planned | as here |',
  );
  print('|---|---|---|---|---|---|---|---|');
}
const rows: Awaited<ReturnType<typeof traced>>[] = [];
for (const kind of kinds)
  for (const window of [8192, 4096]) {
    const row = await traced(small, kind, window);
    rows.push(row);
    const { local: here, remote: there, shifting, calls, asPlanned, asLocal } = row;
    const figures = [
      here.toFixed(3),
      there.toFixed(3),
      (there / here).toFixed(3),
      shifting.toFixed(3),
      `${asPlanned} of ${calls}`,
    ];
    if (!values.json) print(`| ${kind} | ${window} | ${figures.join(' | ')} | ${asLocal} of ${calls} |`);
  }
if (values.json) print(JSON.stringify({ ...where, turns: Number(values.turns), same, rows }, null, 1));
