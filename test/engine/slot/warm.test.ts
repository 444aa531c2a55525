// Warming: what is prefilled ahead is an exact prefix of the next real call, and it never makes that call wait.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { WarmParams } from '../../../src/core/engine/prefill.ts';
import type { PrefillProgress } from '../../../src/core/model/model.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { chat, loadParams, message, probeTool, result, say, startEngine, words } from '../scenes/engineUnderTest.ts';

const engine = startEngine();
const warming = (prompt: Prompt, slot = 0): WarmParams => ({ slot, prompt, reuse: 'auto', settleMilliseconds: 60_000 });
const warm = (prompt: Prompt, slot = 0) => engine.client.request('warm', warming(prompt, slot));
const head = chat(message('user', words(60)), message('assistant', words(80)));
const asking = (text: string, tools = [probeTool]): Prompt => ({
  messages: [...head.messages, message('user', text)],
  tools,
});

beforeEach(async () => {
  await engine.client.request('load', loadParams({ contextSize: 8192, slots: 2 }));
});

test('what was warmed is reused by any next question, tools included', async () => {
  const { warmed, of, prefill } = await warm(asking(''));
  assert.equal(warmed, of);
  assert.deepEqual([prefill.reused, prefill.decoded], [0, of]);
  const next = await say(engine, asking('Why?'), { maxTokens: 1 });
  assert.equal(next.prefill.reused, warmed);
  assert.equal(next.prefill.slotTokens, warmed);
  const { total, starts } = await engine.client.request('measure', { prompt: asking('Why?') });
  assert.equal(starts.at(-1), warmed);
  assert.equal(next.prefill.decoded, total - warmed);
});

test('idle work tells who asked for it how far it is, and nobody else', async () => {
  const told: PrefillProgress[] = [];
  const others: PrefillProgress[] = [];
  await engine.client.prefill(warming(asking('')), (progress) => void others.push(progress));
  const before = others.length;
  const { of } = await engine.client.prefill(warming(asking(''), 1), (progress) => void told.push(progress));
  assert.equal(others.length, before);
  assert.ok(told.length > 1 && told.every(({ of: all }) => all === of));
  assert.deepEqual(
    told.map(({ done }) => done),
    told.map(({ done }) => done).toSorted((a, b) => a - b),
  );
  assert.equal(told.at(-1)?.done, of);
});

test('answers after warming equal those of a cold slot, though the chunks were others', async () => {
  const cold = await say(engine, asking('Why?'), { slot: 1, maxTokens: 24 });
  await warm(asking(''));
  const { generated } = await say(engine, asking('Why?'), { maxTokens: 24 });
  assert.deepEqual(generated.ids, cold.generated.ids);
});

test('with other tools the warm prefix ends where they begin', async () => {
  await warm(asking(''));
  const { prefill } = await say(engine, asking('Why?', []), { maxTokens: 1 });
  assert.ok(prefill.reused > 0 && prefill.reused < 12);
});

test('warm already, it decodes nothing and keeps the tail', async () => {
  const said = await say(engine, asking('Why?'), { maxTokens: 5 });
  const { warmed, of, prefill } = await warm(asking(''));
  assert.equal(warmed, of);
  assert.equal(prefill.decoded, 0);
  assert.equal(prefill.slotTokens, said.prefill.reused + said.prefill.decoded + 4);
  assert.equal((await say(engine, asking('Why?'))).prefill.decoded, 1);
});

test('the text of a tool result at the end does not count as stable', async () => {
  const prompt = { ...head, messages: [...head.messages, result('1 line:', 'body')] };
  const { of } = await warm(prompt);
  const { starts } = await engine.client.request('measure', { prompt });
  assert.equal(of, starts.at(-1));
});

test('a foreground request interrupts it, and its part is kept', async () => {
  const long = chat(message('user', words(2500)), message('user', 'x'));
  const waiting = warm(long);
  const { prefill } = await say(engine, long, { maxTokens: 1 });
  const { warmed, of } = await waiting;
  assert.ok(warmed < of, `${warmed} of ${of}`);
  assert.equal(prefill.reused, warmed);
});

test('a foreground request on another slot interrupts it too', async () => {
  const long = chat(message('user', words(2500)), message('user', 'x'));
  const waiting = warm(long, 1);
  await say(engine, asking('Why?'), { maxTokens: 1 });
  const { warmed, of } = await waiting;
  assert.ok(warmed < of, `${warmed} of ${of}`);
  const again = await warm(long, 1);
  assert.deepEqual([again.prefill.reused, again.warmed], [warmed, of]);
});

test('interrupted before its turn came it leaves the slot alone', async () => {
  const running = say(engine, asking('Why?'), { maxTokens: 40 });
  const warming = warm(chat(message('user', words(300)), message('user', 'x')));
  const next = say(engine, asking('Why?'), { maxTokens: 1 });
  await running;
  assert.equal((await warming).prefill.decoded, 0);
  assert.equal((await next).prefill.decoded, 1);
});

test('of several warmings the last one counts, and a request interrupts them all', async () => {
  const long = (seed: number) => chat(message('user', words(2500, seed)), message('user', 'x'));
  const warmings = [warm(long(1)), warm(long(2)), warm(long(3))];
  await say(engine, asking('Why?'), { maxTokens: 1 });
  for (const { warmed, of } of await Promise.all(warmings)) assert.ok(warmed < of);
});

test('cancelling stops it', async () => {
  const abort = new AbortController();
  const long = chat(message('user', words(2500)), message('user', 'x'));
  const waiting = engine.client.request('warm', warming(long), abort.signal);
  setTimeout(() => abort.abort(), 20);
  const { warmed, of } = await waiting;
  assert.ok(warmed < of);
  assert.equal((await warm(long)).prefill.reused, warmed);
});

test('slots do not starve each other: a short request does not wait for a long prompt on another slot', async () => {
  const order: string[] = [];
  const long = say(engine, chat(message('user', words(3000))), { maxTokens: 1 }).then(() => order.push('long'));
  const short = say(engine, chat(message('user', words(20))), { slot: 1, maxTokens: 1 }).then(() =>
    order.push('short'),
  );
  await Promise.all([long, short]);
  assert.deepEqual(order, ['short', 'long']);
});

test('of warmings in two slots the later one counts, and a request on either ends it within one chunk', async () => {
  const ahead = (n: number) => chat(message('user', words(2500, n)), message('user', 'x'));
  const warmings = [warm(ahead(1)), warm(ahead(2), 1)];
  await new Promise((resolve) => setTimeout(resolve, 30));
  await say(engine, chat(message('user', 'Hi')), { slot: 1, maxTokens: 1 });
  for (const { warmed, of, prefill } of await Promise.all(warmings)) {
    assert.ok(warmed < of);
    assert.ok(prefill.decoded > 0, `${prefill.decoded}`);
  }
});
