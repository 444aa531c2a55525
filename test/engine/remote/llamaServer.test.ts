// The engine on a server, with the twin of llama-server: the same ids and texts as on this machine, prefixes as planned, and slots that are
// nobody else's.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { prompts } from '../../../lab/bench/remote/prompts.ts';
import { startLlamaTwin, type Twin } from '../../../lab/servers/llamaTwin.ts';
import { pocketPath, serverParams } from '../../../lab/servers/serverParams.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import { loadLocal } from '../../../src/engine/worker/local.ts';
import type { WorkerEngine } from '../../../src/engine/workerEngine.ts';
import { chat, faultIn, message, startEngine } from '../scenes/engineUnderTest.ts';
import { ask, never } from './asking.ts';
import { json, only } from './meddling.ts';

let twin: Twin;
let here: WorkerEngine;
const opened: WorkerEngine[] = [];
const slots = { slots: 1, contextSize: 4096 };
const nobody = { planned: () => undefined, progress: () => undefined, template: async () => undefined };
const quiet = { onText: () => undefined, onProgress: () => undefined };

before(async () => {
  twin = await startLlamaTwin();
  here = await loadLocal(
    { modelPath: pocketPath, contextSize: 2048, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 },
    nobody,
  );
});

afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.dispose();
  await twin.reset();
});

after(async () => {
  await Promise.all([twin.stop(), here.dispose()]);
});

async function open(more: Partial<Parameters<typeof openServer>[0]> = {}, wanted = slots): Promise<WorkerEngine> {
  const engine = await openServer({ ...serverParams(twin.url), ...more }, wanted);
  opened.push(engine);
  return engine;
}

const warmed = async (engine: WorkerEngine, prompt: Prompt) =>
  engine.warm({ slot: 0, reuse: 'exact', settleMilliseconds: 0 }, await engine.tokens(prompt), quiet.onProgress, never);

for (const [name, prompt] of Object.entries(prompts)) {
  test(`the ids and the greedy texts of ${name} are those of this machine`, async () => {
    const there = await open();
    assert.deepEqual((await there.tokens(prompt)).tokens, (await here.tokens(prompt)).tokens);
    assert.deepEqual((await there.tokens(prompt)).measure, (await here.tokens(prompt)).measure);
    for (const mode of ['auto', 'none', 'choice'] as const) {
      if (mode === 'choice' && prompt.tools.length === 0) continue;
      const [own, other] = [
        await ask(here, prompt, { toolCalls: mode }),
        await ask(there, prompt, { toolCalls: mode }),
      ];
      assert.deepEqual([other.raw, other.stop, other.generated.ids], [own.raw, own.stop, own.generated.ids], mode);
    }
  });
}

test('an answer that was cut off goes on behind its last id, and becomes what it would have been', async () => {
  const there = await open();
  const asked = chat(message('user', 'Where is the tide computed?'));
  const whole = await ask(there, asked, { maxTokens: 40 });
  const cut = await ask(there, asked, { maxTokens: 12 });
  const heard: string[] = [];
  const begun: Prompt = {
    ...asked,
    messages: [...asked.messages, message('assistant', cut.raw, cut.generated)],
    continues: true,
  };
  const rest = await ask(there, begun, { maxTokens: 28, heard });
  assert.deepEqual([rest.raw, rest.generated, rest.stop], [whole.raw, whole.generated, whole.stop]);
  assert.equal(cut.raw + heard.join(''), whole.raw);
  assert.equal(rest.prefill.decoded, 1);
  const next = chat(...asked.messages.slice(1), message('assistant', rest.raw, rest.generated), message('user', 'So?'));
  const { prefill } = await ask(there, next, { maxTokens: 4 });
  assert.ok(prefill.reused >= rest.prefill.reused + rest.generated.ids.length - cut.generated.ids.length);
});

test('it says what it is, how its tokens are known and why', async () => {
  const { info } = await open();
  assert.deepEqual(
    [info.name, info.contextSize, info.erases, info.server?.grade, info.server?.isLoopback],
    ['pocket', 2048, { not: 'a server keeps the beginning of a prompt only' }, 'exact', true],
  );
  assert.match(info.server?.reasons.join(' ') ?? '', /none of \d+ special strings acts within a text/);
});

test('a prompt that goes on decodes its new tokens only, by the count of the server', async () => {
  const engine = await open();
  const first = chat(message('user', 'Where is parseDuration defined?'));
  const answer = await ask(engine, first);
  const next = chat(
    ...first.messages.slice(1),
    message('assistant', '', answer.generated),
    message('user', 'And why?'),
  );
  const { prefill } = await ask(engine, next);
  const [{ tokens: was }, { tokens }] = [await engine.tokens(first), await engine.tokens(next)];
  // The last token of an answer that was cut off is not in the slot.
  const cut = answer.stop === 'end' ? 0 : 1;
  assert.equal(prefill.reused, was.length + answer.generated.ids.length - cut);
  assert.equal(prefill.reused + prefill.decoded, tokens.length);
  assert.equal(prefill.firstBreak, null);
});

test('what is warmed ahead is not decoded again', async () => {
  const engine = await open();
  const prompt = chat(message('user', 'Where is parseDuration defined?'));
  const warmth = await warmed(engine, prompt);
  assert.equal(warmth.warmed, warmth.of);
  assert.equal((await warmed(engine, prompt)).prefill.decoded, 0);
  const { prefill } = await ask(engine, prompt);
  assert.deepEqual([prefill.reused, prefill.firstBreak], [warmth.of, null]);
});

test('what the server let go of is said, with what it costs', async () => {
  const engine = await open();
  const prompt = chat(message('user', 'Where is parseDuration defined?'));
  const { of } = await warmed(engine, prompt);
  await twin.model.evict(engine.info.server?.ownSlots?.[0] ?? 0);
  const { prefill } = await ask(engine, prompt);
  assert.deepEqual(prefill.firstBreak, { cause: 'server', item: null, token: 0, again: of });
});

test('slots that somebody used are not taken while there are others', async () => {
  const used = { prompt: [1, 2, 3], n_predict: 0, id_slot: 0 };
  const fresh = await startLlamaTwin({ slots: 3 });
  await (await fetch(`${fresh.url}/completion`, { method: 'POST', body: JSON.stringify(used) })).text();
  const engine = await openServer(serverParams(fresh.url), { ...slots, slots: 2 });
  assert.deepEqual(engine.info.server?.ownSlots, [1, 2]);
  await ask(engine, prompts.plain as Prompt);
  assert.equal(fresh.asked.findLast(({ path }) => path === '/completion')?.body.id_slot, 1);
  const late = await openServer({ ...serverParams(fresh.url), slot: 2 }, { ...slots, slots: 2 });
  assert.deepEqual(late.info.server?.ownSlots, [2]);
  await Promise.all([engine.dispose(), late.dispose(), fresh.stop()]);
});

test('where all are used the server chooses, and it is said', async () => {
  const engine = await open();
  for (const slot of [0, 1]) {
    const body = JSON.stringify({ prompt: [1, 2, 3], n_predict: 0, id_slot: slot });
    await (await fetch(`${twin.url}/completion`, { method: 'POST', body })).text();
  }
  const other = await open();
  assert.equal(other.info.server?.ownSlots, null);
  assert.equal(engine.info.server?.ownSlots?.length, 1);
  assert.notEqual((await ask(other, prompts.plain as Prompt)).raw, '');
});

test('another model, window or template is noticed before anything is sent', async () => {
  for (const [props, what] of [
    [{ model_alias: 'other' }, 'its model changed'],
    [{ default_generation_settings: { n_ctx: 512 } }, 'its window changed'],
    [{ chat_template: 'x' }, 'its chat template changed'],
  ] as const) {
    const engine = await open();
    twin.props = props;
    twin.asked.length = 0;
    const fault = await faultIn(ask(engine, prompts.plain as Prompt));
    assert.deepEqual(fault, { kind: 'server', problem: { is: 'changed', host: new URL(twin.url).host, what } });
    assert.deepEqual(
      twin.asked.filter(({ path }) => path === '/completion'),
      [],
    );
    twin.props = {};
  }
});

test('another file under the same name is noticed as well', async () => {
  const engine = await open();
  const models = { data: [{ id: 'pocket', meta: { n_vocab: 9, n_ctx_train: 512, size: 2 } }] };
  twin.meddle = only('/v1/models', json(models));
  const fault = await faultIn(ask(engine, prompts.plain as Prompt));
  assert.deepEqual([fault.kind, fault.kind === 'server' && fault.problem.is], ['server', 'changed']);
});

test('Stop ends it with what there is, and the server is left', async () => {
  const engine = await open();
  const stop = new AbortController();
  const prompt = prompts.code as Prompt;
  const sampling = { temperature: 0, seed: null };
  const params = { slot: 0, prompt, maxTokens: 400, toolCalls: 'none', reuse: 'exact', sampling } as const;
  const heard = { ...quiet, onText: () => stop.abort() };
  const generation = await engine.generate(params, await engine.tokens(prompt), null, heard, stop.signal);
  assert.equal(generation.stop, 'cancelled');
  assert.ok(generation.generated.ids.length > 0);
  const next = await ask(engine, prompt, { toolCalls: 'none' });
  assert.equal(next.prefill.firstBreak, null);
});

test('a recorded message is decoded instead of being drawn', async () => {
  const engine = await open();
  const prompt = prompts.plain as Prompt;
  const params = { slot: 0, prompt, maxTokens: 9, toolCalls: 'auto', reuse: 'exact' } as const;
  const ids = await engine.message('It is in src/duration.ts.', []);
  const sampling = { temperature: 0, seed: null };
  const said = await engine.generate({ ...params, sampling }, await engine.tokens(prompt), ids, quiet, never);
  assert.deepEqual([said.raw, said.generated.ids, said.stop], ['It is in src/duration.ts.', ids, 'end']);
});

test('a probe leaves no conversation in doubt about its slot', async () => {
  const engine = await open({}, { ...slots, slots: 2 });
  const prompt = chat(message('user', 'Where is parseDuration defined?'));
  await ask(engine, prompt);
  const attempt = await engine.attempt({ prompt: prompts.plain as Prompt, toolCalls: 'auto', maxTokens: 8 }, never);
  assert.ok(attempt.generated.ids.length > 0);
  assert.equal((await ask(engine, prompt)).prefill.decoded, 1);
});

test('its key goes along where there is one, and nothing does where there is none', async () => {
  await open({ key: 'sesame' });
  assert.deepEqual(new Set(twin.asked.map(({ headers }) => headers.authorization)), new Set(['Bearer sesame']));
  twin.asked.length = 0;
  await open();
  assert.deepEqual(new Set(twin.asked.map(({ headers }) => headers.authorization)), new Set([undefined]));
});

test('over the engine process it is an engine like any other, without what a server cannot do', async () => {
  const { client } = startEngine();
  const server = serverParams(twin.url);
  const machine = { contextSize: 512, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
  const info = await client.load({ modelPath: '', server, ...machine });
  assert.equal(info.server?.grade, 'exact');
  assert.deepEqual([client.states, client.speed], [null, null]);
  const said: string[] = [];
  const request = { prompt: prompts.tools as Prompt, maxTokens: 40, toolCalls: 'auto', reuse: 'exact' } as const;
  const model = client.model(0, { temperature: 0, seed: null });
  const { raw } = await model.generate(request, (text) => said.push(text), never);
  assert.match(raw, /^<tool_call>/);
  assert.equal(said.join(''), raw);
  await client.load({ modelPath: pocketPath, ...machine });
  assert.notEqual(client.states, null);
});
