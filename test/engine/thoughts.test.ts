// Thoughts that take more than their budget are ended within the generation; the slot holds what was put there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chat, loadParams, message, startEngine } from './engineUnderTest.ts';

test('they are closed by their mark, the model goes on behind it, and the next prompt goes on from there', async () => {
  const { client } = startEngine();
  await client.request('load', loadParams());
  const question = message('user', 'What is it?');
  const common = { slot: 0, toolCalls: 'none', reuse: 'auto', sampling: { temperature: 1, seed: 3 } } as const;
  const grammar = 'root ::= "<think>" [a-z ]{400}';
  const asked = { ...common, prompt: chat(question), maxTokens: 80, grammar };
  const said = await client.request('generate', { ...asked, thoughtTokens: 30 });
  assert.match(said.raw, /^<think>[a-z ]+\n<\/think>\n\n[a-z ]+$/);
  const [thoughts = ''] = said.raw.split('\n</think>');
  assert.ok(thoughts.length >= 30 && thoughts.length < 240, said.raw);
  assert.equal(said.stop, 'length');
  const whole = chat(question, message('assistant', said.raw, said.generated), message('user', 'And then?'));
  const next = await client.request('generate', { ...common, prompt: whole, maxTokens: 4 });
  const before = said.prefill.reused + said.prefill.decoded;
  assert.ok(next.prefill.reused >= before + said.generated.ids.length - 1, `${next.prefill.reused} of ${before}`);
  const without = await client.request('generate', asked);
  assert.doesNotMatch(without.raw, /<\/think>/);
});
