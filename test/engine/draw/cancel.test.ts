// Cancelling: soon, with what there is; and what was decoded is not decoded again.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { largestBatch } from '../../../src/core/machine/askers.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { chat, loadParams, message, say, startEngine, words } from '../scenes/engineUnderTest.ts';

const engine = startEngine();
const long = chat(message('user', words(1800)));
const measure = (prompt: Prompt) => engine.client.request('measure', { prompt });

beforeEach(async () => {
  engine.onPrefill = null;
  engine.heard.prefilling.length = 0;
  await engine.client.request('load', loadParams({ contextSize: 8192 }));
});

test('prefill tells how far it is, chunk by chunk, up to the last token', async () => {
  await say(engine, long, { maxTokens: 1 });
  const { total } = await measure(long);
  const done = engine.heard.prefilling.map((notice) => notice.done);
  assert.ok(done.length >= Math.ceil((total - 1) / largestBatch), `${done.length} notices`);
  assert.deepEqual(
    done,
    done.toSorted((a, b) => a - b),
  );
  assert.equal(done.at(-1), total - 1);
  assert.ok(engine.heard.prefilling.every(({ of }) => of === total - 1));
});

test('cancelled during prefill it stops between chunks, and the next request goes on from there', async () => {
  const { total } = await measure(long);
  const abort = new AbortController();
  engine.onPrefill = () => abort.abort();
  const first = await say(engine, long, { signal: abort.signal });
  assert.equal(first.stop, 'cancelled');
  assert.deepEqual([first.raw, first.generated.ids.length], ['', 0]);
  assert.ok(first.prefill.decoded > 0 && first.prefill.decoded < total - 1, `${first.prefill.decoded} of ${total}`);
  const second = await say(engine, long);
  assert.equal(second.prefill.reused, first.prefill.decoded);
  assert.equal(second.prefill.reused + second.prefill.decoded, total);
  const whole = await say(engine, long);
  assert.deepEqual(second.generated, whole.generated);
});

test('cancelled during generation it keeps what was said, and that is reused', async () => {
  const prompt = chat(message('user', 'Tell me everything'));
  const { total } = await measure(prompt);
  const abort = new AbortController();
  const onText = () => abort.abort();
  const first = await say(engine, prompt, { maxTokens: 4000, signal: abort.signal, onText });
  assert.equal(first.stop, 'cancelled');
  const said = first.generated.ids.length;
  assert.ok(said > 0 && said < 4000);
  assert.equal(first.streamed, first.raw);
  const messages = [message('assistant', first.raw, first.generated), message('user', 'Go on')];
  const next = await say(engine, chat(...prompt.messages.slice(1), ...messages));
  // The engine may have been making one more token when the cancel arrived.
  assert.ok(next.prefill.reused >= total + said - 1 && next.prefill.reused <= total + said);
});

test('a signal that has fired before the request cancels it', async () => {
  const { stop } = await say(engine, long, { maxTokens: 4000, signal: AbortSignal.abort() });
  assert.equal(stop, 'cancelled');
});

test('cancelled while it waits for its turn it does not disturb the one before it', async () => {
  const abort = new AbortController();
  const first = say(engine, long, { maxTokens: 40 });
  const second = say(engine, chat(message('user', 'Hi')), { signal: abort.signal });
  abort.abort();
  const { prefill } = await first;
  assert.equal((await second).stop, 'cancelled');
  assert.equal((await say(engine, long)).prefill.reused, prefill.decoded - 1);
});

test('a signal that fires after the end changes nothing', async () => {
  const abort = new AbortController();
  const first = await say(engine, long, { signal: abort.signal });
  abort.abort();
  assert.equal(first.stop, 'length');
  assert.equal((await say(engine, long)).stop, 'length');
});

test('stops within seconds, also when cancelled again and again', async () => {
  for (let i = 0; i < 10; i++) {
    const abort = new AbortController();
    const started = performance.now();
    const running = say(engine, chat(message('user', `${i} ${words(2000, i)}`)), { signal: abort.signal });
    setTimeout(() => abort.abort(), i * 5);
    await running;
    assert.ok(performance.now() - started < 10_000);
  }
});
