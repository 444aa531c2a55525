// A server that says the key it was sent: in errors, names, addresses, answers and calls. Nothing of it comes out of the engine.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { prompts } from '../../../lab/bench/remote/prompts.ts';
import { startLlamaTwin, type Twin } from '../../../lab/servers/llamaTwin.ts';
import type { Meddle } from '../../../lab/servers/twinServer.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { ask } from './asking.ts';
import { chatScene } from './chatScene.ts';
import { json, only, openAt, problemIn } from './meddling.ts';

const key = 'sk-TIDE/KEY+1234567890=abcdef';
const prompt = prompts.tools as Prompt;
const { twin, open } = await chatScene();
const openWithKey = () => open({ key });
let llama: Twin;
before(async () => {
  llama = await startLlamaTwin();
});
after(() => llama.stop());

/** Joins all texts of a value, so that no escape hides the key. */
function saidIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value).flat().map(saidIn).join('\n');
}

function isHidden(value: unknown): void {
  const said = saidIn(value);
  assert.match(said, /\[key\]/);
  for (let at = 0; at + 5 <= key.length; at++)
    for (const part of [key.slice(at, at + 5), encodeURIComponent(key).slice(at, at + 5)])
      assert.ok(!said.includes(part), said);
}

function stream(...events: readonly object[]): Meddle {
  return only('/v1/chat/completions', (_, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const all = [...events, { choices: [{ delta: {}, finish_reason: 'stop' }] }];
    response.end(all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    return true;
  });
}
const delta = (said: object) => ({ choices: [{ delta: said, finish_reason: null }] });

for (const [status, is] of [
  [400, 'failed'],
  [429, 'busy'],
  [500, 'failed'],
  [503, 'busy'],
] as const)
  for (const [what, body] of Object.entries({
    'in its words': { error: { message: `header was Bearer ${key}` } },
    'as a text': { error: `header was Bearer ${key}` },
    'in an object of another form': { error: { [key]: { key } } },
    'in a page': `header was ${encodeURIComponent(key)}`,
    'where the words are cut': { error: { message: `${'x'.repeat(285)} ${key}` } },
  }))
    test(`the key ${what} with ${status} is not told`, async () => {
      const engine = await openWithKey();
      twin.meddle = only('/v1/chat/completions', json(body, status));
      const problem = await problemIn(ask(engine, prompt));
      assert.equal(problem.is, is);
      isHidden(problem);
    });

test('the key in an error within a stream is not told, however it is cut', async () => {
  const engine = await openWithKey();
  for (const message of [key, `Basic ${Buffer.from(`me:${key}`).toString('base64')}`, encodeURIComponent(key)]) {
    const bytes = Buffer.from(`data: ${JSON.stringify({ error: { message: `a ${message} b` } })}\n\n`);
    twin.meddle = only('/v1/chat/completions', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(bytes.subarray(0, 40));
      setTimeout(() => response.end(bytes.subarray(40)), 30);
      return true;
    });
    isHidden(await problemIn(ask(engine, prompt)));
  }
});

test('the key in an address that it redirects to is not told', async () => {
  twin.meddle = (_, response) => {
    response.writeHead(302, { location: `https://elsewhere.example/?key=${encodeURIComponent(key)}` });
    response.end();
    return true;
  };
  isHidden(await problemIn(openWithKey()));
});

test('the key in the name of a model is not told', async () => {
  twin.models = [{ id: `m-${key}` }];
  isHidden((await openWithKey()).info);
});

test('the key in a reason against tools is not told', async () => {
  twin.meddle = only('/v1/chat/completions', (asked, response) =>
    asked.body.tools === undefined ? false : json({ error: { message: `no tools for ${key}` } }, 400)(asked, response),
  );
  isHidden((await openWithKey()).info);
});

test('the key in an answer is not told, character by character either', async () => {
  const engine = await openWithKey();
  for (const pieces of [[`It is ${key}.`], [...`It is ${key}.`], ['It is sk-TI', 'DE/KEY+12345', '67890=abcdef.']])
    for (const field of ['content', 'reasoning_content']) {
      const heard: string[] = [];
      twin.meddle = stream(...pieces.map((piece) => delta({ [field]: piece })));
      const { raw } = await ask(engine, prompt, { heard });
      isHidden(raw);
      assert.equal(heard.join(''), raw);
    }
});

test('what only begins like the key is said whole', async () => {
  const engine = await openWithKey();
  const heard: string[] = [];
  twin.meddle = stream(delta({ reasoning_content: 'sk-T' }), delta({ content: 'sk-TIDE' }), delta({ content: '/K' }));
  const { raw } = await ask(engine, prompt, { heard });
  assert.deepEqual([raw, heard.join('')], ['<think>sk-T</think>sk-TIDE/K', raw]);
});

test('the key in a call is not told, in pieces either', async () => {
  const engine = await openWithKey();
  const called = (given: object) => delta({ tool_calls: [{ index: 0, function: given }] });
  twin.meddle = stream(
    called({ name: 'find_symbol', arguments: '{"name": "sk-TIDE/KEY+123' }),
    called({ arguments: '4567890=abcdef"}' }),
  );
  isHidden((await ask(engine, prompt)).raw);
});

test('the key in what a llama-server tells of itself is not told', async () => {
  llama.props = { build_info: `b1 ${key}`, model_alias: key };
  const engine = await openAt(llama.url, { key });
  isHidden(engine.info);
  await engine.dispose();
  await llama.reset();
});

test('the key in an answer of tokens is not told, and its ids are not kept', async () => {
  const engine = await openAt(llama.url, { key });
  llama.meddle = only('/completion', ({ body }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const evaluated = { tokens_evaluated: (body.prompt as readonly number[]).length };
    const tell = (said: object) => response.write(`data: ${JSON.stringify({ ...evaluated, ...said })}\n\n`);
    const ids = llama.model.tokenise(`It is ${key}.`, false);
    for (const [at, id] of ids.entries())
      tell({
        stop: false,
        content: Buffer.from(llama.model.pieces[id] ?? []).toString(),
        tokens: [id],
        tokens_predicted: at + 1,
      });
    tell({ stop: true, stop_type: 'eos', tokens: [], timings: { cache_n: 0, prompt_n: evaluated.tokens_evaluated } });
    response.end();
    return true;
  });
  const heard: string[] = [];
  const { raw, generated } = await ask(engine, prompts.plain as Prompt, { heard });
  isHidden(raw);
  assert.deepEqual([heard.join(''), generated.ids], [raw, []]);
  await engine.dispose();
  await llama.reset();
});

test('without a key, or with one that is a word, nothing is hidden', async () => {
  const engine = await open({ key: 'none' });
  twin.meddle = stream(delta({ content: 'none of it' }));
  assert.equal((await ask(engine, prompt)).raw, 'none of it');
});
