// An answer that was cut off goes on from its last token: nothing of it is decoded again, and greedily it becomes what it would have been.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Generated } from '../../../src/core/dialog/dialog.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { hybridModel } from '../../models/otherMemories.ts';
import { chatTemplate } from '../../models/scenes/chatTemplate.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, type Said, say, startEngine, words } from '../scenes/engineUnderTest.ts';

const engine = startEngine();
const question = chat(message('user', words(300)));

before(() => engine.client.request('load', loadParams({ slots: 2 })));

/** The prompt of an answer up to where it was cut off. */
function upTo({ raw, generated }: Pick<Said, 'raw'> & { readonly generated?: Generated }, asked = question): Prompt {
  return { ...asked, messages: [...asked.messages, message('assistant', raw, generated)], continues: true };
}

const measure = (prompt: Prompt) => engine.client.request('measure', { prompt });

test('cut off after any number of tokens and continued, an answer is the one that is written in one go', async () => {
  const whole = await say(engine, question, { maxTokens: 40, slot: 1 });
  assert.equal(whole.generated.ids.length, 40);
  for (const cut of [1, 2, 7, 20, 39]) {
    const first = await say(engine, question, { maxTokens: cut });
    assert.deepEqual(first.generated.ids, whole.generated.ids.slice(0, cut));
    const rest = await say(engine, upTo(first), { maxTokens: 40 - cut });
    assert.deepEqual(rest.generated, whole.generated, `cut after ${cut}`);
    assert.equal(rest.raw, whole.raw);
    assert.equal(rest.stop, 'length');
    const { total } = await measure(upTo(first));
    // The last token alone, whose logits give the next one.
    assert.deepEqual([rest.prefill.reused, rest.prefill.decoded], [total - 1, 1]);
    assert.equal(rest.prefill.firstBreak, null);
  }
});

test('what is streamed is the new text alone, and the answer is continued as often as it is cut off', async () => {
  const whole = await say(engine, question, { maxTokens: 30, slot: 1 });
  let last = await say(engine, question, { maxTokens: 10 });
  for (let i = 0; i < 2; i++) {
    const next = await say(engine, upTo(last), { maxTokens: 10 });
    assert.equal(last.raw + next.streamed, next.raw);
    assert.equal(next.prefill.decoded, 1);
    last = next;
  }
  assert.deepEqual(last.generated, whole.generated);
});

/** Idle work makes the next message ready. */
async function getReady({ raw, generated }: Said): Promise<void> {
  const messages = [...question.messages, message('assistant', raw, generated), message('user', '')];
  const prompt = { ...question, messages };
  await engine.client.request('warm', { slot: 0, prompt, reuse: 'auto', settleMilliseconds: 1000 });
}

test('idle work that made the next message ready costs the continuation nothing', async () => {
  const first = await say(engine, question, { maxTokens: 12 });
  await getReady(first);
  const rest = await say(engine, upTo(first), { maxTokens: 12 });
  assert.equal(rest.prefill.decoded, 1);
  const whole = await say(engine, question, { maxTokens: 24, slot: 1 });
  assert.deepEqual(rest.generated, whole.generated);
});

test('the next message finds the continued answer in the slot, all but its last token', async () => {
  const first = await say(engine, question, { maxTokens: 12 });
  const rest = await say(engine, upTo(first), { maxTokens: 12 });
  const next = chat(
    ...question.messages.slice(1),
    message('assistant', rest.raw, rest.generated),
    message('user', 'So?'),
  );
  const { total } = await measure(question);
  const { prefill } = await say(engine, next);
  assert.equal(prefill.reused, total + 24 - 1);
  assert.equal(prefill.firstBreak, null);
});

test('an answer of which only the text was kept goes on behind it, in a code block as elsewhere', async () => {
  const raw = 'Here it is:\n\n```ts\nexport function add(a: number, b: nu';
  const rest = await say(engine, upTo({ raw }), { maxTokens: 6 });
  assert.ok(rest.raw.startsWith(raw));
  assert.equal(rest.raw, raw + rest.streamed);
  const { segments } = await measure(upTo({ raw }));
  assert.equal(rest.generated.ids.length, (segments.at(-1) ?? 0) + 6);
});

test('a continuation that is cancelled before its first token leaves the answer as it was', async () => {
  const first = await say(engine, question, { maxTokens: 12 });
  const rest = await say(engine, upTo(first), { signal: AbortSignal.abort() });
  assert.deepEqual([rest.raw, rest.stop, rest.generated.ids], [first.raw, 'cancelled', first.generated.ids]);
});

test('cut off within its thoughts it goes on thinking, and the thoughts end where they would have ended in one go', async () => {
  const template = chatTemplate.replace("'<|im_start|>assistant\\n' -}}", "'<|im_start|>assistant\\n<think>\\n' -}}");
  await engine.client.request('load', loadParams({ modelPath: nanoModel({ template }) }));
  const common = { slot: 0, toolCalls: 'none', reuse: 'auto', sampling: { temperature: 0, seed: null } } as const;
  const ask = (prompt: Prompt, maxTokens: number) =>
    engine.client.request('generate', { ...common, prompt, maxTokens, thoughtTokens: 30 });
  const whole = await ask(question, 60);
  assert.match(whole.raw, /<\/think>/);
  for (const cut of [10, 29, 45]) {
    const first = await ask(question, cut);
    const rest = await ask(upTo(first), 60 - cut);
    assert.deepEqual(rest.generated, whole.generated, `cut after ${cut}`);
    assert.equal(rest.prefill.decoded, 1);
  }
});

test('the marks of thoughts of which only the text was kept are the tokens that the model draws', async () => {
  const added = ['<think>', '</think>'].map((text) => ({ text, type: 4 }) as const);
  await engine.client.request('load', loadParams({ modelPath: nanoModel({ added }) }));
  const tokensOf = async (raw: string) =>
    (await say(engine, upTo({ raw }), { maxTokens: 1 })).generated.ids.slice(0, -1);
  assert.equal((await tokensOf('<think>')).length, 1);
  const [open] = await tokensOf('<think>');
  const [thoughts, marked] = [await tokensOf('a b'), await tokensOf('<think>a b</think>')];
  assert.deepEqual(marked.slice(0, -1), [open, ...thoughts]);
  // Behind the beginning of an answer a mark is text, as in any answer.
  assert.ok(!(await tokensOf('Look: <think>')).includes(open ?? -1));
});

test('a model that cannot go back decodes the answer again behind idle work, and nothing without it', async () => {
  await engine.client.request('load', loadParams({ slots: 2, modelPath: hybridModel() }));
  const whole = await say(engine, question, { maxTokens: 24, slot: 1 });
  const first = await say(engine, question, { maxTokens: 12 });
  const rest = await say(engine, upTo(first), { maxTokens: 12 });
  assert.deepEqual([rest.generated, rest.prefill.decoded], [whole.generated, 1]);
  const again = await say(engine, question, { maxTokens: 12 });
  await getReady(again);
  const behind = await say(engine, upTo(again), { maxTokens: 12 });
  assert.deepEqual(behind.generated, whole.generated);
  assert.ok(behind.prefill.decoded <= 12 + 12, `${behind.prefill.decoded} decoded`);
});
