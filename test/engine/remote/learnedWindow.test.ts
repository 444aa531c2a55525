// A server with chat completions that refuses a prompt as too long: its own numbers are said, its window is learned, and what cannot fit is not sent again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Meddle } from '../../../lab/servers/twinServer.ts';
import type { WorkerEngine } from '../../../src/engine/workerEngine.ts';
import { chat, faultIn, message, words } from '../scenes/engineUnderTest.ts';
import { ask } from './asking.ts';
import { chatScene } from './chatScene.ts';
import { json, only, problemIn } from './meddling.ts';

const { twin, open } = await chatScene();
const long = chat(message('user', words(1500)));
const longer = chat(message('user', words(1600)));
const short = chat(message('user', words(100)));
const sent = () => twin.asked.filter(({ path }) => path === '/v1/chat/completions').length;

const refuses = (error: unknown, status = 400): Meddle => only('/v1/chat/completions', json({ error }, status));
const asEvent = (error: unknown, before = ''): Meddle =>
  only('/v1/chat/completions', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${before}data: ${JSON.stringify({ error })}\n\n`);
    return true;
  });

async function refused(engine: WorkerEngine, meddle: Meddle) {
  twin.meddle = meddle;
  const fault = await faultIn(ask(engine, long, { maxTokens: 400 }));
  assert.ok(fault.kind === 'doesNotFit', JSON.stringify(fault));
  twin.meddle = () => false;
  twin.asked.length = 0;
  return fault;
}

const openai =
  "This model's maximum context length is 1500 tokens. However, you requested 2400 tokens (2000 in the messages, 400 in the completion).";

for (const [what, meddle, window, needed] of [
  ['in words', refuses({ message: openai }), 1500, 2000],
  ['as an event', asEvent({ message: openai }), 1500, 2000],
  ['as JSON with the status 200', refuses({ message: openai }, 200), 1500, 2000],
  ['with 413', refuses(openai, 413), 1500, 2000],
  [
    'in fields',
    refuses({ message: 'exceeds the available context size', n_prompt_tokens: 1999, n_ctx: 1501 }),
    1501,
    1999,
  ],
] as const)
  test(`its own numbers are said (${what}), and the next prompt that is too long is not sent`, async () => {
    const engine = await open();
    const fault = await refused(engine, meddle);
    assert.deepEqual([fault.window, fault.needed, fault.reserve], [window, needed, 375]);
    const next = await faultIn(ask(engine, longer, { maxTokens: 375 }));
    assert.deepEqual([next.kind, next.kind === 'doesNotFit' && next.window, sent()], ['doesNotFit', window, 0]);
    assert.notEqual((await ask(engine, short)).raw, '');
    assert.equal(sent(), 1);
  });

test('what it counts in a refusal corrects what is estimated', async () => {
  const engine = await open();
  const before = (await engine.tokens(long)).measure.total;
  const { needed } = await refused(engine, refuses({ message: openai.replace('2000', String(2 * before)) }));
  const after = (await engine.tokens(long)).measure.total;
  assert.equal(needed, 2 * before);
  assert.ok(after > 1.4 * before, `${after} of ${before}`);
});

test('a window that is too small, too large, or not named is not learned', async () => {
  const engine = await open();
  for (const window of ['1', '1023', '8192', '9007199254740991', 'unknown'])
    await refused(engine, refuses({ message: openai.replace('1500', window) }));
  await ask(engine, short);
  twin.meddle = refuses({ message: 'no' });
  assert.equal((await problemIn(ask(engine, long))).is, 'failed');
  assert.equal(sent(), 2);
});

test('behind its first word a refusal is a failure: nothing is asked again', async () => {
  const engine = await open();
  const before = `data: ${JSON.stringify({ choices: [{ delta: { content: 'The ' } }] })}\n\n`;
  twin.meddle = asEvent({ message: openai }, before);
  const heard: string[] = [];
  assert.equal((await problemIn(ask(engine, long, { heard }))).is, 'failed');
  assert.deepEqual(heard, ['The ']);
});
