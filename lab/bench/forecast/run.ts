// `npm run bench -- forecast --model FILE [--window N] [--turns N] [--folder DIR]`: what the composer says a message will cost, beside what
// the engine decoded for it, over one conversation with finding and idle work on. Exits 1 where a mark is missed.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Chat, createChat } from '../../../src/app/conversation/chat.ts';
import { ModelLife } from '../../../src/app/model/modelLife.ts';
import { createEditorWindow } from '../../../src/app/slots/editorWindow.ts';
import { defaultAgent } from '../../../src/core/agent/agent.ts';
import { guided } from '../../../src/core/agent/graph.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { CascadeCounter } from '../../../src/tokens/counter.ts';
import { createEstimator } from '../../../src/tokens/estimate.ts';
import { learnFrom } from '../../../src/tokens/learnFrom.ts';
import { ableModels } from '../../../test/app/scenes/scriptedModel.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { startEngine } from '../../cli/engine.ts';
import { openFinding } from '../../cli/finding.ts';
import { createWorld, type World } from '../../soak/world.ts';
import { tellFigure } from '../all/figure.ts';
import { askedAbout } from './questions.ts';
import { type Row, verdict } from './verdict.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '' },
    window: { type: 'string', default: '4096' },
    turns: { type: 'string', default: '50' },
    folder: { type: 'string', default: join(projectRoot, 'src') },
  },
});
if (values.model === '') {
  process.stderr.write('usage: npm run bench -- forecast --model FILE [--window N] [--turns N] [--folder DIR]\n');
  process.exit(2);
}
const [window, turns] = [Number(values.window), Number(values.turns)];
mkdirSync(join(projectRoot, 'out', 'bench', 'index'), { recursive: true });
const finding = openFinding(resolve(values.folder), join(projectRoot, 'out', 'bench', 'index', 'forecast.db'));
await finding.request('refresh', null);

const engine = startEngine();
const load = {
  modelPath: resolve(values.model),
  contextSize: window,
  gpu: 'auto',
  gpuLayers: null,
  threads: null,
  slots: 1,
} as const;
const place = { take: () => true, share: () => undefined, release: () => undefined };
const life = new ModelLife(
  {
    engine,
    wait: (ms) => sleep(ms),
    publish: () => chat.ready.showModels(),
    abilities: ableModels,
    place,
    fitsBeside: async () => false,
  },
  () => load,
);
const estimator = createEstimator();
const counter = new CascadeCounter(
  {
    exact: (texts) => engine.count(texts),
    fingerprint: () => life.loaded?.fingerprint ?? null,
    now: () => performance.now(),
    estimator,
  },
  () => ({ enabled: true, cacheCapacity: 4096, source: 'auto' }),
);
const world = worldOf();
const together = createEditorWindow({ engine, life }, world.models, null, world.machine);
const chat: Chat = createChat(together, null, world.ports);

/** Makes a world with the editor's default settings, but with short answers, because only what is read is forecast. */
function worldOf(): World {
  const say = () => undefined;
  const { policy } = defaultAgent;
  const options = {
    database: '',
    model: '',
    window,
    seed: 1,
    compactAt: policy.compactAt,
    summariser: 'model',
    slow: false,
  } as const;
  const base = createWorld(options, Math.random, say);
  const agent = { ...defaultAgent, graph: guided, retrieval: defaultRetrieval, policy: { ...policy, reserve: 64 } };
  const settings = { ...base.ports.settings(null), agent, sampling: { temperature: 0, seed: 1 } };
  const project: World['ports']['project'] = {
    ...base.ports.project,
    folders: () => [{ name: 'src', path: resolve(values.folder) }],
    tools: () => [],
    finding: {
      embeds: false,
      find: ({ text, folder, last }, signal) => finding.request('find', { text, folder, last }, signal),
      named: (text) => finding.request('named', { text }),
      failing: (output) => finding.request('failing', { output }),
      leftOut: () => finding.request('leftOut', null),
    },
  };
  const tokens: World['ports']['tokens'] = {
    ...base.ports.tokens,
    counter,
    learn: (info, prompt, measure) => learnFrom(counter, info.fingerprint, prompt, measure),
  };
  const clock = { ...base.ports.clock, wait: (milliseconds: number) => sleep(milliseconds) };
  return {
    models: base.models,
    machine: { ...base.machine, settings: () => settings, clock },
    ports: { ...base.ports, settings: () => settings, project, tokens, clock },
  };
}

/** Idle work is over: what is in the slot is known. */
async function settled(): Promise<void> {
  const busy = () => {
    const { running, warm, warming, compacting } = chat.view.snapshot;
    return running || warm === null || warming !== null || compacting;
  };
  for (let quiet = 0; quiet < 5; quiet = busy() ? 0 : quiet + 1) await sleep(100);
}

chat.sessions.resume();
await chat.ready.open();
const rows: Row[] = [];
for (const text of (await askedAbout(finding)).slice(0, turns)) {
  await settled();
  await chat.draft.written(text);
  const { forecast } = chat.view.snapshot;
  await chat.sending.send(text);
  const { calls } = chat.view.snapshot;
  const read = calls.map(({ prefill }) => prefill);
  rows.push({
    said:
      forecast === null
        ? null
        : {
            tokens: forecast.tokens,
            most: forecast.tokens - forecast.own + forecast.most,
            milliseconds: forecast.milliseconds,
            fits: forecast.fits,
          },
    read: read[0]?.decoded ?? 0,
    milliseconds: read[0]?.milliseconds ?? 0,
    whole: read.reduce((sum, { decoded }) => sum + decoded, 0),
  });
  process.stderr.write(`${rows.length}: ${JSON.stringify(rows.at(-1))} ${text}\n`);
}
const { words, good } = verdict(rows);
process.stdout.write(`${life.loaded?.name}, window ${window}: ${words}\n`);
tellFigure('forecasts', words);
process.exitCode = good ? 0 : 1;
await Promise.all([finding.dispose(), engine.dispose()]);
process.exit();
