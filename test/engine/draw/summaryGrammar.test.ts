// A choice under grammar on real llama.cpp: whatever the weights say, one that ends is in form, on the slot that has the prompt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceGrammar, readChoice } from '../../../src/core/compaction/writing/summarise.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, startEngine } from '../scenes/engineUnderTest.ts';

const engine = startEngine();

/** Weights that soon close strings, lists and objects, so that a choice ends. */
const closing = { '"': 1000, ']': 999, '"],"': 998, '},{': -1000 };

test('a choice that ends is read, and names sentences that are there', async () => {
  await engine.client.request('load', loadParams({ modelPath: nanoModel({ favour: closing }) }));
  let ended = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const generation = await engine.client.request('generate', {
      slot: 0,
      prompt: chat(message('user', 'Fold.')),
      maxTokens: 1500,
      toolCalls: 'none',
      reuse: 'auto',
      sampling: { temperature: 1, seed },
      grammar: choiceGrammar(40),
    });
    assert.match(generation.raw, /^\{"keep":\[[1-9]/);
    if (generation.stop !== 'end' || generation.raw.includes('\uFFFD')) continue;
    ended += 1;
    const read = readChoice(generation.raw, 40);
    assert.ok(typeof read !== 'string' && read.keep.length > 0, String(read));
  }
  assert.ok(ended > 0, 'some end');
});

test('asked behind a conversation, only the instruction is decoded, and the conversation stays in the slot', async () => {
  await engine.client.request('load', loadParams());
  const talk = chat(message('user', 'word '.repeat(600)));
  const ask = (prompt: typeof talk, grammar?: string) =>
    engine.client.request('generate', {
      slot: 0,
      prompt,
      maxTokens: 20,
      toolCalls: 'none',
      reuse: 'auto',
      sampling: { temperature: 0, seed: 1 },
      ...(grammar === undefined ? {} : { grammar }),
    });
  const first = await ask(talk);
  const answer = message('assistant', first.raw, first.generated);
  const compacting = { ...talk, messages: [...talk.messages, answer, message('user', 'Fold it.')] };
  const compacted = await ask(compacting, choiceGrammar(3));
  assert.ok(compacted.prefill.decoded < 40, `${compacted.prefill.decoded} decoded`);
  assert.ok(compacted.prefill.reused > 600);
  const next = await ask({ ...talk, messages: [...talk.messages, answer, message('user', 'And now?')] });
  assert.ok(next.prefill.decoded < 40, `${next.prefill.decoded} decoded`);
});

test('the grammar is one for llama.cpp with one sentence, and with hundreds', async () => {
  await engine.client.request('load', loadParams());
  for (const count of [1, 10, 200]) {
    const { raw } = await engine.client.request('generate', {
      slot: 0,
      prompt: chat(message('user', 'Fold.')),
      maxTokens: 12,
      toolCalls: 'none',
      reuse: 'auto',
      sampling: { temperature: 0, seed: 1 },
      grammar: choiceGrammar(count),
    });
    assert.match(raw, /^\{"keep":\[/);
  }
});
