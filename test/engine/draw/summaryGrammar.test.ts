// Summaries under grammar on real llama.cpp: whatever the weights say, a summary that ends is in form, on the slot that has the prompt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSummary, summaryGrammar } from '../../../src/core/compaction/writing/grammar.ts';
import { sourcesOf } from '../../../src/core/compaction/writing/source.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, startEngine } from '../scenes/engineUnderTest.ts';

const engine = startEngine();
const sources = sourcesOf(
  [],
  [],
  Array.from({ length: 40 }, (_, i) => ({ origin: 'user', id: `u${i}`, parent: null, text: `Question ${i}` }) as const),
);

/** Weights that soon close strings, lists and objects, so that a summary ends. */
const closing = { '"': 1000, ']': 999, '"],"': 998, '},{': -1000 };

test('a summary that ends is read, each entry with sources that are there', async () => {
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
      grammar: summaryGrammar(sources.length),
    });
    assert.match(generation.raw, /^\{"goal":\[/);
    if (generation.stop !== 'end' || generation.raw.includes('\uFFFD')) continue;
    ended += 1;
    const read = readSummary(generation.raw, sources);
    if (typeof read === 'string') assert.match(read, /^it is empty$|an entry is empty/);
    else for (const { items } of read) assert.ok(items.length > 0 && items.every((id) => /^u\d+$/.test(id)));
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
  const compacted = await ask(compacting, summaryGrammar(3));
  assert.ok(compacted.prefill.decoded < 40, `${compacted.prefill.decoded} decoded`);
  assert.ok(compacted.prefill.reused > 600);
  const next = await ask({ ...talk, messages: [...talk.messages, answer, message('user', 'And now?')] });
  assert.ok(next.prefill.decoded < 40, `${next.prefill.decoded} decoded`);
});

test('the grammar is one for llama.cpp with one source, with hundreds, and with many entries that must survive', async () => {
  await engine.client.request('load', loadParams());
  const must = Array.from(
    { length: 40 },
    (_, i) => ({ section: 'constraints', text: `Never ${i}.`, by: 'user', items: [] }) as const,
  );
  for (const [count, kept] of [
    [1, []],
    [10, []],
    [300, []],
    [2036, must],
  ] as const) {
    const { raw } = await engine.client.request('generate', {
      slot: 0,
      prompt: chat(message('user', 'Fold.')),
      maxTokens: 12,
      toolCalls: 'none',
      reuse: 'auto',
      sampling: { temperature: 0, seed: 1 },
      grammar: summaryGrammar(count, kept),
    });
    assert.match(raw, /^\{"goal":\[/);
  }
});
