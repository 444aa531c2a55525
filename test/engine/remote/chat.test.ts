// The engine on a server with chat completions, with a twin: messages and calls there and back, counts that are estimates until the server has
// counted, and what such a server cannot do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prompts } from '../../../lab/bench/remote/prompts.ts';
import { serverParams } from '../../../lab/servers/serverParams.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import type { WorkerEngine } from '../../../src/engine/workerEngine.ts';
import { callMessage, chat, faultIn, message, result, words } from '../scenes/engineUnderTest.ts';
import { ask, never } from './asking.ts';
import { chatScene } from './chatScene.ts';
import { json, only, problemIn } from './meddling.ts';

const { twin, open } = await chatScene();

const sent = () => twin.asked.findLast(({ path }) => path === '/v1/chat/completions')?.body ?? {};

test('a server without ids is found to be one, and says so', async () => {
  const { info } = await open();
  assert.deepEqual([info.name, info.server?.grade, info.server?.ownSlots], ['pocket', 'estimated', null]);
  assert.match(info.server?.reasons[0] ?? '', /^No token ids: it has neither the \/props of llama-server nor/);
  assert.match(info.server?.reasons.join(' ') ?? '', /tidemark\.model\.contextSize counts/);
});

test('a server that does not tell its window has the least one, where none is set', async () => {
  const params = { ...serverParams(twin.url), kind: 'openai' } as const;
  const { info } = await openServer(params, { slots: 1, contextSize: null });
  assert.equal(info.contextSize, 8192);
  assert.match(info.server?.reasons.join(' ') ?? '', /8192 tokens are assumed\. Set tidemark\.model\.contextSize/);
});

test('a call comes back as a call, streamed as it is read', async () => {
  const heard: string[] = [];
  const { raw, stop } = await ask(await open(), prompts.tools as Prompt, { heard });
  assert.match(
    raw,
    /^<tool_call>\n\{"name": "find_symbol", "arguments": \{"name": "parseDuration"\}\}\n<\/tool_call>$/,
  );
  assert.deepEqual([heard.join(''), stop], [raw, 'end']);
});

test('messages, calls and results go in the form of the API', async () => {
  const calls = [{ id: 'call00001', name: 'find_symbol', arguments: { name: 'a' } }];
  const talked = chat(message('user', 'Where?'), callMessage('I look.', calls), result('One place.', 'src/a.ts:1'));
  await ask(await open(), { ...talked, tools: prompts.tools?.tools ?? [] });
  assert.deepEqual((sent().messages as object[]).slice(1), [
    { role: 'user', content: 'Where?' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'call00001', type: 'function', function: { name: 'find_symbol', arguments: '{"name":"a"}' } }],
    },
    { role: 'tool', content: 'One place.src/a.ts:1', tool_call_id: 'call00001' },
  ]);
});

test('what it counts corrects what is estimated', async () => {
  const engine = await open();
  const prompt = chat(message('user', words(300)));
  const first = (await engine.tokens(prompt)).measure;
  assert.equal(first.exact, false);
  const { prefill } = await ask(engine, prompt);
  const counted = prefill.reused + prefill.decoded;
  for (let i = 0; i < 4; i++) await ask(engine, prompt);
  const { total } = (await engine.tokens(prompt)).measure;
  assert.ok(Math.abs(total - counted) < 0.1 * counted, `${total} for ${counted}, ${first.total} at first`);
  const [count = 0] = await engine.count([words(300)]);
  assert.ok(Math.abs(count - counted) < 0.15 * counted, `${count} for ${counted}`);
});

test('where the server counts messages the sum is its own, and its parts add up to it', async () => {
  twin.meddle = only('/tokenize', json({ count: 777 }));
  const engine = await open();
  assert.equal(engine.info.server?.grade, 'counted');
  const { measure } = await engine.tokens(chat(message('user', words(100))));
  assert.equal(measure.total, 777);
  assert.equal(
    [...measure.segments, ...measure.tools, measure.glue].reduce((a, b) => a + b),
    777,
  );
  assert.equal(measure.margin, 0);
  assert.deepEqual(Object.keys(twin.asked.findLast(({ path }) => path === '/tokenize')?.body ?? {}).toSorted(), [
    'add_generation_prompt',
    'messages',
    'model',
  ]);
});

test('what it reused is its own count', async () => {
  const engine = await open();
  const prompt = chat(message('user', words(100)));
  await ask(engine, prompt);
  const again = await ask(engine, prompt);
  assert.equal(again.prefill.decoded, 1);
  assert.equal(again.prefill.firstBreak, null);
});

test('a prompt that does not fit is told as one, so that it can be trimmed', async () => {
  const engine = await open();
  assert.equal((await faultIn(ask(engine, chat(message('user', words(4000)))))).kind, 'doesNotFit');
});

test('a stream that ends without a word is asked for its reason without one', async () => {
  const engine = await open();
  // llama-cpp-python says its refusal only where nothing is streamed.
  twin.meddle = ({ path, body }, response) => {
    if (path !== '/v1/chat/completions') return false;
    if (body.stream === true) response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).end();
    else {
      const message =
        "This model's maximum context length is 1024 tokens. However, you requested 6040 tokens (6030 in the messages)";
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
    }
    return true;
  };
  assert.equal((await faultIn(ask(engine, chat(message('user', 'Hello.'))))).kind, 'doesNotFit');
  twin.meddle = ({ path, body }, response) => {
    if (path !== '/v1/chat/completions' || body.stream !== true) return false;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).end();
    return true;
  };
  assert.equal((await problemIn(ask(engine, chat(message('user', 'Hello.'))))).is, 'cut');
});

test('a model is found without the tag that Ollama gives it', async () => {
  twin.models = [{ id: 'other:latest' }, { id: 'pocket:latest' }];
  assert.equal((await open({ model: 'pocket' })).info.name, 'pocket:latest');
});

test('its own window counts where it tells one, and its model where several are there', async () => {
  twin.models = [
    { id: 'pocket', max_model_len: 1234 },
    { id: 'other', context_length: 99 },
  ];
  const first = await open();
  assert.deepEqual([first.info.name, first.info.contextSize], ['pocket', 1234]);
  assert.match(first.info.server?.reasons.join(' ') ?? '', /It has 2 models/);
  assert.equal((await open({ model: 'other' })).info.contextSize, 99);
  assert.equal((await problemIn(open({ model: 'none' }))).is, 'badAddress');
});

test('a server that takes no tools is used without them', async () => {
  twin.meddle = only('/v1/chat/completions', (asked, response) =>
    asked.body.tools === undefined ? false : json({ error: { message: 'tools are off.' } }, 400)(asked, response),
  );
  const { info } = await open();
  assert.deepEqual(info.toolCalls, { format: 'none', reason: 'the server takes no tools: tools are off' });
});

test('nothing is sent to warm it', async () => {
  const engine = await open();
  twin.asked.length = 0;
  const prompt = await engine.tokens(prompts.plain as Prompt);
  const { warmed, of } = await engine.warm(
    { slot: 0, reuse: 'exact', settleMilliseconds: 0 },
    prompt,
    () => undefined,
    never,
  );
  assert.equal(warmed, 0);
  assert.ok(of > 0);
  assert.deepEqual(twin.asked, []);
});

const warmth = async (engine: WorkerEngine, prompt: Prompt) =>
  engine.warm({ slot: 0, reuse: 'exact', settleMilliseconds: 0 }, await engine.tokens(prompt), () => undefined, never);

test('what the last answer left there should be there still, unless the server reuses nothing', async () => {
  const engine = await open();
  const first = chat(message('user', words(400)));
  const { raw, generated, prefill: before } = await ask(engine, first);
  const next = chat(message('user', words(400)), message('assistant', raw, generated), message('user', 'And?'));
  const { warmed, of, sent } = await warmth(engine, next);
  assert.ok(warmed > 0.9 * of && sent === false, `${warmed} of ${of}`);
  reports({ prompt_tokens: before.decoded + 20, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 0 } });
  const { prefill } = await ask(engine, next);
  assert.equal(prefill.firstBreak?.cause, 'server');
  assert.equal((await warmth(engine, next)).warmed, 0);
});

test('an estimate says how far off it may be: a third before anything was counted, less once the counts agree', async () => {
  const engine = await open();
  const prompt = chat(message('user', words(300)));
  const { total, margin = 0 } = (await engine.tokens(prompt)).measure;
  assert.ok(margin >= 0.3 * total);
  for (let i = 0; i < 12; i++) await ask(engine, prompt);
  const later = (await engine.tokens(prompt)).measure;
  assert.ok((later.margin ?? 0) < 0.1 * later.total, `${later.margin} of ${later.total}`);
});

/** Makes the server answer with one word and these counts. */
function reports(usage: object): void {
  const choices = [{ delta: { content: 'Yes' }, finish_reason: 'stop' }];
  twin.meddle = only('/v1/chat/completions', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify({ choices, usage })}\n\ndata: [DONE]\n\n`);
    return true;
  });
}

/** Makes the server answer with these deltas, and end. */
function saysOnly(...deltas: readonly object[]): void {
  const choices = [...deltas.map((delta) => ({ delta, finish_reason: null })), { delta: {}, finish_reason: 'stop' }];
  const events = choices.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`);
  twin.meddle = only('/v1/chat/completions', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${events.join('')}data: [DONE]\n\n`);
    return true;
  });
}

test('thoughts end where a call follows them, or nothing does', async () => {
  const heard: string[] = [];
  const called = { name: 'find_symbol', arguments: '{"name":"a"}' };
  saysOnly({ reasoning_content: 'Look.' }, { tool_calls: [{ index: 0, id: 'c', function: called }] });
  const { raw } = await ask(await open(), prompts.tools as Prompt, { heard });
  const call = '<tool_call>\n{"name": "find_symbol", "arguments": {"name": "a"}}\n</tool_call>';
  assert.deepEqual([raw, heard.join('')], [`<think>Look.</think>\n${call}`, raw]);
  saysOnly({ reasoning_content: 'Look.' });
  assert.equal((await ask(await open(), prompts.tools as Prompt)).raw, '<think>Look.</think>');
});

test('thoughts come in front of the answer, in marks', async () => {
  saysOnly({ reasoning_content: 'Let me ' }, { reasoning_content: 'see.' }, { content: 'Done.' });
  const engine = await open();
  const { raw, prefill } = await ask(engine, prompts.plain as Prompt);
  assert.equal(raw, '<think>Let me see.</think>Done.');
  assert.ok(prefill.decoded > 0);
});

test('Stop ends it, and what was written before a cut is heard', async () => {
  const engine = await open();
  const stop = new AbortController();
  stop.abort();
  assert.equal((await ask(engine, prompts.plain as Prompt, { signal: stop.signal })).stop, 'cancelled');
  const heard: string[] = [];
  twin.meddle = only('/v1/chat/completions', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"choices":[{"delta":{"content":"The tide"}}]}\n\n');
    return true;
  });
  assert.equal((await problemIn(ask(engine, prompts.plain as Prompt, { heard }))).is, 'cut');
  assert.deepEqual(heard, ['The tide']);
  twin.meddle = only('/v1/chat/completions', json({ error: { message: 'quota' } }, 429));
  assert.equal((await problemIn(ask(engine, prompts.plain as Prompt))).is, 'busy');
});
