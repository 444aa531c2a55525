// The switch for thinking on a real engine: off, nothing is thought; on, the budget ends the thoughts and the answer goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readThoughts } from '../../../src/core/answer/readThoughts.ts';
import type { ThinkingMode } from '../../../src/core/dialog/dialog.ts';
import { chatTemplate } from '../../models/scenes/chatTemplate.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, startEngine } from '../scenes/engineUnderTest.ts';

/** Opens the thoughts, or ends them at once, as Qwen's do. */
const opened = "'<|im_start|>assistant\\n<think>\\n' + ('\\n</think>\\n\\n' if enable_thinking is false else '') -}}";
const template = chatTemplate.replace("'<|im_start|>assistant\\n' -}}", opened);

test('off, no token is a thought; on, the budget ends them, and either counts them', async () => {
  const { client } = startEngine();
  const plainSampling = { temperature: 0.7 };
  const info = await client.request('load', { ...loadParams({ modelPath: nanoModel({ template }) }), plainSampling });
  assert.deepEqual(info.thinking?.switch, { on: {}, off: { enable_thinking: false }, onlyLess: false });
  assert.equal(info.plainSampling?.temperature, 0.7);
  const say = (thinking: ThinkingMode, thoughtTokens: number) =>
    client.request('generate', {
      ...{ slot: 0, toolCalls: 'none', reuse: 'auto', sampling: { temperature: 1, seed: 3 }, maxTokens: 80 },
      ...{ prompt: { ...chat(message('user', 'What is it?')), thinking }, thoughtTokens },
    });
  const on = await say('on', 30);
  const { thoughts, answer } = readThoughts(on.raw, [], true);
  assert.ok(thoughts.length > 0 && answer.length > 0, on.raw);
  assert.equal(on.thoughtTokens, 30);
  assert.equal(on.generated.ids.length, 80);
  const off = await say('off', 0);
  assert.deepEqual([readThoughts(off.raw, [], true).thoughts, off.thoughtTokens], ['', undefined], off.raw);
  assert.ok(off.prefill.reused > 0, 'the switch costs the end of the prompt alone');
});

test('switched off, thoughts that the model opens itself are ended at their mark', async () => {
  const { client } = startEngine();
  const added = ['<think>', '</think>'].map((text) => ({ text, type: 4 }) as const);
  await client.request('load', loadParams({ modelPath: nanoModel({ added, favour: { '<think>': 1000 } }) }));
  const prompt = { ...chat(message('user', 'What is it?')), thinking: 'off' } as const;
  const sampling = { temperature: 0, seed: 3 } as const;
  const asked = { slot: 0, toolCalls: 'none', reuse: 'auto', sampling, maxTokens: 20 } as const;
  const said = await client.request('generate', { ...asked, prompt, thoughtTokens: 0 });
  assert.ok(said.raw.startsWith('<think>\n</think>\n\n'), said.raw);
});
