// Text at the caret by llama.cpp: typing costs what was typed, no slot of a conversation loses a token, and a later request ends the one before.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FillRequest } from '../../../src/core/engine/completion.ts';
import { loadLocal } from '../../../src/engine/worker/local.ts';
import { cases } from '../../cases.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, words } from '../scenes/engineUnderTest.ts';

const fill = ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>'].map((text) => ({ text, type: 3 }) as const);
const silent = { planned: () => undefined, progress: () => undefined, template: async () => undefined };
const params = loadParams({ modelPath: nanoModel({ added: fill }), slots: 1, contextSize: 2048 });
const engine = await loadLocal(params, silent);
after(() => engine.dispose());
const never = new AbortController().signal;

/** Numbers from 0 to 1 (a linear congruential generator, Numerical Recipes). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (1_664_525 * state + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const complete = (request: Partial<FillRequest>, signal = never, onText: (text: string) => void = () => undefined) => {
  const whole = { prefix: '', suffix: '', order: 'suffix-first', maxTokens: 8, lines: 99, ...request } as const;
  if (engine.complete === null) throw new Error('this model cannot');
  return engine.complete(whole, onText, signal);
};

test('a model with the tokens says that it completes, and one without has no such facet', async () => {
  assert.equal(engine.info.completes, true);
  const bare = await loadLocal(loadParams({ modelPath: nanoModel(), slots: 1, contextSize: 512 }), silent);
  assert.deepEqual([bare.info.completes, bare.complete], [undefined, null]);
  await bare.dispose();
});

test('with the suffix first a key costs itself, with the prefix first the suffix besides', async () => {
  const [prefix, suffix] = [words(200, 1), words(60, 2)];
  for (const [order, most] of [
    ['suffix-first', 12],
    ['prefix-first', 220],
  ] as const) {
    const first = await complete({ prefix, suffix, order });
    assert.ok(first.tokens.decoded > 200 && first.tokens.generated > 0, JSON.stringify(first.tokens));
    const typed = await complete({ prefix: `${prefix} tide`, suffix, order });
    assert.ok(typed.tokens.decoded <= most, `${order}: ${typed.tokens.decoded}`);
    assert.equal(typed.tokens.reused + typed.tokens.decoded, typed.tokens.prompt);
  }
});

test('it says the same after other requests as in an empty context', async () => {
  const request = { prefix: words(80, 5), suffix: words(20, 6) };
  const first = await complete(request);
  await complete({ prefix: words(90, 7), suffix: '' });
  const again = await complete(request);
  assert.deepEqual([again.text, again.tokens.generated], [first.text, first.tokens.generated]);
  assert.equal(again.pieces.map(({ text }) => text).join(''), again.text);
  assert.ok(again.pieces.every(({ probability }) => probability > 0 && probability <= 1));
});

test('with no tokens to generate the prompt is read alone', async () => {
  const request = { prefix: words(150, 8), suffix: words(30, 9) };
  const read = await complete({ ...request, maxTokens: 0 });
  assert.deepEqual([read.text, read.stop], ['', 'end']);
  assert.ok((await complete(request)).tokens.decoded <= 2);
});

test('the slot of a conversation keeps its tokens', async () => {
  const prompt = await engine.tokens(chat(message('user', words(120, 3))));
  const heard = { onText: () => undefined, onProgress: () => undefined };
  const generate = {
    slot: 0,
    prompt: chat(),
    maxTokens: 4,
    toolCalls: 'none',
    reuse: 'exact',
    sampling: { temperature: 0, seed: 1 },
  } as const;
  await engine.generate(generate, prompt, null, heard, never);
  await complete({ prefix: words(300, 4) });
  const again = await engine.generate(generate, prompt, null, heard, never);
  assert.ok(again.prefill.decoded <= 1, `${again.prefill.decoded} decoded again`);
});

test('of acts of chat and of keys in any order neither loses a token of the other', async () => {
  const next = seeded(20261127);
  const heard = { onText: () => undefined, onProgress: () => undefined };
  const sampling = { temperature: 0, seed: 1 };
  const generate = { slot: 0, prompt: chat(), maxTokens: 1, toolCalls: 'none', reuse: 'exact', sampling } as const;
  const suffix = words(20, 21);
  let [asked, before, prefix, length] = [words(60, 22), 0, words(100, 23), 0];
  for (let act = 0; act < cases(500); act++) {
    if (next() < 0.3) {
      asked = asked.length > 3000 ? words(60, act) : `${asked} ${words(5, act)}`;
      const isNew = asked.length < 600;
      const prompt = await engine.tokens(chat(message('user', asked)));
      const { prefill } = await engine.generate(generate, prompt, null, heard, never);
      if (!isNew) assert.ok(prefill.reused >= before - 12, `act ${act}: ${prefill.reused} of ${before}`);
      before = prefill.reused + prefill.decoded;
    } else {
      prefix = prefix.length > 3000 ? words(100, act) : `${prefix} tide`;
      const { tokens } = await complete({ prefix, suffix, order: 'prefix-first', maxTokens: 2 });
      if (length > 0 && prefix.length > length)
        assert.ok(tokens.decoded <= tokens.behind + 14, `act ${act}: ${JSON.stringify(tokens)}`);
      length = prefix.length;
    }
  }
});

test('a later request ends the one before it, and the signal ends any', async () => {
  const first = complete({ prefix: words(400, 10), maxTokens: 500 });
  const second = complete({ prefix: words(30, 11) });
  assert.equal((await first).stop, 'cancelled');
  assert.notEqual((await second).stop, 'cancelled');
  const stop = new AbortController();
  const third = complete({ prefix: words(30, 12), maxTokens: 1000 }, stop.signal, () => stop.abort());
  assert.equal((await third).stop, 'cancelled');
});

test('what does not fit is refused with the numbers', async () => {
  await assert.rejects(complete({ prefix: words(4000, 13) }), /fit/);
});
