// The window's end: a prompt that does not fit is refused with its numbers, and nothing is ever dropped in silence.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { chat, faultIn, loadParams, message, say, startEngine } from '../scenes/engineUnderTest.ts';

const window = 512;
const engine = startEngine();
/** A prompt of exactly so many tokens: one more word is one more token. */
async function promptOf(tokens: number) {
  const words = (n: number) => chat(message('user', ' a'.repeat(n)));
  const { total } = await engine.client.request('measure', { prompt: words(100) });
  return words(100 + tokens - total);
}

beforeEach(async () => {
  await engine.client.request('load', loadParams({ contextSize: window }));
});

test('a prompt as long as the window, or longer, is refused with the numbers', async () => {
  for (const needed of [window, window + 1, 2000]) {
    const fault = await faultIn(say(engine, await promptOf(needed)));
    assert.deepEqual(fault, { kind: 'doesNotFit', needed, high: window - 1, window, reserve: 1, pinned: 0 });
  }
});

test('a refused prompt leaves the slot as it was', async () => {
  const prompt = await promptOf(300);
  await say(engine, prompt);
  await faultIn(say(engine, await promptOf(600)));
  const { prefill } = await say(engine, prompt);
  assert.deepEqual([prefill.reused, prefill.decoded], [299, 1]);
});

for (const left of [1, 2, 3, 50]) {
  test(`a generation with space for ${left} stops there, and the beginning of the prompt is still in the slot`, async () => {
    const prompt = await promptOf(window - left);
    const first = await say(engine, prompt, { maxTokens: 1000 });
    assert.equal(first.stop, 'length');
    assert.equal(first.generated.ids.length, left);
    const again = await say(engine, prompt, { maxTokens: 1000 });
    assert.deepEqual([again.prefill.reused, again.prefill.decoded], [window - left - 1, 1]);
    assert.deepEqual(again.generated, first.generated);
  });
}

test('a forced message longer than the space is cut at the window, and the prompt stays', async () => {
  const prompt = await promptOf(window - 5);
  await say(engine, prompt, { forced: { text: ' a'.repeat(300), calls: [] } });
  const { prefill } = await say(engine, prompt);
  assert.equal(prefill.reused, window - 6);
});

test('a warm prompt that does not fit is refused with the numbers', async () => {
  const { messages } = await promptOf(800);
  const prompt = { messages: [...messages, message('user', 'x')], tools: [] };
  const fault = await faultIn(engine.client.request('warm', { slot: 0, prompt, reuse: 'auto', settleMilliseconds: 0 }));
  assert.equal(fault.kind, 'doesNotFit');
});

test('the window told is the real one, also when the wanted size is no multiple of the library', async () => {
  for (const contextSize of [100, 300, 333]) {
    const info = await engine.client.request('load', loadParams({ contextSize }));
    assert.ok(info.contextSize >= contextSize);
    const first = await say(engine, await promptOf(info.contextSize - 1), { maxTokens: 9 });
    assert.equal(first.generated.ids.length, 1);
    const fault = await faultIn(say(engine, await promptOf(info.contextSize)));
    assert.equal(fault.kind === 'doesNotFit' && fault.window, info.contextSize);
  }
});
