// A cache that keeps no more than the windows of sliding layers: the slot goes back to checkpoints, and answers are those of a fresh slot.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { ModelInfo } from '../../../src/core/engine/modelInfo.ts';
import type { Generation } from '../../../src/core/model/model.ts';
import type { Message, Prompt } from '../../../src/core/prompt/prompt.ts';
import { slidingModel, slidingWindow } from '../../models/otherMemories.ts';
import { temporary } from '../../temporary.ts';
import { loadParams, type Said, say, startEngine, words } from '../scenes/engineUnderTest.ts';
import { loadTight } from '../scenes/loadTight.ts';
import { dialog, edits } from '../scenes/longDialog.ts';

const engine = startEngine();
const folder = temporary('tidemark-windowed-');
after(() => rmSync(folder, { recursive: true, force: true }));

const params = loadParams({ modelPath: slidingModel(), slots: 3, contextSize: 8192 });
/** The one of the three slots that never holds anything else. */
const fresh = 2;
let info: ModelInfo;
before(async () => {
  info = await loadTight(engine.client, params);
});

const measure = (prompt: Prompt) => engine.client.request('measure', { prompt });

/** The cells of a window are in another order after a return, which rounds otherwise, and random weights have near ties. */
const count = { said: 0, different: 0 };

async function compare(prompt: Prompt, { generated }: Generation): Promise<void> {
  const said = await say(engine, prompt, { slot: fresh, reuse: 'none', maxTokens: generated.ids.length });
  count.said += 1;
  if (generated.ids.join() !== said.generated.ids.join()) count.different += 1;
}

/** Its sums hold, nothing is approximate, and it is compared with what a fresh slot says. */
async function sayExactly(prompt: Prompt, options: Parameters<typeof say>[2] = {}): Promise<Said> {
  const said = await say(engine, prompt, { maxTokens: 12, ...options });
  const { reused, shifted, decoded, approximate } = said.prefill;
  assert.deepEqual([reused + decoded, shifted, approximate], [(await measure(prompt)).total, 0, 0]);
  await compare(prompt, said);
  return said;
}

test('it is taken where a cache of full size would cost what was wanted, and says that it cannot erase', () => {
  const { memory, erases } = info;
  assert.deepEqual(erases, { not: 'its layers with a sliding window keep that window alone, which saves memory' });
  assert.ok(memory?.isWindowed);
  const { attention, windowed } = memory.kinds;
  // Five of six layers have the window.
  assert.ok(windowed < 5 * attention * 0.2, `${windowed} beside ${attention}`);
  const perToken = 5 * 2 * 32 * 2;
  assert.ok(Math.abs(memory.checkpoints.each / (perToken * slidingWindow) - 1) < 0.05);
  assert.equal(memory.checkpoints.most, 3);
});

test('turns that are added, asked again, cleared and dropped are answered as by a fresh slot', async () => {
  for (const turns of [1, 2, 3, 5, 8]) await sayExactly(dialog({ turns }));
  const { prefill: again } = await sayExactly(dialog({ turns: 8, last: 'What else is there?' }));
  assert.ok(again.decoded < 100, `${again.decoded} decoded`);
  await sayExactly(dialog({ turns: 8, cleared: 6 }));
  const head = (await measure(dialog({ turns: 8 }))).starts[1];
  for (const from of [3, 5]) assert.equal((await sayExactly(dialog({ turns: 9, from }))).prefill.reused, head);
});

test('two conversations in two slots do not disturb each other, one after the other and at once', async () => {
  const other = (turns: number) => dialog({ turns, system: words(150, 7) });
  for (const turns of [2, 4, 6]) {
    await sayExactly(dialog({ turns }));
    await sayExactly(other(turns), { slot: 1 });
  }
  const [one, two] = [dialog({ turns: 9 }), other(8)];
  const both = await Promise.all([say(engine, one, { slot: 0 }), say(engine, two, { slot: 1 })]);
  await compare(one, both[0]);
  await compare(two, both[1]);
  await sayExactly(dialog({ turns: 9, cleared: 5 }));
  await sayExactly(other(3), { slot: 1 });
});

test('compacted turns lead back to the head, and later ones to the summary', async () => {
  const summary = (text: string): Message => ({
    role: 'user',
    segments: [{ layer: 'state', item: null, part: 'text', text }],
  });
  const compacted = (from: number, turns: number, text: string): Prompt => {
    const [head, ...rest] = dialog({ turns, from }).messages;
    return { messages: [head as Message, summary(text), ...rest], tools: [] };
  };
  await sayExactly(dialog({ turns: 7 }));
  const head = (await measure(dialog({ turns: 7 }))).starts[1] ?? 0;
  const first = await sayExactly(compacted(4, 8, words(60, 3)));
  assert.ok(first.prefill.reused >= head);
  await sayExactly(compacted(4, 11, words(60, 3)));
  const { prefill } = await sayExactly(compacted(8, 11, words(60, 3)));
  assert.ok(prefill.reused > head + 60, `${prefill.reused} of more than ${head}`);
  await sayExactly(compacted(9, 12, words(90, 4)));
});

test('a break is named with all that is decoded again behind it', async () => {
  await sayExactly(dialog({ turns: 7 }));
  const cleared = dialog({ turns: 7, cleared: 2 });
  const { total, starts } = await measure(cleared);
  const { firstBreak, reused, decoded } = (await sayExactly(cleared)).prefill;
  // Segments: the system text, then question, head, body and answer of each turn.
  assert.deepEqual([firstBreak?.cause, firstBreak?.item], ['stub', 'r0']);
  assert.ok((firstBreak?.token ?? 0) <= (starts[3] ?? 0) && reused <= (firstBreak?.token ?? 0));
  const unnamed = decoded - (firstBreak?.again ?? 0);
  assert.ok(unnamed >= 1 && unnamed < 30, `${unnamed} of ${decoded} decoded, ${reused} reused of ${total}`);
});

test('what another slot or a file holds is taken over whole, and goes on as a fresh slot does', async () => {
  const head = dialog({ turns: 6, last: words(40, 5) });
  const path = join(folder, 's1.kv');
  await engine.client.request('warm', { slot: 0, prompt: head, reuse: 'auto', settleMilliseconds: 0 });
  const saving = { slot: 0, path, session: 's1', worthMilliseconds: 0, maxBytes: 1e9 };
  const saved = await engine.client.request('saveSnapshot', saving);
  assert.ok(saved.saved, JSON.stringify(saved));
  const longer: Prompt = { ...head, messages: [...head.messages, ...dialog({ turns: 9, from: 8 }).messages.slice(1)] };
  for (const from of ['slot', 'disk'] as const) {
    const loading = { slot: 1, path: from === 'disk' ? path : join(folder, 'none.kv'), prompt: longer, reuse: 'auto' };
    const loaded = await engine.client.request('loadSnapshot', { ...loading, reuse: 'auto', worthMilliseconds: 0 });
    assert.ok(loaded.loaded && loaded.from === from, JSON.stringify(loaded));
    const { prefill } = await sayExactly(longer, { slot: 1 });
    assert.equal(prefill.reused, saved.tokens);
    await sayExactly(dialog({ turns: 4 }), { slot: 1 });
  }
});

test('random edits: sums hold', async () => {
  await fc.assert(
    fc.asyncProperty(edits, async ({ turns, from, cleared, last, reuse, maxTokens }) => {
      const options = { reuse, maxTokens };
      await sayExactly(dialog({ turns: turns + 1, from: Math.min(from, turns), cleared, last }), options);
    }),
    { numRuns: 25 },
  );
});

test('a slot that was stored from a cache of full size goes on in one of windows, and the other way round', async () => {
  const prompt = dialog({ turns: 6, last: words(40, 5) });
  const longer = { ...prompt, messages: [...prompt.messages, ...dialog({ turns: 9, from: 8 }).messages.slice(1)] };
  const path = join(folder, 's2.kv');
  for (const isWindowed of [false, true]) {
    const load = (windowed: boolean) =>
      windowed ? loadTight(engine.client, params) : engine.client.request('load', params);
    assert.equal((await load(isWindowed)).memory?.isWindowed, isWindowed);
    await engine.client.request('warm', { slot: 0, prompt, reuse: 'auto', settleMilliseconds: 0 });
    const saving = { slot: 0, path, session: 's2', worthMilliseconds: 0, maxBytes: 1e9 };
    assert.ok((await engine.client.request('saveSnapshot', saving)).saved);
    assert.equal((await load(!isWindowed)).memory?.isWindowed, !isWindowed);
    const loading = { slot: 0, path, prompt: longer, reuse: 'auto', worthMilliseconds: 0 } as const;
    const loaded = await engine.client.request('loadSnapshot', loading);
    assert.ok(loaded.loaded && loaded.from === 'disk', JSON.stringify(loaded));
    const { prefill } = await sayExactly(longer);
    assert.equal(prefill.reused, loaded.tokens);
  }
});

test('all these answers are those of a fresh slot, but for near ties', (context) => {
  const words = `${count.different} of ${count.said} differ`;
  context.diagnostic(words);
  assert.ok(count.said > 50 && count.different < count.said / 20, words);
});
