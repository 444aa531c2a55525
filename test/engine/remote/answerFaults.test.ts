// Faults of a server while it writes, one kind after another, with the twin of llama-server: each ends in words with advice, nothing hangs, what was
// heard stays, and the engine goes on.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { prompts } from '../../../lab/bench/remote/prompts.ts';
import { startLlamaTwin, type Twin } from '../../../lab/servers/llamaTwin.ts';
import type { Meddle } from '../../../lab/servers/twinServer.ts';
import type { ServerProblem } from '../../../src/core/faults/serverFaults.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { ask } from './asking.ts';
import { html, json, only, openAt, patience, problemIn, redirect, reset } from './meddling.ts';

const prompt = prompts.plain as Prompt;
const maxTokens = 12;
let twin: Twin;
const open = () => openAt(twin.url);

before(async () => {
  twin = await startLlamaTwin();
});
afterEach(() => twin.reset());
after(() => twin.stop());

type Stream = (response: ServerResponse, ids: readonly number[]) => void;
const stream = (act: Stream): Meddle =>
  only('/completion', ({ body }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    act(response, body.prompt as readonly number[]);
    return true;
  });
const event = (ids: readonly number[], said: object) =>
  `data: ${JSON.stringify({ tokens_evaluated: ids.length, stop: false, ...said })}\n\n`;
const word = (ids: readonly number[], written: number) =>
  event(ids, { content: 'tide', tokens: [301], tokens_predicted: written });
const over = (ids: readonly number[], more: object = {}) =>
  event(ids, { stop: true, tokens: [], stop_type: 'eos', timings: { cache_n: 0, prompt_n: ids.length }, ...more });

/** Answers of the server while it writes, each with the problem that it counts as. */
const answers: Readonly<Record<string, readonly [Meddle, ServerProblem['is']]>> = {
  'a refusal': [only('/completion', json({ error: { message: 'no' } }, 401)), 'refused'],
  'a wrong request': [only('/completion', json({ error: { message: 'prompt is empty' } }, 400)), 'failed'],
  'a web page': [only('/completion', html), 'notUnderstood'],
  'a redirect': [only('/completion', redirect), 'redirect'],
  'a reset before the first word': [only('/completion', reset), 'cut'],
  'an end before the end': [stream((response, ids) => void response.end(word(ids, 1))), 'cut'],
  'a reset within the answer': [
    stream((response, ids) => {
      response.write(word(ids, 1));
      setTimeout(() => response.socket?.resetAndDestroy(), 20);
    }),
    'cut',
  ],
  'an error within the answer': [
    stream((response, ids) => void response.end(`${word(ids, 1)}data: {"error":{"message":"out of memory"}}\n\n`)),
    'failed',
  ],
  'an event that is no JSON': [stream((response) => void response.end('data: {"content":\n\n')), 'notUnderstood'],
  'an event that does not end': [
    stream((response) => void response.end(`data: ${'x'.repeat(17 * 1024 * 1024)}`)),
    'notUnderstood',
  ],
  'another count of the prompt': [
    stream((response, ids) => void response.end(event(ids, { tokens_evaluated: 1, content: 'x', tokens: [301] }))),
    'otherTokens',
  ],
  'sums that do not add up': [
    stream((response, ids) => void response.end(over(ids, { timings: { cache_n: 1, prompt_n: 1 } }))),
    'otherTokens',
  ],
  'an id that there is not': [
    stream((response, ids) => void response.end(event(ids, { content: 'x', tokens: [999_999], tokens_predicted: 1 }))),
    'otherTokens',
  ],
  'ids that it leaves out and nobody can tell': [
    stream((response, ids) => void response.end(event(ids, { content: 'x', tokens: [301], tokens_predicted: 3 }))),
    'otherTokens',
  ],
  'an answer that does not end': [
    stream((response, ids) => {
      let written = 0;
      const timer = setInterval(() => response.write(word(ids, ++written)), 0);
      response.on('close', () => clearInterval(timer));
    }),
    'endless',
  ],
  'an answer without an end whose count stands still': [
    stream((response, ids) => {
      const timer = setInterval(() => response.write(word(ids, 1)), 0);
      response.on('close', () => clearInterval(timer));
    }),
    'endless',
  ],
  'silence, and nobody is at work': [stream(() => undefined), 'silent'],
  'silence of all of it': [(asked) => asked.path !== '/props', 'silent'],
};
for (const [name, [meddle, is]] of Object.entries(answers))
  test(`${name}, in an answer: ${is}`, async () => {
    const engine = await open();
    twin.meddle = meddle;
    const heard: string[] = [];
    const problem = await problemIn(ask(engine, prompt, { heard, maxTokens }));
    assert.equal(problem.is, is);
    if (name.includes('within') || name === 'an end before the end') assert.notEqual(heard.join(''), '');
    await twin.reset();
    // Nothing is left behind that the next one would trip over.
    assert.notEqual((await ask(engine, prompt, { maxTokens })).raw, '');
    await engine.dispose();
  });

test('a server that is slow but at work is waited for, as long as it takes', async () => {
  const engine = await open();
  twin.meddle = (asked, response) => {
    if (asked.path === '/slots') return json([{ id: 0, is_processing: true }])(asked, response);
    return stream((answer, ids) => void setTimeout(() => answer.end(`${word(ids, 1)}${over(ids)}`), 8 * patience.long))(
      asked,
      response,
    );
  };
  assert.equal((await ask(engine, prompt, { maxTokens })).stop, 'end');
  await engine.dispose();
});

test('a character that comes in two pieces is one', async () => {
  const engine = await open();
  twin.meddle = stream((response, ids) => {
    const bytes = Buffer.from(`${event(ids, { content: 'é', tokens: [301], tokens_predicted: 1 })}${over(ids)}`);
    const at = bytes.indexOf('é') + 1;
    response.write(bytes.subarray(0, at));
    setTimeout(() => response.end(bytes.subarray(at)), 30);
  });
  assert.equal((await ask(engine, prompt, { maxTokens })).stop, 'end');
  await engine.dispose();
});

test('no request is sent twice', async () => {
  const engine = await open();
  for (const meddle of [
    only('/completion', reset),
    only('/completion', json('', 500)),
    stream((one) => void one.end()),
  ]) {
    twin.asked.length = 0;
    twin.meddle = meddle;
    await problemIn(ask(engine, prompt, { maxTokens }));
    assert.equal(twin.asked.filter(({ path }) => path === '/completion').length, 1);
  }
  await engine.dispose();
});

test('more reused than was sent is not believed', async () => {
  const engine = await open();
  twin.meddle = stream(
    (response, ids) =>
      void response.end(`${word(ids, 1)}${over(ids, { timings: { cache_n: 9_007_199_254_740_991 } })}`),
  );
  const { prefill } = await ask(engine, prompt, { maxTokens });
  assert.ok(prefill.decoded >= 0 && prefill.reused < 10_000, JSON.stringify(prefill));
  await engine.dispose();
});
