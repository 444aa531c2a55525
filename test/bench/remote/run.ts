// `npm run bench -- remote [--json]`: the engine of this machine beside a real llama-server, built from the same sources: the ids of prompts,
// greedy texts (of the tiny model with Qwen2.5's vocabulary many tokens are equally likely, so its texts part), and the three traces, where what the server says it reused is held against what was planned. No slot erases on either side.
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { openEngine, openModelAt } from '../../../src/cli/engine.ts';
import { type ReplayRow, replayTrace } from '../../../src/cli/replayTrace.ts';
import { graphs } from '../../../src/core/agent/graph.ts';
import type { Generation, ToolCallMode } from '../../../src/core/model/model.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import { loadLocal } from '../../../src/engine/worker/local.ts';
import type { WorkerEngine } from '../../../src/engine/workerEngine.ts';
import type { ServerParams } from '../../../src/protocol/engine.ts';
import { benchModel } from '../../models/scenes/half.ts';
import { createKind, kinds } from '../kinds.ts';
import { machine } from '../machine.ts';
import { sum } from '../result.ts';
import { buildServer } from '../views/buildServer.ts';
import { startServer } from '../views/startServer.ts';
import { prompts } from './prompts.ts';

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
const server = (url: string): ServerParams => ({
  url,
  kind: 'auto',
  model: '',
  slot: null,
  key: '',
  caFile: '',
  insecure: false,
});
const local = { contextSize: 4096, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
const nobody = { planned: () => undefined, progress: () => undefined, template: async () => undefined };
const quiet = { onText: () => undefined, onProgress: () => undefined };

async function generated(engine: WorkerEngine, name: string, toolCalls: ToolCallMode): Promise<Generation> {
  const prompt = prompts[name];
  if (prompt === undefined) throw new Error(name);
  const sampling = { temperature: 0, seed: null };
  const params = { slot: 0, prompt, maxTokens: 64, toolCalls, reuse: 'exact', sampling } as const;
  return engine.generate(params, await engine.tokens(prompt), null, quiet, new AbortController().signal);
}

/** Of each prompt: whether the ids are the same, and the greedy text in each mode. */
async function compared(modelPath: string) {
  const here = await loadLocal({ modelPath, ...local }, nobody);
  const running = await startServer(programs.server, ['-m', modelPath, '-c', '4096', '-np', '1', '-t', '1']);
  try {
    const there = await openServer(server(running.url), local);
    const [ids, texts, different]: [boolean[], boolean[], string[]] = [[], [], []];
    for (const [name, prompt] of Object.entries(prompts)) {
      const [own, other] = [await here.tokens(prompt), await there.tokens(prompt)];
      ids.push(own.tokens.join() === other.tokens.join());
      for (const mode of ['auto', 'none', 'choice'] as const) {
        if (mode === 'choice' && prompt.tools.length === 0) continue;
        const [a, b] = [await generated(here, name, mode), await generated(there, name, mode)];
        const same = a.generated.ids.join() === b.generated.ids.join() && a.raw === b.raw && a.stop === b.stop;
        texts.push(same);
        if (!same) different.push(`${name}, ${mode}: ${JSON.stringify(a.raw)} and ${JSON.stringify(b.raw)}`);
      }
    }
    const { window } = { window: there.info.contextSize };
    await there.dispose();
    const yes = (all: readonly boolean[]) => all.filter(Boolean).length;
    return { window, ids: [yes(ids), ids.length], texts: [yes(texts), texts.length], different };
  } finally {
    await here.dispose();
    await running.stop();
  }
}

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
  const there = await openModelAt({ server: server(running.url) }, window, 1)
    .then(play)
    .finally(() => running.stop());
  const newTokens = sum(there, (row) => row.newTokens);
  return {
    trace: kind,
    window,
    calls: there.length,
    newTokens,
    local: sum(here, ({ decoded }) => decoded) / newTokens,
    remote: sum(there, ({ decoded }) => decoded) / newTokens,
    asPlanned: there.filter(({ breakAt }) => breakAt?.cause !== 'server').length,
    asLocal: there.filter(({ reused }, i) => reused === here[i]?.reused).length,
  };
}

const small = benchModel('small');
const where = await machine(small, 'small');
const pocket = new URL('../../fixtures/pocket.gguf', import.meta.url).pathname;
const same: Record<string, Awaited<ReturnType<typeof compared>>> = {
  pocket: await compared(pocket),
  'Qwen2.5 vocabulary': await compared(small),
};
for (const path of values.model) same[basename(path)] = await compared(path);
if (!values.json) {
  print(`${where.cpu}, ${where.cores} cores; llama-server of node-llama-cpp ${where.library}\n`);
  print('| model | prompts with the same ids | greedy texts that are the same |\n|---|---|---|');
  for (const [name, { ids, texts, different }] of Object.entries(same)) {
    print(`| ${name} | ${ids.join(' of ')} | ${texts.join(' of ')} |`);
    for (const words of different) process.stderr.write(`${words}\n`);
  }
  print('\n| trace | window | decoded / new, here | on the server | ratio | calls as planned | as here |');
  print('|---|---|---|---|---|---|---|');
}
const rows: Awaited<ReturnType<typeof traced>>[] = [];
for (const kind of kinds)
  for (const window of [8192, 4096]) {
    const row = await traced(small, kind, window);
    rows.push(row);
    const { local: here, remote: there, calls, asPlanned, asLocal } = row;
    const figures = [here.toFixed(3), there.toFixed(3), (there / here).toFixed(3), `${asPlanned} of ${calls}`];
    if (!values.json) print(`| ${kind} | ${window} | ${figures.join(' | ')} | ${asLocal} of ${calls} |`);
  }
if (values.json) print(JSON.stringify({ ...where, turns: Number(values.turns), same, rows }, null, 1));
