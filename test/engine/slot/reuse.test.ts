// The KV prefix: what a slot holds is reused exactly, and reuse changes no answer.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import fc from 'fast-check';
import type { Generated } from '../../../src/core/dialog/dialog.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import {
  callMessage,
  chat,
  loadParams,
  message,
  probeTool,
  result,
  say,
  startEngine,
  words,
} from '../scenes/engineUnderTest.ts';

const engine = startEngine();
const measure = (prompt: Prompt) => engine.client.request('measure', { prompt });
const question = chat(message('user', words(300)));

beforeEach(async () => {
  await engine.client.request('load', loadParams({ slots: 2 }));
});

test('an identical request decodes one token', async () => {
  const first = await say(engine, question);
  assert.deepEqual([first.prefill.reused, first.prefill.slotTokens], [0, 0]);
  const second = await say(engine, question);
  const { total } = await measure(question);
  assert.deepEqual([second.prefill.reused, second.prefill.decoded], [total - 1, 1]);
  assert.deepEqual(second.generated, first.generated);
});

test('an appended prompt decodes only what is new', async () => {
  const { prefill } = await say(engine, question, { maxTokens: 1 });
  const longer = chat(...question.messages.slice(1), message('assistant', 'Yes.'), message('user', 'More.'));
  const next = await say(engine, longer);
  assert.equal(next.prefill.reused, prefill.decoded);
  assert.equal(next.prefill.decoded, (await measure(longer)).total - prefill.decoded);
});

test('a shortened prompt leaves no stale tail behind', async () => {
  const fresh = await say(engine, chat(message('user', 'Hi')), { slot: 1, maxTokens: 20 });
  await say(engine, chat(message('user', 'Hi'), message('assistant', words(400)), message('user', 'Go on')));
  const short = await say(engine, chat(message('user', 'Hi')), { maxTokens: 20 });
  assert.deepEqual(short.generated.ids, fresh.generated.ids);
  const again = await say(engine, chat(message('user', 'Hi')), { maxTokens: 20 });
  assert.equal(again.prefill.slotTokens, short.prefill.reused + short.prefill.decoded + 19);
});

test('a dialog continued with its generated ids reuses all but the last of them', async () => {
  const first = await say(engine, question, { maxTokens: 24, sampling: { temperature: 1.2, seed: 5 } });
  const total = (await measure(question)).total;
  const next = chat(
    ...question.messages.slice(1),
    message('assistant', first.raw, first.generated),
    message('user', 'More.'),
  );
  const { prefill } = await say(engine, next);
  assert.equal(first.generated.ids.length, 24);
  assert.equal(prefill.reused, total + 24 - 1);
  assert.equal(prefill.slotTokens, prefill.reused);
});

test('generated ids of a call stand in for its text and calls', async () => {
  const first = await say(engine, { ...question, tools: [probeTool] }, { maxTokens: 12 });
  const base = callMessage(first.raw, [{ id: 'c', name: 'probe', arguments: { path: 'x' } }]);
  const segments = base.segments.map((segment) => ({ ...segment, generated: first.generated }));
  const messages = [...question.messages, { ...base, segments }, result('1 line:', 'x')];
  const { prefill } = await say(engine, { messages, tools: [probeTool] });
  assert.equal(prefill.reused, first.prefill.decoded + 12 - 1);
});

test('ids of another model are not used: the text is tokenised', async () => {
  const ids = (generated: Generated) => chat(message('user', 'Hi'), message('assistant', 'one', generated));
  const plain = await measure(chat(message('user', 'Hi'), message('assistant', 'one')));
  assert.equal((await measure(ids({ model: 'other', ids: [1, 2, 3, 4, 5, 6, 7] }))).total, plain.total);
  const { fingerprint } = await engine.client.request('load', loadParams());
  const own = await measure(ids({ model: fingerprint, ids: [1, 2, 3, 4, 5, 6, 7] }));
  assert.equal(own.segments[2], 7);
  const other = await engine.client.request('load', loadParams({ modelPath: nanoModel({ contextLength: 2048 }) }));
  assert.notEqual(other.fingerprint, fingerprint);
  assert.equal((await measure(ids({ model: fingerprint, ids: [1, 2, 3, 4, 5, 6, 7] }))).total, plain.total);
});

test('a forced message reports its ids, is in the slot but for the last, and continues the same', async () => {
  const forced = { text: 'I look.', calls: [{ id: 'c', name: 'probe', arguments: { path: 'a', line: 1 } }] };
  const prompt = { ...question, tools: [probeTool] };
  const first = await say(engine, prompt, { forced });
  assert.equal(first.stop, 'end');
  assert.equal(
    first.raw,
    'I look.\n<tool_call>\n{"name": "probe", "arguments": {"path": "a", "line": 1}}\n</tool_call>',
  );
  const next = [...prompt.messages, callMessage(forced.text, forced.calls), result('1 line:', 'x')];
  const { prefill } = await say(engine, { ...prompt, messages: next });
  assert.equal(prefill.reused, first.prefill.decoded + first.generated.ids.length - 1);
});

test('slots hold their own dialogs', async () => {
  const other = chat(message('user', words(100, 7)));
  const [a, b] = await Promise.all([say(engine, question), say(engine, other, { slot: 1 })]);
  assert.deepEqual([a.prefill.reused, b.prefill.reused], [0, 0]);
  const again = [await say(engine, question), await say(engine, other, { slot: 1 })];
  assert.deepEqual(
    again.map(({ prefill }) => prefill.decoded),
    [1, 1],
  );
});

test('two requests on one slot run one after the other', async () => {
  const [first, second] = await Promise.all([say(engine, question), say(engine, question, { maxTokens: 20 })]);
  assert.deepEqual([first.prefill.reused, second.prefill.decoded], [0, 1]);
  assert.deepEqual(second.generated.ids.slice(0, 8), first.generated.ids);
  // Each hears its own text.
  assert.deepEqual([first.streamed, second.streamed], [first.raw, second.raw]);
});

test('random edits of a dialog: reused and decoded make the total, and greedy answers equal a fresh slot', async () => {
  const edit = fc.record({ at: fc.nat(5), text: fc.string({ maxLength: 20 }), cut: fc.nat(6) });
  let texts = ['one', 'two', 'three', 'four', 'five', 'six'];
  const salt = { n: 0 };
  let different = 0;
  await fc.assert(
    fc.asyncProperty(edit, async ({ at, text, cut }) => {
      texts = texts.map((old, i) => (i === at ? `${text}${i}` : old));
      const dialog = texts.slice(0, Math.max(1, 6 - cut)).map((t, i) => message(i % 2 === 0 ? 'user' : 'assistant', t));
      const prompt = chat(...dialog);
      const { total } = await measure(prompt);
      const { prefill, generated } = await say(engine, prompt, { maxTokens: 6 });
      assert.equal(prefill.reused + prefill.decoded, total);
      assert.equal(prefill.shifted, 0);
      // Another head empties the other slot down to the template's first tokens.
      await say(
        engine,
        { messages: [message('system', `${salt.n++} no`), ...dialog], tools: [] },
        { slot: 1, maxTokens: 1 },
      );
      const fresh = await say(engine, prompt, { slot: 1, maxTokens: 6 });
      assert.ok(fresh.prefill.reused < 8);
      if (generated.ids.join() !== fresh.generated.ids.join()) different += 1;
    }),
    { numRuns: 50 },
  );
  // Other batches round otherwise, and random weights have near ties; a stale cache would differ nearly every time.
  assert.ok(different <= 5, `${different} of 50 differ`);
});

test('with the prompt cache off every token of a prompt is decoded anew', async () => {
  const prompt = chat(message('user', 'The same question twice'));
  await say(engine, prompt);
  const again = await say(engine, prompt, { reuse: 'none' });
  const { total } = await engine.client.request('measure', { prompt });
  assert.deepEqual([again.prefill.reused, again.prefill.decoded], [0, total]);
  assert.ok((await say(engine, prompt)).prefill.reused > 0);
});
