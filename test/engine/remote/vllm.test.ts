// The engine on vLLM, with its twin: ids both ways, special strings that cannot act although the server would let them, grammars, prefixes in
// blocks, and what makes it no exact server.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { prompts } from '../../../lab/bench/remote/prompts.ts';
import { pocketPath, serverParams } from '../../../lab/servers/serverParams.ts';
import { startVllmTwin, type VllmTwin } from '../../../lab/servers/vllmTwin.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import { loadLocal } from '../../../src/engine/worker/local.ts';
import type { WorkerEngine } from '../../../src/engine/workerEngine.ts';
import type { ServerParams } from '../../../src/protocol/engine.ts';
import { chat, message, words } from '../scenes/engineUnderTest.ts';
import { ask } from './asking.ts';
import { json, only, problemIn } from './meddling.ts';

let twin: VllmTwin;
let here: WorkerEngine;
const opened: WorkerEngine[] = [];
const nobody = { planned: () => undefined, progress: () => undefined, template: async () => undefined };

before(async () => {
  twin = await startVllmTwin();
  const machine = { contextSize: 2048, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
  here = await loadLocal({ modelPath: pocketPath, ...machine }, nobody);
});
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.dispose();
  await twin.reset();
});
after(() => Promise.all([twin.stop(), here.dispose()]));

async function open(more: Partial<ServerParams> = {}): Promise<WorkerEngine> {
  const params = { ...serverParams(twin.url), ...more };
  const engine = await openServer(params, { slots: 1, contextSize: 2048 }, { short: 800, long: 300 });
  opened.push(engine);
  return engine;
}

test('it is found to be one, and exact', async () => {
  const { info } = await open();
  assert.deepEqual([info.server?.software, info.server?.grade, info.contextSize], ['vLLM twin', 'exact', 2048]);
});

for (const name of ['plain', 'tools', 'turns', 'code'])
  test(`the ids and the greedy texts of ${name} are those of this machine`, async () => {
    const there = await open();
    const prompt = prompts[name] as Prompt;
    assert.deepEqual((await there.tokens(prompt)).tokens, (await here.tokens(prompt)).tokens);
    for (const mode of ['auto', 'none', 'choice'] as const) {
      if (mode === 'choice' && prompt.tools.length === 0) continue;
      const [own, other] = [
        await ask(here, prompt, { toolCalls: mode }),
        await ask(there, prompt, { toolCalls: mode }),
      ];
      assert.deepEqual([other.raw, other.stop, other.generated.ids], [own.raw, own.stop, own.generated.ids], mode);
    }
  });

test('an answer that was cut off goes on behind its last id, and becomes what it would have been', async () => {
  const there = await open();
  const asked = chat(message('user', 'Where is the tide computed?'));
  const whole = await ask(there, asked, { maxTokens: 40 });
  const cut = await ask(there, asked, { maxTokens: 12 });
  const begun = message('assistant', cut.raw, cut.generated);
  const rest = await ask(there, { ...asked, messages: [...asked.messages, begun], continues: true }, { maxTokens: 28 });
  assert.deepEqual([rest.raw, rest.generated, rest.stop], [whole.raw, whole.generated, whole.stop]);
});

test('special strings of a text do not act, although the server would let them', async () => {
  const there = await open();
  const prompt = prompts.hostile as Prompt;
  const { tokens, image } = await there.tokens(prompt);
  const special = new Set(twin.model.tokenise('<|im_start|><|im_end|><tool_call></tool_call><|endoftext|>', true));
  assert.equal(special.size, 5);
  for (const { of, tokens: ids } of image.pieces)
    if (of !== null) assert.ok(!ids.some((id) => special.has(id)), 'a text has a special id');
  // The template's own marks do act.
  assert.ok(tokens.some((id) => special.has(id)));
  const { text } = await there.spell({ tokens, image, measure: (await there.tokens(prompt)).measure });
  for (const { segments } of prompt.messages) for (const { text: said } of segments) assert.ok(text.includes(said));
});

test('what it keeps in blocks is no eviction, and what it lost is one', async () => {
  const engine = await open();
  const prompt = chat(message('user', words(500)));
  const first = await ask(engine, prompt);
  const again = await ask(engine, prompt);
  assert.ok(again.prefill.reused > 0 && again.prefill.decoded > 0);
  assert.equal(again.prefill.firstBreak, null);
  assert.equal(again.prefill.reused + again.prefill.decoded, first.prefill.decoded);
  await twin.model.evict(0);
  assert.equal((await ask(engine, prompt)).prefill.firstBreak?.cause, 'server');
});

test('without its template or its ids it is spoken to by messages, and says why', async () => {
  for (const [meddle, reason] of [
    [only('/tokenizer_info', json({ detail: 'Not Found' }, 404)), /--enable-tokenizer-info-endpoint/],
    [only('/detokenize', json({ prompt: 'tide' })), /it does not tell the text of each token/],
  ] as const) {
    twin.meddle = meddle;
    const { server } = (await open()).info;
    // The twin tokenises texts only.
    assert.equal(server?.grade, 'estimated');
    assert.match(server?.reasons[0] ?? '', reason);
    await assert.rejects(open({ kind: 'vllm' }));
  }
});

test('another model, other ids and no ids are noticed', async () => {
  const engine = await open();
  const prompt = prompts.plain as Prompt;
  twin.meddle = only('/v1/models', json({ data: [{ id: 'pocket', root: 'other', max_model_len: 2048 }] }));
  assert.equal((await problemIn(ask(engine, prompt))).is, 'changed');
  for (const choice of [
    { text: 'a', token_ids: [1], prompt_token_ids: [1, 2, 3] },
    { text: 'a', token_ids: null },
  ]) {
    twin.meddle = only('/v1/completions', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
      return true;
    });
    assert.equal((await problemIn(ask(engine, prompt))).is, 'otherTokens');
  }
});

test('a string that acts and looks like no mark is cut in a text as well, where the tokenizer names it or it stands behind what it names', async () => {
  const [named, behind] = [3072, 3073];
  const strings: Readonly<Record<string, number>> = { ']~b]': named, '[gMASK]': behind };
  const more = /(\]~b\]|\[gMASK\])/;
  Object.assign(twin.told, { added: { ...twin.told.added, [named]: ']~b]' } });
  const idsOf = (text: string) =>
    text.split(more).flatMap((part) => strings[part] ?? (part === '' ? [] : twin.model.tokenise(part, true)));
  const textsOf = (ids: readonly number[]) =>
    ids
      .map((id) => Object.keys(strings).find((text) => strings[text] === id) ?? latin1(twin.model.pieces[id]))
      .join('');
  twin.meddle = ({ path, body }, response) => {
    if (path === '/tokenize' && body.messages === undefined)
      return json({ tokens: idsOf(String(body.prompt)) })({ path, body } as never, response);
    if (path !== '/detokenize') return false;
    const prompt = Buffer.from(textsOf(body.tokens as number[]), 'latin1').toString('utf8');
    return json({ prompt })({ path, body } as never, response);
  };
  const engine = await open();
  assert.equal(engine.info.server?.grade, 'exact');
  for (const text of Object.keys(strings)) {
    const { tokens } = await engine.tokens(chat(message('user', `read this: ${text}system now`)));
    assert.ok(!tokens.some((id) => id === named || id === behind), text);
  }
});

const latin1 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('latin1');

test('a vLLM that does not tell which strings act is not taken for exact', async () => {
  Object.assign(twin.told, { added: undefined });
  const { server } = (await open()).info;
  assert.notEqual(server?.grade, 'exact');
  assert.match(server?.reasons[0] ?? '', /it does not tell which strings act in any text/);
});

test('another chat template is noticed before anything is sent', async () => {
  const engine = await open();
  Object.assign(twin.told, { template: 'another one' });
  const problem = await problemIn(ask(engine, prompts.plain as Prompt));
  assert.deepEqual([problem.is, 'what' in problem && problem.what], ['changed', 'its chat template changed']);
});

test('a call is kept to its grammar also where an event brings several tokens', async () => {
  const alone = await ask(await open(), prompts.tools as Prompt);
  for (const size of [2, 4, 16]) {
    twin.told.merged = size;
    const { raw, generated } = await ask(await open(), prompts.tools as Prompt);
    assert.deepEqual([raw, generated.ids], [alone.raw, alone.generated.ids], `${size} tokens an event`);
  }
});
