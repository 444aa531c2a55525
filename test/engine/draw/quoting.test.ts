// Guessing what an answer quotes changes nothing but the time: the tokens are those of a context that does not guess, and the slot
// goes on from them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chat, loadParams, message, say, startEngine, words } from '../scenes/engineUnderTest.ts';

const under = startEngine();
const model = new URL('../../fixtures/pocket.gguf', import.meta.url).pathname;

test('the same tokens come with and without guessing, and the next prompt goes on from them', async () => {
  await under.client.request('load', loadParams({ modelPath: model, contextSize: 2048 }));
  let quoted = 0;
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    // A model that knows little repeats what it read.
    const question = message('user', `${words(30, seed)} ${words(30, seed)}`);
    const prompt = chat(question);
    const without = await under.client.request('attempt', { prompt, toolCalls: 'none', maxTokens: 120 });
    const said = await say(under, prompt, { maxTokens: 120, toolCalls: 'none' });
    quoted += said.quoted ?? 0;
    assert.deepEqual(said.generated.ids, without.generated.ids);
    assert.equal(said.prefill.reused + said.prefill.decoded, (await under.client.request('measure', { prompt })).total);
    const next = chat(question, message('assistant', said.raw, said.generated), message('user', 'And then?'));
    const after = await say(under, next, { maxTokens: 8, toolCalls: 'none' });
    const before = said.prefill.reused + said.prefill.decoded;
    assert.ok(after.prefill.reused >= before + said.generated.ids.length - 2, `${after.prefill.reused} of ${before}`);
  }
  assert.ok(quoted > 20, `${quoted} tokens were guessed right`);
});

test('a generation that is cut off in the middle of a guess leaves a slot that knows what it holds', async () => {
  const prompt = chat(message('user', words(60)));
  for (const most of [1, 2, 3, 5, 9]) {
    const said = await say(under, prompt, { maxTokens: most, toolCalls: 'none' });
    assert.ok(said.generated.ids.length <= most);
    await say(
      under,
      chat(message('user', words(60)), message('assistant', said.raw, said.generated), message('user', 'More.')),
    );
  }
});
