// A prompt crosses the channel once: what it costs in bytes, and that nobody notices where the process does not keep it any more.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { after, test } from 'node:test';
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import { EngineClient } from '../../src/engine/client.ts';
import { forkEngine } from '../../src/engine/fork.ts';
import { chat, loadParams, message, words, workerScript } from './scenes/engineUnderTest.ts';

let child: ChildProcess | undefined;
const sent: string[] = [];
const client = new EngineClient(() => {
  child = forkEngine(workerScript);
  const send = child.send.bind(child) as (...given: readonly unknown[]) => boolean;
  child.send = ((...given: readonly unknown[]) => {
    sent.push(JSON.stringify(given[0]));
    return send(...given);
  }) as typeof child.send;
  return child;
});
after(() => client.dispose());
const { signal } = new AbortController();
const sampling = { temperature: 0, seed: 1 };
const asked = (number: number) => chat(message('user', `question ${number}: ${words(400)}`));
const answer = (prompt: Prompt) =>
  client
    .model(0, sampling)
    .generate({ prompt, maxTokens: 4, toolCalls: 'none', reuse: 'auto' }, () => undefined, signal);
const crossed = (prompt: Prompt) => {
  const text = JSON.stringify(prompt.messages.at(-1)?.segments[0]?.text);
  return sent.filter((one) => one.includes(text)).length;
};

test('measured, answered and warmed, a prompt crosses once; a copy of it is another', async () => {
  await client.load(loadParams());
  const prompt = asked(1);
  const { total } = await client.measure(prompt);
  const first = await answer(prompt);
  await client.prefill({ slot: 0, prompt, reuse: 'auto', settleMilliseconds: 0 }, () => undefined);
  assert.equal((await client.measure(prompt)).total, total);
  assert.equal(crossed(prompt), 1);
  const copy = structuredClone(prompt);
  const again = await answer(copy);
  assert.equal(crossed(prompt), 2);
  assert.deepEqual(again.generated, first.generated);
});

test('after many others and a crash it crosses once more, after another load not, and the answer is the same', async () => {
  const prompt = asked(2);
  const { generated } = await answer(prompt);
  for (let seed = 10; seed < 40; seed++) await client.measure(asked(seed));
  assert.deepEqual((await answer(prompt)).generated, generated);
  assert.equal(crossed(prompt), 2);
  await client.load(loadParams());
  assert.deepEqual((await answer(prompt)).generated, generated);
  assert.equal(crossed(prompt), 2);
  const gone = new Promise((resolve) => client.crashed.subscribe(resolve));
  child?.kill('SIGKILL');
  await gone;
  await client.load(loadParams());
  assert.deepEqual((await answer(prompt)).generated, generated);
  assert.equal(crossed(prompt), 3);
});

test('after another load, a prompt that the process knows and a new one are taken in the order in which they came', async () => {
  const known = asked(3);
  await answer(known);
  await client.load(loadParams());
  const [first, second] = await Promise.all([answer(known), answer(asked(4))]);
  assert.equal(first.prefill.reused, 0);
  assert.ok(second.prefill.reused > 0);
});
