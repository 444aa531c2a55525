// A generation beside the slots: no conversation loses what its slot holds, and it gives way at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probe } from '../../../src/core/abilities/probe.ts';
import { chat, loadParams, message, say, startEngine, words } from '../scenes/engineUnderTest.ts';

const under = startEngine();
const attempt = { prompt: chat(message('user', words(60))), toolCalls: 'none', maxTokens: 16 } as const;

test('it says what a slot would say, and the slots keep what they hold', async () => {
  await under.client.request('load', loadParams());
  const prompt = chat(message('user', words(40)));
  await say(under, prompt);
  const aside = await under.client.request('attempt', attempt);
  assert.equal((await say(under, prompt)).prefill.decoded, 1);
  assert.equal(aside.prefill.reused, 0);
  const same = await say(under, attempt.prompt, { maxTokens: 16, toolCalls: 'none' });
  assert.deepEqual(aside.generated, same.generated);
});

test('where the memory is too short for a context of its own it borrows the last slot, which is empty then', async () => {
  const wanted = loadParams({ slots: 2 });
  const { memory } = await under.client.request('load', wanted);
  assert.ok(memory !== null && memory.passing !== null);
  const memoryBytes = Math.ceil(memory.needed.ram - memory.passing);
  const short = (await under.client.request('load', { ...wanted, memoryBytes })).memory;
  assert.deepEqual([short?.passing, short?.slots], [null, 2]);
  const prompt = chat(message('user', words(40)));
  const before = await say(under, prompt);
  await say(under, prompt, { slot: 1 });
  const aside = await under.client.request('attempt', attempt);
  assert.equal(aside.prefill.reused, 0);
  assert.equal((await say(under, prompt)).prefill.decoded, 1);
  const last = await say(under, prompt, { slot: 1 });
  assert.deepEqual([last.prefill.slotTokens, last.prefill.reused], [0, 0]);
  assert.deepEqual(last.generated, before.generated);
});

test('cancelled it ends as cancelled', async () => {
  const stop = new AbortController();
  stop.abort();
  assert.equal((await under.client.request('attempt', attempt, stop.signal)).stop, 'cancelled');
});

test('a model of noise is found to call nothing by itself and to answer nothing', async () => {
  const info = await under.client.request('load', loadParams());
  assert.ok(info.toolCalls.format !== 'none');
  const nature = await probe((one) => under.client.request('attempt', one), info.toolCalls.syntax);
  assert.notEqual(nature.calls, 'marks');
  assert.equal(nature.answers, false);
  assert.ok(nature.reading > 0 && nature.writing > 0);
});
