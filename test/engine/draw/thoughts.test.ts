// Thoughts that take more than their budget are ended within the generation; the slot holds what was put there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatTemplate } from '../../models/scenes/chatTemplate.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, say, startEngine } from '../scenes/engineUnderTest.ts';

/** Opens the thoughts itself, as DeepSeek's do. */
const template = chatTemplate.replace("'<|im_start|>assistant\\n' -}}", "'<|im_start|>assistant\\n<think>\\n' -}}");

test('they are closed by their mark, the model goes on behind it, and the next prompt goes on from there', async () => {
  const { client } = startEngine();
  await client.request('load', loadParams({ modelPath: nanoModel({ template }) }));
  const question = message('user', 'What is it?');
  const common = { slot: 0, toolCalls: 'none', reuse: 'auto', sampling: { temperature: 1, seed: 3 } } as const;
  const asked = { ...common, prompt: chat(question), maxTokens: 80 };
  const said = await client.request('generate', { ...asked, thoughtTokens: 30 });
  const [thoughts = '', answer = ''] = said.raw.split('\n</think>\n\n');
  assert.ok(thoughts.length >= 30 && answer.length > 0, said.raw);
  assert.equal(said.stop, 'length');
  assert.equal(said.generated.ids.length, 80);
  const whole = chat(question, message('assistant', said.raw, said.generated), message('user', 'And then?'));
  const next = await client.request('generate', { ...common, prompt: whole, maxTokens: 4 });
  const before = said.prefill.reused + said.prefill.decoded;
  assert.ok(next.prefill.reused >= before + said.generated.ids.length - 1, `${next.prefill.reused} of ${before}`);
  const without = await client.request('generate', asked);
  assert.doesNotMatch(without.raw, /<\/think>/);
});

test('they are not closed within a call: its grammar holds', async () => {
  const { client } = startEngine();
  await client.request('load', loadParams());
  const question = message('user', 'What is it?');
  const grammar = 'root ::= "<think>" [a-z ]{400}';
  const sampling = { temperature: 1, seed: 3 } as const;
  const asked = { slot: 0, toolCalls: 'none', reuse: 'auto', sampling, prompt: chat(question), maxTokens: 80 } as const;
  const said = await client.request('generate', { ...asked, grammar, thoughtTokens: 30 });
  assert.match(said.raw, /^<think>[a-z ]+$/);
});

test('thoughts that the template opened have its mark in front, also while they are written; a message kept to a grammar has none', async () => {
  const under = startEngine();
  await under.client.request('load', loadParams({ modelPath: nanoModel({ template }) }));
  const prompt = chat(message('user', 'What is it?'));
  const said = await say(under, prompt, { maxTokens: 12, toolCalls: 'none' });
  assert.ok(said.raw.startsWith('<think>') && said.generated.ids.length === 12, said.raw);
  assert.equal(said.streamed, said.raw);
  const common = { slot: 0, toolCalls: 'none', reuse: 'auto', sampling: { temperature: 1, seed: 3 } } as const;
  const kept = await under.client.request('generate', {
    ...common,
    prompt,
    maxTokens: 12,
    grammar: 'root ::= [a-z ]{40}',
  });
  assert.match(kept.raw, /^[a-z ]+$/);
});
