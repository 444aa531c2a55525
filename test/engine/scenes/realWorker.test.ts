// The engine process with real vocabularies and templates: it loads them, measures, calls tools under grammar, and keeps its prefix.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGeneration } from '../../../src/core/calls/read.ts';
import type { Message } from '../../../src/core/prompt/prompt.ts';
import { bundleModel } from '../../models/scenes/bundle.ts';
import { loadParams, message, probeTool, result, say, startEngine } from './engineUnderTest.ts';
import { realVocabularies } from './realVocabularies.ts';

const engine = startEngine();

for (const [name, vocabulary] of Object.entries(realVocabularies)) {
  test(`${name}: three turns with a tool round each`, { timeout: 120_000 }, async () => {
    const info = await engine.client.request('load', loadParams({ modelPath: bundleModel(vocabulary) }));
    const syntax = info.toolCalls.format === 'none' ? null : info.toolCalls.syntax;
    const messages: Message[] = [message('system', 'Be brief.')];
    let chunk = 0;
    const step = async (toolCalls: 'auto' | 'choice') => {
      const prompt = { messages, tools: [probeTool] };
      const measure = await engine.client.request('measure', { prompt });
      const seed = messages.length;
      const said = await say(engine, prompt, { toolCalls, maxTokens: 24, sampling: { temperature: 1, seed } });
      assert.equal(said.prefill.reused + said.prefill.decoded, measure.total);
      if (messages.length > 2) assert.equal(said.prefill.reused, said.prefill.slotTokens, 'the prefix broke');
      assert.ok(said.prefill.reused >= chunk);
      assert.equal(said.streamed, said.raw);
      chunk = measure.total + Math.max(0, said.generated.ids.length - 1);
      return said;
    };
    for (let turn = 0; turn < 3; turn++) {
      messages.push(message('user', `question ${turn}`));
      const { raw, generated, stop } = await step('choice');
      const calls = readGeneration(syntax, raw, true).calls;
      if (stop === 'end') assert.ok(raw === 'answer' || calls.every((call) => call.name === 'probe'), raw);
      const made = [{ id: `call0000${turn}`, name: 'probe', arguments: { path: 'a' } }];
      const segment = { layer: 'steps', item: 'c', part: 'text', text: raw, calls: made, generated } as const;
      messages.push({ role: 'assistant', segments: [segment] });
      messages.push({ ...result('a:', 'tide'), call: { id: `call0000${turn}`, tool: 'probe' } });
      const answer = await step('auto');
      messages.push(message('assistant', answer.raw, answer.generated));
    }
  });
}
