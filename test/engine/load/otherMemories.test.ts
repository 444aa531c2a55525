// Models whose memory is no plain KV cache: what must be decoded again is decoded from the last summary before it, and answers
// stay those of a fresh slot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTrace } from '../../../lab/bench/traces.ts';
import { type ReplayRow, replayTrace } from '../../../lab/cli/replayTrace.ts';
import { readTrace } from '../../../lab/cli/trace/trace.ts';
import { graphs } from '../../../src/core/agent/graph.ts';
import type { Generation } from '../../../src/core/model/model.ts';
import type { Prompt, Segment } from '../../../src/core/prompt/prompt.ts';
import { hybridModel, latentModel, slidingModel } from '../../models/otherMemories.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { loadParams, say, startEngine, words } from '../scenes/engineUnderTest.ts';
import { dialog, edits } from '../scenes/longDialog.ts';

const engine = startEngine();
const load = (modelPath: string) =>
  engine.client.request('load', loadParams({ modelPath, slots: 2, contextSize: 8192 }));
const measure = (prompt: Prompt) => engine.client.request('measure', { prompt });

/** Tokens between two summaries at least. */
const apart = 64;

const startOf = async (prompt: Prompt, segment: number) => (await measure(prompt)).starts[segment] ?? 0;
const endOf = async (prompt: Prompt, segment: number) => {
  const { starts, segments } = await measure(prompt);
  return (starts.at(segment) ?? 0) + (segments.at(segment) ?? 0);
};

async function addsUp(prompt: Prompt, { prefill }: Generation): Promise<void> {
  const { total } = await measure(prompt);
  assert.equal(prefill.reused + prefill.shifted + prefill.decoded, total);
}

/** Its answer is that of a slot that never held anything else. */
async function isFresh(prompt: Prompt, { generated }: Generation): Promise<boolean> {
  const fresh = await say(engine, prompt, { slot: 1, reuse: 'none', maxTokens: generated.ids.length });
  return generated.ids.join() === fresh.generated.ids.join();
}

async function like(prompt: Prompt, said: Generation): Promise<void> {
  await addsUp(prompt, said);
  assert.ok(await isFresh(prompt, said));
}

test('a hybrid model cannot erase and says why; a sliding window of full size and a latent cache can', async () => {
  assert.equal((await load(slidingModel())).erases, true);
  assert.equal((await load(latentModel())).erases, true);
  const { erases } = await load(hybridModel());
  assert.deepEqual(erases, { not: 'its layers keep a running state besides the KV cache' });
});

test('a hybrid goes on where its prompt goes on', async () => {
  await load(hybridModel());
  const first = await say(engine, dialog({ turns: 2 }));
  assert.equal(first.prefill.reused, 0);
  const again = await say(engine, dialog({ turns: 2 }));
  assert.equal(again.prefill.reused, await endOf(dialog({ turns: 2 }), -1));
  assert.deepEqual(again.generated.ids, first.generated.ids);
  const [{ text = '' } = {}] = dialog({ turns: 2 }).messages.at(-1)?.segments ?? [];
  const more: Prompt = {
    messages: [
      ...dialog({ turns: 2 }).messages,
      {
        role: 'assistant',
        segments: [{ layer: 'history', item: 'a', part: 'text', text, generated: again.generated }],
      },
      { role: 'user', segments: [{ layer: 'turn', item: 'more', part: 'text', text: 'More.' }] },
    ],
    tools: [],
  };
  const next = await say(engine, more);
  assert.equal(next.prefill.reused, next.prefill.slotTokens);
  await like(more, next);
});

test('a hybrid decodes a changed last message from the end of the one before it', async () => {
  await load(hybridModel());
  await say(engine, dialog({ turns: 3 }), { maxTokens: 20 });
  const changed = dialog({ turns: 3, last: 'What else is there?' });
  const said = await say(engine, changed);
  const kept = await endOf(changed, -2);
  assert.ok(said.prefill.reused > kept - 2 * apart && said.prefill.reused <= kept, `${said.prefill.reused} of ${kept}`);
  await like(changed, said);
});

test('a hybrid decodes cleared results from the last checkpoint before the first of them', async () => {
  await load(hybridModel());
  await say(engine, dialog({ turns: 6 }));
  // Segments: the system text, then question, head, body and answer of each turn.
  const parted = await startOf(dialog({ turns: 6, cleared: 1 }), 3);
  const cleared = dialog({ turns: 6, cleared: 4 });
  const said = await say(engine, cleared);
  assert.ok(
    said.prefill.reused > parted - apart && said.prefill.reused <= parted,
    `${said.prefill.reused} of ${parted}`,
  );
  assert.equal(said.prefill.shifted, 0);
  assert.equal(said.prefill.firstBreak?.cause, 'stub');
  assert.ok(said.prefill.firstBreak.again <= said.prefill.decoded);
  await like(cleared, said);
});

test('a hybrid decodes later cleared results without what stands in front of them', async () => {
  await load(hybridModel());
  await say(engine, dialog({ turns: 6, cleared: 3 }));
  const said = await say(engine, dialog({ turns: 6, cleared: 5 }));
  const parted = await endOf(dialog({ turns: 6, cleared: 5 }), 1 + 3 * 3 + 1);
  assert.ok(
    said.prefill.reused > parted - 2 * apart && said.prefill.reused <= parted,
    `${said.prefill.reused}, ${parted}`,
  );
  await like(dialog({ turns: 6, cleared: 5 }), said);
});

test('a hybrid goes back to the pinned head when turns are dropped, again and again', async () => {
  await load(hybridModel());
  await say(engine, dialog({ turns: 8 }));
  const head = await startOf(dialog({ turns: 8 }), 1);
  for (const from of [2, 4, 6]) {
    const said = await say(engine, dialog({ turns: 8, from }));
    assert.equal(said.prefill.reused, head);
    await like(dialog({ turns: 8, from }), said);
  }
});

test('a hybrid with another system text starts anew', async () => {
  await load(hybridModel());
  await say(engine, dialog({ turns: 3 }));
  const other = dialog({ turns: 3, system: words(100, 5) });
  const said = await say(engine, other);
  assert.equal(said.prefill.reused, 0);
  await like(other, said);
  await like(dialog({ turns: 3 }), await say(engine, dialog({ turns: 3 })));
});

test('a hybrid that was cancelled during prefill goes on from there', async () => {
  await load(hybridModel());
  for (const chunks of [1, 2, 3, 4, 5]) {
    const prompt = dialog({ turns: 6, system: words(80, chunks) });
    const abort = new AbortController();
    let left = chunks;
    engine.onPrefill = () => --left === 0 && abort.abort();
    const first = await say(engine, prompt, { signal: abort.signal });
    engine.onPrefill = null;
    const filled = first.prefill.reused + first.prefill.decoded;
    assert.equal(first.stop, 'cancelled');
    const second = await say(engine, prompt);
    assert.equal(second.prefill.reused, filled);
    await like(prompt, second);
  }
});

test('a hybrid that was cancelled while it spoke goes on behind the words, or back to before them', async () => {
  await load(hybridModel());
  const abort = new AbortController();
  const prompt = dialog({ turns: 4 });
  await say(engine, prompt, { maxTokens: 4000, signal: abort.signal, onText: () => abort.abort() });
  const again = await say(engine, prompt);
  assert.equal(again.prefill.reused, await endOf(prompt, -1));
  await like(prompt, again);
  const other = dialog({ turns: 4, last: 'Then tell me of the tide.' });
  await like(other, await say(engine, other));
});

test('a hybrid forgets an instruction at the end without losing what stands before it', async () => {
  await load(hybridModel());
  const prompt = dialog({ turns: 4, last: words(100) });
  const instruction: Segment = { layer: 'directive', item: null, part: 'text', text: words(80, 9) };
  const messages = [...prompt.messages, { role: 'user', segments: [instruction] } as const];
  await say(engine, { messages, tools: [] }, { maxTokens: 30 });
  const said = await say(engine, prompt);
  assert.equal(said.prefill.reused, await endOf(prompt, -1));
  await like(prompt, said);
});

for (const [name, model] of [
  ['hybrid', hybridModel],
  ['sliding window', slidingModel],
] as const) {
  test(`random edits, ${name}: sums hold, and what is exact answers as a fresh slot`, async () => {
    await load(model());
    const count = { exact: 0, different: 0 };
    await fc.assert(
      fc.asyncProperty(edits, async ({ turns, from, cleared, last, reuse, maxTokens }) => {
        const prompt = dialog({ turns: turns + 1, from: Math.min(from, turns), cleared, last });
        const said = await say(engine, prompt, { reuse, maxTokens });
        await addsUp(prompt, said);
        if (said.prefill.approximate > 0) return;
        count.exact += 1;
        if (!(await isFresh(prompt, said))) count.different += 1;
      }),
      { numRuns: 20 },
    );
    // Other batches round otherwise, and random weights have near ties; a stale state would differ nearly every time.
    assert.ok(count.exact >= 6, `${count.exact} exact`);
    assert.ok(count.different <= 2, `${count.different} of ${count.exact} differ`);
  });
}

for (const [name, model] of [
  ['a sliding window', slidingModel],
  ['a latent cache', latentModel],
] as const) {
  test(`${name}: results are erased and what follows moves up, and settling makes the answer exact`, async () => {
    await load(model());
    await say(engine, dialog({ turns: 6 }));
    const cleared = dialog({ turns: 6, cleared: 3 });
    const moved = await say(engine, cleared, { maxTokens: 1 });
    assert.ok(moved.prefill.shifted > 500, `${moved.prefill.shifted} moved`);
    await addsUp(cleared, moved);
    const settled = await say(engine, cleared, { reuse: 'exact', maxTokens: 12 });
    assert.equal(settled.prefill.approximate, 0);
    await like(cleared, settled);
  });
}

test('a gap that was filled behind the sliding window is not gone back over', async () => {
  await load(slidingModel());
  await say(engine, dialog({ turns: 7 }));
  const gap = dialog({ turns: 7, cleared: 3 });
  assert.ok((await say(engine, gap, { maxTokens: 1 })).prefill.shifted > 0);
  // More than was erased: the cache writes on into what no window sees any more.
  const longer = dialog({ turns: 10, cleared: 3 });
  await say(engine, longer, { maxTokens: 1 });
  const settled = await say(engine, longer, { reuse: 'exact', maxTokens: 12 });
  await like(longer, settled);
  const erased = await say(engine, dialog({ turns: 10, cleared: 8 }), { maxTokens: 1 });
  await addsUp(dialog({ turns: 10, cleared: 8 }), erased);
});

async function decodedBy(modelPath: string): Promise<{ readonly calls: number; readonly decoded: number }> {
  const info = await engine.client.request('load', loadParams({ modelPath, contextSize: 2048 }));
  const trace = readTrace(JSON.stringify(createTrace({ turns: 8, callsPerTurn: 3, resultLines: 6, seed: 7 })));
  const rows: ReplayRow[] = [];
  const options = { graph: graphs.unified, idle: true, reuse: 'exact' } as const;
  await replayTrace(trace, { client: engine.client, info }, options, (row) => rows.push(row));
  for (const row of rows) assert.equal(row.reused + row.shifted + row.decoded, row.promptTokens);
  return { calls: rows.length, decoded: rows.reduce((sum, row) => sum + row.decoded + row.decodedIdle, 0) };
}

test('a trace with many tool calls costs a sliding window and a hybrid no more than twice what it costs attention', async () => {
  const plain = await decodedBy(nanoModel());
  for (const model of [slidingModel(), hybridModel()]) {
    const { calls, decoded } = await decodedBy(model);
    assert.equal(calls, plain.calls);
    assert.ok(decoded <= 2 * plain.decoded, `${decoded} of ${plain.decoded}`);
  }
});
