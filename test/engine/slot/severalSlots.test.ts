// Several conversations' slots beside each other: what one stores another slot brings back, and what is copied between them.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { hybridModel, slidingModel } from '../../models/otherMemories.ts';
import { chat, message, say, words } from '../scenes/engineUnderTest.ts';
import { asked, description, engine, files, load, path, restart, save } from '../scenes/snapshotScene.ts';

beforeEach(async () => {
  for (const file of [path, description]) rmSync(file, { force: true });
  await restart();
});

const never = { worthMilliseconds: 1e9 };

test('what is still being stored of one slot is waited for by another that it is to come into', async () => {
  await say(engine, asked, { maxTokens: 12 });
  const [saved, loaded] = await Promise.all([save(), load({ slot: 1, ...never })]);
  assert.ok(saved.saved, JSON.stringify(saved));
  assert.ok(loaded.loaded && loaded.from === 'disk', JSON.stringify(loaded));
});

test('storing and loading one place from both slots, in any order, ends', async () => {
  await say(engine, asked, { maxTokens: 12 });
  await say(engine, asked, { slot: 1, maxTokens: 12 });
  const jobs = [load(), save(), load({ slot: 1 }), save({ slot: 1 }), load(), save(), load({ slot: 1 })];
  const answers = await Promise.all(jobs);
  assert.equal(answers.length, jobs.length);
  const after = await say(engine, asked, { slot: 1, maxTokens: 12 });
  const fresh = await say(engine, asked, { slot: 1, reuse: 'none', maxTokens: 12 });
  assert.deepEqual(after.generated.ids, fresh.generated.ids);
});

test('a stored state that could not be used is said also where another slot serves instead', async () => {
  await say(engine, asked, { maxTokens: 12 });
  writeFileSync(path, 'x');
  const loaded = await load({ slot: 1, worthMilliseconds: 0 });
  assert.ok(loaded.loaded && loaded.from === 'slot', JSON.stringify(loaded));
  assert.equal(loaded.refused, 'its description is missing');
});

test('what was moved up stays approximate in a copy, and is settled there', async () => {
  const turn = (item: string, text: string) =>
    ({ role: 'user', segments: [{ layer: 'history', item, part: 'text', text }] }) as const;
  const [one, two, last] = [turn('u1', words(300)), turn('u2', words(300, 3)), turn('u3', 'Why?')];
  const answer = message('assistant', 'Yes.');
  await say(engine, chat(one, answer, two, answer, last), { maxTokens: 4 });
  const less = chat(two, answer, last);
  const moved = await say(engine, less, { maxTokens: 4 });
  assert.ok(moved.prefill.approximate > 100);
  const loaded = await load({ slot: 1, prompt: less, worthMilliseconds: 0 });
  assert.ok(loaded.loaded && loaded.from === 'slot', JSON.stringify(loaded));
  const warmed = await engine.client.request('warm', { slot: 1, prompt: less, reuse: 'auto', settleMilliseconds: 1e6 });
  assert.ok(warmed.settled > 100, `${warmed.settled}`);
  assert.equal(warmed.prefill.approximate, 0);
});

for (const [kind, modelPath] of [
  ['a sliding window', slidingModel()],
  ['a running state', hybridModel()],
] as const)
  test(`with ${kind} each of several slots answers as one alone, also behind what it took over`, async () => {
    await restart({ modelPath, slots: 1, conversations: 3 });
    const head = message('system', words(700));
    const first = { messages: [head, message('user', words(500, 2))], tools: [] };
    const second = { messages: [head, message('user', 'Why?')], tools: [] };
    await say(engine, first, { slot: 0, maxTokens: 8 });
    await load({ slot: 2, prompt: second, worthMilliseconds: 0 });
    const taken = await say(engine, second, { slot: 2, maxTokens: 8 });
    const fresh = await say(engine, second, { slot: 1, reuse: 'none', maxTokens: 8 });
    assert.deepEqual(taken.generated.ids, fresh.generated.ids);
    const again = await say(engine, first, { slot: 0, maxTokens: 8 });
    const alone = await say(engine, first, { slot: 1, reuse: 'none', maxTokens: 8 });
    assert.deepEqual(again.generated.ids, alone.generated.ids);
    assert.deepEqual(files(), []);
  });
