// The words that are shown while a model loads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverParams } from '../../../lab/servers/serverParams.ts';
import { ModelLife } from '../../../src/app/model/modelLife.ts';
import type { ModelInfo } from '../../../src/core/engine/modelInfo.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { planMemory } from '../../../src/core/machine/memoryPlan.ts';
import type { LoadParams } from '../../../src/protocol/engine.ts';
import type { EngineView } from '../../../src/protocol/view.ts';
import { ableModels, modelInfo, server } from '../scenes/scriptedModel.ts';
import { gate, tick } from '../scenes/waiting.ts';

type Engine = ConstructorParameters<typeof ModelLife>[0]['engine'];

const load = { modelPath: 'm.gguf', contextSize: 2048, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
const ram = (bytes: number) => ({ ram: bytes, gpu: 0 });
const memory = planMemory(
  {
    weights: ram(5e8),
    repacked: 0,
    compute: ram(1e8),
    slot: { fixed: ram(0), perToken: ram(10_000) },
    checkpoint: 0,
    kinds: { experts: 0, recurrent: 0, windowed: { fixed: 0, perToken: 0 } },
    passing: { ram: 0, gpu: 0 },
    beside: { ram: 0, gpu: 0 },
  },
  { window: 2048, slots: 1, conversations: 1, free: ram(8e9), allowed: null },
);

const alone = { take: () => true, share: () => undefined, release: () => undefined };

interface Elsewhere {
  readonly place: typeof alone;
  readonly fits: boolean;
}

function lifeOf(params: LoadParams = load, { place, fits }: Elsewhere = { place: alone, fits: false }) {
  const { promise: loading, resolve: finish } = Promise.withResolvers<ModelInfo>();
  const engine = { load: () => loading, dispose: async () => undefined } as unknown as Engine;
  const said: EngineView[] = [];
  const publish = (view: EngineView) => void said.push(view);
  const life = new ModelLife(
    { engine, wait: async () => undefined, publish, abilities: ableModels, place, fitsBeside: async () => fits },
    () => params,
  );
  return { life, said, finish };
}

test('what a model takes is said before it is loaded, while it loads, and as long as it is there', async () => {
  const { life, said, finish } = lifeOf();
  assert.ok(memory !== null);
  const ready = life.ensure();
  assert.deepEqual([said.at(-1)?.state, said.at(-1)?.memory], ['loading', '']);
  life.planned(memory);
  life.progress(0.4);
  finish({ ...modelInfo, memory });
  await ready;
  const words = /^Memory: about 620 MB of 8\.0 GB free: weights 500 MB, KV cache 20 MB for 2,048 tokens, /;
  const after = said.slice(1).map(({ state, message, memory }) => [state, message, words.test(memory)]);
  assert.deepEqual(after, [
    ['loading', 'Loading the model… · about 620 MB of 8.0 GB free', true],
    ['loading', 'Loading the model… 40 % · about 620 MB of 8.0 GB free', true],
    ['ready', 'scripted · 2,048 tokens · CPU (scripted), 1 thread', true],
  ]);
});

test('the line of a loading model says more than its size only where memory is short', () => {
  assert.ok(memory !== null);
  const { life, said } = lifeOf();
  void life.ensure();
  life.planned(memory);
  assert.equal(said.at(-1)?.note, '');
  life.planned({ ...memory, wanted: { ...memory.wanted, free: { ram: 1e8, gpu: 0 } } });
  assert.equal(said.at(-1)?.message, 'Loading the model… · about 620 MB of 100 MB free');
  assert.match(said.at(-1)?.note ?? '', /^That is more than is free: /);
});

/** Another window has the machine's place, until this one shares it. */
function taken() {
  let shared = false;
  const share = () => {
    shared = true;
    return undefined;
  };
  return { take: () => shared, share, release: () => undefined };
}

test('beside the model of another window it is loaded without a question where both fit, and refused where they do not', async () => {
  const ample = lifeOf(load, { place: taken(), fits: true });
  const ready = ample.life.ensure();
  ample.finish(modelInfo);
  await ready;
  assert.equal(ample.said.at(-1)?.state, 'ready');
  assert.ok(ample.said.every(({ state }) => state !== 'failed'));
  const full = lifeOf(load, { place: taken(), fits: false });
  await assert.rejects(full.life.ensure(), /running in another window/);
  assert.deepEqual(
    full.said.map(({ state }) => state),
    ['loading', 'failed'],
  );
  assert.deepEqual(
    full.said.at(-1)?.actions.map(({ label }) => label),
    ['Load It Here Too', 'Try again'],
  );
  const here = full.life.loadHere();
  full.finish(modelInfo);
  await here;
  assert.equal(full.said.at(-1)?.state, 'ready');
});

test('where it is not known what a model takes, it is said that the budget is not kept to', async () => {
  const { life, said, finish } = lifeOf({ ...load, memoryBytes: 4e9 });
  const ready = life.ensure();
  finish({ ...modelInfo, memory: null });
  await ready;
  assert.equal(
    said.at(-1)?.note,
    "The file doesn't say how much memory it needs, so tidemark.model.memoryMegabytes can't be enforced.",
  );
});

test('what was expected of a model that is gone is not said of the next one', async () => {
  const { life, said, finish } = lifeOf();
  assert.ok(memory !== null);
  const ready = life.ensure();
  life.planned(memory);
  finish({ ...modelInfo, memory: null });
  await ready;
  assert.equal(said.at(-1)?.memory, '');
  await life.crashed({ kind: 'engineCrashed', reason: 'SIGKILL' });
  assert.ok(said.every(({ state, memory: words }) => words === '' || state === 'loading'));
});

/** A life whose server has to be prepared first, by `prepare`; what it wants may change. */
function onServer(prepare: (params: LoadParams) => Promise<LoadParams>) {
  const wanted = { ...load, server: serverParams('https://desk.example') } as LoadParams;
  const state = { wanted };
  const loads: LoadParams[] = [];
  const engine = {
    load: async (params: LoadParams) => {
      loads.push(params);
      const url = params.server?.url;
      return { ...modelInfo, ...(url === undefined ? {} : { server: { ...server, host: url } }) };
    },
    dispose: async () => undefined,
  } as unknown as Engine;
  const said: EngineView[] = [];
  const publish = (view: EngineView) => void said.push(view);
  const words = { wait: async () => undefined, abilities: ableModels, place: alone, fitsBeside: async () => false };
  const life = new ModelLife({ engine, prepare, publish, ...words }, () => state.wanted);
  return { life, state, loads, said };
}

test('a server that the user agrees to too late is not asked: another model was chosen meanwhile', async () => {
  const { closed: asked, open: agree } = gate();
  const { life, state, loads } = onServer((params) => asked.then(() => params));
  const first = life.ensure().catch((error: unknown) => error);
  state.wanted = load;
  await life.ensure();
  agree();
  await first;
  assert.deepEqual(
    loads.map(({ server }) => server?.url),
    [undefined],
  );
  assert.equal(life.loaded?.server, undefined);
});

test('a server is left as soon as the network is switched off', async () => {
  const { life, state, said } = onServer(async (params) => {
    if (params.server?.offline === true) throw new FaultError({ kind: 'server', problem: { is: 'offline' } });
    return params;
  });
  await life.ensure();
  assert.notEqual(life.loaded?.server, undefined);
  state.wanted = { ...load, server: { ...serverParams('https://desk.example'), offline: true } };
  await assert.rejects(life.ensure());
  assert.deepEqual([life.loaded, said.at(-1)?.state], [null, 'failed']);
});

test('a connection that is still being made ends as well once the network is switched off', async () => {
  const { closed: asked, open: agree } = gate();
  const { life, state, loads, said } = onServer(async (params) => {
    if (params.server?.offline === true) throw new FaultError({ kind: 'server', problem: { is: 'offline' } });
    return asked.then(() => params);
  });
  const first = life.ensure().catch(() => undefined);
  state.wanted = { ...load, server: { ...serverParams('https://desk.example'), offline: true } };
  life.recheck();
  agree();
  await first;
  await tick();
  assert.deepEqual([loads, life.loaded, said.at(-1)?.state], [[], null, 'failed']);
});

test('another key connects anew where its server is in use, and disturbs nobody else', async () => {
  const { life, state, loads } = onServer(async (params) => params);
  life.reconnect('https://desk.example');
  assert.equal(loads.length, 0);
  await life.ensure();
  life.reconnect('https://other.example');
  life.reconnect('https://desk.example');
  await tick();
  assert.equal(loads.length, 2);
  state.wanted = load;
  await life.ensure();
  life.reconnect('https://desk.example');
  await tick();
  assert.equal(loads.length, 3);
});

test('a server whose window turns out to be smaller has that one from then on', async () => {
  const { life, said, finish } = lifeOf({ ...load, server: serverParams('http://127.0.0.1:1') });
  const ready = life.ensure();
  life.narrowed(1024);
  finish({ ...modelInfo, contextSize: 8192, server });
  await ready;
  life.narrowed(2048);
  life.narrowed(4096);
  assert.equal((await life.ensure()).contextSize, 2048);
  assert.match(said.at(-1)?.message ?? '', /2,048 tokens/);
});

test('a server that says nothing while it is looked at is said to be silent', async () => {
  const { life, said, finish } = lifeOf({ ...load, server: serverParams('http://127.0.0.1:1') });
  const ready = life.ensure();
  life.quiet(25);
  assert.match(said.at(-1)?.advice ?? '', /^It has not answered for 25 seconds/);
  finish({ ...modelInfo, server });
  await ready;
  life.quiet(null);
  assert.equal(said.at(-1)?.state, 'ready');
});
