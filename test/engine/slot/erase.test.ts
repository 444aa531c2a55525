// Erasing inside a slot: what stands behind a deletion moves up instead of being decoded again, and idle work makes it exact.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import fc from 'fast-check';
import type { CacheReuse } from '../../../src/core/model/model.ts';
import type { Message, Prompt } from '../../../src/core/prompt/prompt.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, say, startEngine, words } from '../scenes/engineUnderTest.ts';

const engine = startEngine();
const measure = async (prompt: Prompt) => (await engine.client.request('measure', { prompt })).total;

beforeEach(async () => {
  await engine.client.request('load', loadParams({ slots: 2 }));
});

/** A message that is one item of a dialog. */
function item(id: string, role: Message['role'], text: string): Message {
  const { segments, ...rest } = message(role, text);
  return { ...rest, segments: segments.map((segment) => ({ ...segment, item: id })) };
}

const turn = (n: number, size = 60) => [
  item(`u${n}`, 'user', `Question ${n}: ${words(size, n + 1)}`),
  item(`a${n}`, 'assistant', `Answer ${n}: ${words(size, n + 2)}`),
];
const dialog = (...numbers: readonly number[]) => numbers.flatMap((n) => turn(n));
const last = item('q', 'user', 'And now?');

const warm = (prompt: Prompt, reuse: CacheReuse = 'auto', settleMilliseconds = 60_000, slot = 0) =>
  engine.client.request('warm', { slot, prompt, reuse, settleMilliseconds });

test('dropped turns cost nothing: what follows them is shifted', async () => {
  await say(engine, chat(...dialog(1, 2, 3, 4), last), { maxTokens: 1 });
  const next = chat(...dialog(3, 4), last);
  const { prefill } = await say(engine, next, { maxTokens: 1 });
  assert.equal(prefill.decoded, 1);
  assert.equal(prefill.reused + prefill.shifted + prefill.decoded, await measure(next));
  assert.ok(prefill.shifted > prefill.reused);
  assert.deepEqual([prefill.firstBreak?.cause, prefill.firstBreak?.item, prefill.firstBreak?.again], ['trim', 'u1', 0]);
  // All behind the deletion is approximate.
  assert.equal(prefill.approximate, prefill.shifted);
});

test('asked to be exact, it decodes them again instead', async () => {
  await say(engine, chat(...dialog(1, 2, 3, 4), last), { maxTokens: 1 });
  const { prefill } = await say(engine, chat(...dialog(3, 4), last), { maxTokens: 1, reuse: 'exact' });
  assert.deepEqual([prefill.shifted, prefill.approximate], [0, 0]);
  assert.ok((prefill.firstBreak?.again ?? 0) > 200);
});

test('idle work settles the slot: what was moved is decoded again, and the answer is that of a fresh slot', async () => {
  await say(engine, chat(...dialog(1, 2, 3, 4), last), { maxTokens: 1 });
  const next = chat(...dialog(3, 4), last);
  const { prefill } = await say(engine, next, { maxTokens: 1 });
  const settled = await warm(next);
  assert.equal(settled.warmed, settled.of);
  assert.ok(settled.settled > 0 && settled.settled <= prefill.approximate);
  assert.equal(settled.prefill.approximate, 0);
  const after = await say(engine, next, { maxTokens: 12 });
  const fresh = await say(engine, next, { maxTokens: 12, slot: 1 });
  assert.deepEqual(after.generated.ids, fresh.generated.ids);
  // Once settled there is nothing more to do.
  assert.deepEqual([(await warm(next)).settled, (await warm(next)).prefill.decoded], [0, 0]);
});

test('where settling would take too long it is left out, and how long it would take is said', async () => {
  await say(engine, chat(...dialog(1, 2, 3, 4), last), { maxTokens: 1 });
  const next = chat(...dialog(3, 4), last);
  const { prefill } = await say(engine, next, { maxTokens: 1 });
  const left = await warm(next, 'auto', 0);
  assert.equal(left.settled, 0);
  assert.ok(left.unsettled !== null && left.unsettled > 0);
  // With the prompt's last token, which came with the generation.
  assert.equal(left.prefill.approximate, prefill.approximate + 1);
});

test('"shift" never settles, and "exact" settles whatever it takes', async () => {
  await say(engine, chat(...dialog(1, 2, 3, 4), last), { maxTokens: 1 });
  const next = chat(...dialog(3, 4), last);
  await say(engine, next, { maxTokens: 1 });
  const shifted = await warm(next, 'shift');
  assert.deepEqual([shifted.settled, shifted.unsettled, shifted.prefill.decoded], [0, null, 0]);
  assert.ok((await warm(next, 'exact', 0)).settled > 0);
});

test('settling that is interrupted goes on where it stopped', async () => {
  await say(engine, chat(...dialog(...Array.from({ length: 11 }, (_, n) => n)), last), { maxTokens: 1 });
  const next = chat(...dialog(...Array.from({ length: 8 }, (_, n) => n + 3)), last);
  await say(engine, next, { maxTokens: 1 });
  const settling = warm(next);
  const { prefill } = await say(engine, next, { maxTokens: 12 });
  const { settled } = await settling;
  // Tokens that were decoded again before the request came stay; the rest are decoded for it.
  assert.ok(prefill.reused >= settled);
  assert.equal(prefill.reused + prefill.shifted + prefill.decoded, await measure(next));
  await warm(next);
  const fresh = await say(engine, next, { maxTokens: 12, slot: 1 });
  assert.deepEqual((await say(engine, next, { maxTokens: 12 })).generated.ids, fresh.generated.ids);
});

test('a chain of random deletions stays equal to the prompt, and equals a fresh slot once it is settled', async () => {
  let turns = Array.from({ length: 8 }, (_, n) => n);
  let number = 8;
  const salt = { n: 0 };
  let different = 0;
  const step = fc.record({
    drop: fc.nat(7),
    count: fc.nat(3),
    add: fc.nat(2),
    settle: fc.boolean(),
    cut: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(step, async ({ drop, count, add, settle, cut }) => {
      turns = turns.filter((_, i) => i < drop || i >= drop + count);
      turns.push(...Array.from({ length: add }, () => number++));
      const messages = turns.flatMap((n) => turn(n, 12));
      const prompt = chat(...(cut ? messages.slice(0, -1) : messages), last);
      const said = await say(engine, prompt, { maxTokens: 4 });
      const { reused, shifted, decoded } = said.prefill;
      assert.equal(reused + shifted + decoded, await measure(prompt));
      if (!settle) return;
      await warm(prompt);
      const again = await say(engine, prompt, { maxTokens: 4 });
      assert.equal(again.prefill.approximate, 0);
      const fresh = await say(engine, prompt, { maxTokens: 4, slot: 1, reuse: 'none' });
      salt.n += 1;
      if (again.generated.ids.join() !== fresh.generated.ids.join()) different += 1;
    }),
    { numRuns: 60 },
  );
  // Other batches round otherwise, and random weights have near ties.
  assert.ok(salt.n > 10 && different <= salt.n / 10, `${different} of ${salt.n} differ`);
});

test('with a single layer what moves up is exact: the shift itself is right', async () => {
  // A token's keys and values depend on it and its position alone, as long as no layer stands below.
  await engine.client.request('load', loadParams({ slots: 2, modelPath: nanoModel({ layers: 1 }) }));
  let different = 0;
  for (let n = 0; n < 12; n++) {
    await say(engine, chat(...dialog(n, n + 1, n + 2, n + 3, n + 4, n + 5), last), { maxTokens: 1, reuse: 'none' });
    const prompt = chat(...dialog(n + 1, n + 3, n + 5), last);
    const moved = await say(engine, prompt, { maxTokens: 16 });
    assert.ok(moved.prefill.shifted > 200 && moved.prefill.decoded < 40);
    const fresh = await say(engine, prompt, { maxTokens: 16, slot: 1, reuse: 'none' });
    if (moved.generated.ids.join() !== fresh.generated.ids.join()) different += 1;
  }
  assert.ok(different <= 1, `${different} of 12 differ`);
});
