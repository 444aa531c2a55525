// A stored slot: a new process goes on from it as if it had never ended; what cannot be used is refused with a reason, and gone.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { hybridModel, slidingModel } from '../../models/otherMemories.ts';
import { chat, message, say, words } from '../scenes/engineUnderTest.ts';
import {
  asked,
  bothFiles,
  description,
  engine,
  files,
  goneOn,
  load,
  path,
  refusal,
  restart,
  save,
} from '../scenes/snapshotScene.ts';

beforeEach(async () => {
  for (const file of [path, description]) rmSync(file, { force: true });
  await restart();
});

/** A whole snapshot, and the answer behind it. */
async function stored() {
  const answer = await say(engine, asked, { maxTokens: 12 });
  const saved = await save();
  assert.ok(saved.saved, JSON.stringify(saved));
  return { answer, saved };
}

test('a new process goes on from it: only what is new is decoded, and the answer is that of a slot that never ended', async () => {
  const { answer, saved } = await stored();
  const next = goneOn(asked, answer);
  const without = await say(engine, next, { maxTokens: 24 });
  await restart();
  const loaded = await load({ prompt: next });
  assert.ok(loaded.loaded, JSON.stringify(loaded));
  assert.equal(loaded.tokens, saved.tokens);
  assert.equal(loaded.bytes, saved.bytes);
  const on = await say(engine, next, { maxTokens: 24 });
  assert.equal(on.prefill.slotTokens, saved.tokens);
  assert.equal(on.prefill.reused, saved.tokens);
  assert.equal(on.prefill.decoded, without.prefill.decoded);
  assert.equal(on.prefill.firstBreak, null);
  assert.deepEqual(on.generated.ids, without.generated.ids);
  const cold = await say(engine, next, { slot: 1, reuse: 'none', maxTokens: 24 });
  assert.deepEqual(on.generated.ids, cold.generated.ids);
});

test('a turn that is let go of later is erased in it, segment by segment', async () => {
  const [one, two] = [words(80, 3), words(80, 5)];
  const turn = (n: number, text: string) => [named(`u${n}`, 'user', text), named(`a${n}`, 'assistant', words(20, n))];
  const whole = chat(...turn(1, one), ...turn(2, two), named('u3', 'user', 'Why?'));
  const less = chat(...turn(2, two), named('u3', 'user', 'Why?'));
  await say(engine, whole);
  assert.ok((await save()).saved);
  await restart();
  assert.ok((await load({ prompt: less })).loaded);
  const { prefill } = await say(engine, less);
  assert.ok(prefill.shifted > 80, `${prefill.shifted}`);
  assert.ok(prefill.approximate > 0);
  // The approximate tokens are still known as such after they are stored.
  const later = await save();
  assert.ok(later.saved);
  await restart();
  assert.ok((await load({ prompt: less })).loaded);
  const warmed = await engine.client.request('warm', { slot: 0, prompt: less, reuse: 'auto', settleMilliseconds: 1e6 });
  assert.ok(warmed.settled > 80, `${warmed.settled}`);
  assert.equal(warmed.prefill.approximate, 0);
});

function named(item: string, role: 'user' | 'assistant', text: string) {
  return { role, segments: [{ layer: 'history', item, part: 'text', text }] } as const;
}

test('a state is not stored while tokens wait to be moved up: llama.cpp does that with the next decoding, and a file would not say it', async () => {
  const whole = chat(
    named('u1', 'user', words(80, 3)),
    named('a1', 'assistant', words(80, 5)),
    named('u2', 'user', ''),
  );
  const less = chat(named('a1', 'assistant', words(80, 5)), named('u2', 'user', ''));
  const warm = (prompt: typeof whole) =>
    engine.client.request('warm', { slot: 0, prompt, reuse: 'shift', settleMilliseconds: 0 });
  await warm(whole);
  const { prefill } = await warm(less);
  assert.equal(prefill.decoded, 0);
  assert.ok(prefill.shifted > 80);
  assert.deepEqual(await save(), { saved: false, reason: 'a part of it is being moved' });
});

test('it is stored only if decoding it again would take long, it fits, nobody waits, and it changed', async () => {
  const reason = async (other: Parameters<typeof save>[0] = {}) => {
    const saved = await save(other);
    return saved.saved ? 'stored' : saved.reason;
  };
  assert.equal(await reason(), 'the slot is empty');
  await say(engine, asked);
  assert.match(await reason({ worthMilliseconds: 60_000 }), /^decoding it again takes \d+ ms only$/);
  assert.match(await reason({ maxBytes: 1000 }), /^it would take 1 MB, more than the 1 MB that are allowed$/);
  assert.deepEqual(files(), []);
  const first = say(engine, asked, { maxTokens: 24 });
  const between = reason();
  const second = say(engine, asked, { maxTokens: 4 });
  assert.equal(await between, 'a message came first');
  await Promise.all([first, second]);
  assert.equal(await reason(), 'stored');
  assert.deepEqual(files(), bothFiles);
  assert.equal(await reason(), 'it is stored as it is');
  rmSync(path);
  assert.equal(await reason(), 'stored');
  await say(engine, chat(message('user', words(60, 7))));
  assert.equal(await reason(), 'stored');
  assert.equal(await reason({ path: `${path}/nowhere` }).then((said) => said === 'stored'), false);
  assert.deepEqual(files(), bothFiles);
});

test('it is loaded only where it spares more of the prompt than the slot itself', async () => {
  const { answer } = await stored();
  assert.equal(await refusal(), 'it would spare nothing');
  assert.equal(await refusal({ reuse: 'none', slot: 1 }), 'it would spare nothing');
  assert.equal(await refusal({ prompt: chat(message('user', words(200, 9))), slot: 1 }), 'it would spare nothing');
  // Another conversation came into the slot.
  await say(engine, chat(message('user', words(300, 4))));
  assert.ok((await load()).loaded);
  const { prefill } = await say(engine, goneOn(asked, answer));
  assert.equal(prefill.reused, prefill.slotTokens);
  assert.equal(await refusal({ path: `${path}x` }), 'there is none');
  assert.deepEqual(files(), bothFiles);
});

test('what a slot still holds of another conversation is not stored as this one’s', async () => {
  const { answer } = await stored();
  const other = `${path}.other`;
  assert.equal(await refusal({ path: other, prompt: chat() }), 'there is none');
  assert.deepEqual(await save({ path: other }), { saved: false, reason: 'it is of another conversation' });
  // Nothing has to be decoded for its head, so the rest still stands.
  await engine.client.request('warm', {
    slot: 0,
    prompt: chat(message('user', '')),
    reuse: 'auto',
    settleMilliseconds: 0,
  });
  assert.deepEqual(await save({ path: other }), { saved: false, reason: 'it is of another conversation' });
  await say(engine, chat(message('user', words(30))));
  assert.ok((await save({ path: other })).saved);
  for (const file of [other, `${other}.json`]) rmSync(file);
  assert.ok((await load()).loaded);
  await say(engine, goneOn(asked, answer));
  assert.ok((await save()).saved);
});

test('stored twice in a row and loaded at once, it is the latter', async () => {
  const { answer } = await stored();
  const next = goneOn(asked, answer, words(80, 5));
  await say(engine, chat(message('user', words(90, 4))), { slot: 1 });
  const saves = [say(engine, next), save({ slot: 1 }), save()];
  const [, one, two] = await Promise.all(saves);
  assert.ok(one !== undefined && 'saved' in one && one.saved);
  assert.ok(two !== undefined && 'saved' in two && two.saved);
  assert.ok((await load({ slot: 1, prompt: next })).loaded);
  assert.deepEqual(files(), bothFiles);
});

test('a sliding window goes on from it', async () => {
  await restart({ modelPath: slidingModel(), contextSize: 8192 });
  await goesOn(slidingModel());
});

test('a model that needs checkpoints goes on at its end; for anything else it is not worth loading', async () => {
  await restart({ modelPath: hybridModel(), contextSize: 8192 });
  const next = await goesOn(hybridModel());
  await restart({ modelPath: hybridModel(), contextSize: 8192 });
  assert.equal(
    await refusal({ prompt: chat(...asked.messages.slice(1, 3), message('user', 'Else?')) }),
    'it would spare nothing',
  );
  assert.ok((await load({ prompt: next })).loaded);
  // The slot cannot go back to this prompt, so all of it is decoded from the beginning.
  const other = chat(...asked.messages.slice(1, 3), message('user', 'Else?'));
  const said = await say(engine, other, { maxTokens: 12 });
  assert.equal(said.prefill.reused, 0);
  const fresh = await say(engine, other, { slot: 1, reuse: 'none', maxTokens: 12 });
  assert.deepEqual(said.generated.ids, fresh.generated.ids);
});

/** Stores, starts again, loads, and compares with a slot that never held anything. */
async function goesOn(modelPath: string) {
  const { answer, saved } = await stored();
  const next = goneOn(asked, answer);
  await restart({ modelPath, contextSize: 8192 });
  assert.ok((await load({ prompt: next })).loaded);
  const on = await say(engine, next, { maxTokens: 12 });
  assert.equal(on.prefill.reused, saved.tokens);
  const fresh = await say(engine, next, { slot: 1, reuse: 'none', maxTokens: 12 });
  assert.deepEqual(on.generated.ids, fresh.generated.ids);
  return next;
}
