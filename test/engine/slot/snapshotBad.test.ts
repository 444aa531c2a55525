// Snapshots that must not be loaded: cut off, changed, of something else, half written. Each is refused with a reason and deleted; the
// process lives, and the next prompt is answered as if there had been none.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { numbers } from '../../app/scenes/longChat.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, message, say, words } from '../scenes/engineUnderTest.ts';
import {
  asked,
  bothFiles,
  description,
  engine,
  files,
  folder,
  load,
  path,
  refusal,
  restart,
  save,
} from '../scenes/snapshotScene.ts';

const kept = join(folder, 'kept');
let answer: readonly number[] = [];

before(async () => {
  await restart();
  answer = (await say(engine, asked, { maxTokens: 12 })).generated.ids;
  assert.ok((await save()).saved);
  copyFileSync(path, kept);
  copyFileSync(description, `${kept}.json`);
  await restart();
});

beforeEach(() => {
  copyFileSync(kept, path);
  copyFileSync(`${kept}.json`, description);
});

after(() => {
  for (const file of [kept, `${kept}.json`]) rmSync(file, { force: true });
});

/** Refused with these words, gone, and the slot and the process are as they were. */
async function refused(words: RegExp): Promise<void> {
  const { pid } = engine.client;
  assert.match(await refusal(), words);
  assert.equal(existsSync(path) || existsSync(description), false);
  assert.deepEqual((await say(engine, asked, { reuse: 'none', maxTokens: 12 })).generated.ids, answer);
  assert.equal(engine.client.pid, pid);
  await say(engine, chat(), { reuse: 'none', maxTokens: 1 });
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(file, bytes);
}

test('cut off anywhere', async () => {
  const size = statSync(kept).size;
  for (const length of [0, 1, 11, 400, Math.floor(size / 2), size - 1]) {
    copyFileSync(kept, path);
    copyFileSync(`${kept}.json`, description);
    truncateSync(path, length);
    await refused(new RegExp(`^it has ${length} bytes instead of ${size}, deleted$`));
  }
});

test('longer than it was', async () => {
  writeFileSync(path, 'more', { flag: 'a' });
  await refused(/^it has \d+ bytes instead of \d+, deleted$/);
});

test('one bit flipped, in the head, the tokens, the cache or the last byte', async () => {
  const size = statSync(kept).size;
  for (const at of [0, 5, 9, 40, Math.floor(size / 2), size - 1]) {
    copyFileSync(kept, path);
    copyFileSync(`${kept}.json`, description);
    flip(path, at);
    await refused(/^it was changed since it was written, deleted$/);
  }
});

test('a description with a bit flipped anywhere is refused, whatever it says now', async () => {
  const random = numbers(7);
  const size = statSync(`${kept}.json`).size;
  for (let i = 0; i < 60; i++) {
    copyFileSync(kept, path);
    copyFileSync(`${kept}.json`, description);
    flip(description, Math.floor(random() * size));
    const said = await refusal();
    // Names and tokens that changed may make it look useless, and then nobody looks at its hash.
    if (said !== 'it would spare nothing') assert.match(said, /, deleted$/, said);
  }
  await refused(/deleted$|^there is none$/);
});

test('without its description, or with one that is none', async () => {
  rmSync(description);
  await refused(/^its description is missing, deleted$/);
  for (const text of ['', '{', 'null', '[]', '"a"', '{"sha256":1}', '{"sha256":"a","record":"null"}', '\0\0\0']) {
    copyFileSync(kept, path);
    writeFileSync(description, text);
    await refused(/^its description cannot be read, deleted$/);
  }
});

test('a description without its state', async () => {
  rmSync(path);
  await refused(/^its state is missing, deleted$/);
});

test('of another model of the same shape, another window, another engine, another cache', async () => {
  const other = (change: Record<string, unknown>) => {
    copyFileSync(kept, path);
    const { sha256, record } = JSON.parse(readFileSync(`${kept}.json`, 'utf8')) as { sha256: string; record: string };
    const changed = JSON.stringify({ ...(JSON.parse(record) as object), ...change });
    writeFileSync(description, JSON.stringify({ sha256, record: changed }));
  };
  other({ engine: 'node-llama-cpp 1.0.0, llama.cpp b1' });
  await refused(/^it was written by node-llama-cpp 1\.0\.0, llama\.cpp b1, deleted$/);
  other({ cache: 'Q8_0/Q8_0' });
  await refused(/^its cache is Q8_0\/Q8_0, deleted$/);
  other({ contextSize: 2048 });
  await refused(/^its window has 2048 tokens, deleted$/);
  await restart({ contextSize: 2048 });
  assert.equal(await refusal({ path: copyOf('b.kv') }), 'its window has 4096 tokens, deleted');
  await restart({ modelPath: nanoModel({ favour: { harbour: 1 } }) });
  assert.equal(await refusal({ path: copyOf('b.kv') }), 'it is of another model, deleted');
  await say(engine, asked, { maxTokens: 1 });
  await restart();
});

function copyOf(name: string): string {
  const copy = join(folder, name);
  copyFileSync(kept, copy);
  copyFileSync(`${kept}.json`, `${copy}.json`);
  return copy;
}

test('a state that llama.cpp itself refuses leaves an empty slot behind, not an unknown one', async () => {
  await say(engine, chat(message('user', words(100, 3))));
  // A forged one: its hash is right, its state is not.
  const { createHash } = await import('node:crypto');
  const bytes = Buffer.alloc(statSync(kept).size, 7);
  writeFileSync(path, bytes);
  const { record } = JSON.parse(readFileSync(`${kept}.json`, 'utf8')) as { record: string };
  const sha256 = createHash('sha256').update(bytes).update(record).digest('hex');
  writeFileSync(description, JSON.stringify({ sha256, record }));
  assert.match(await refusal(), /deleted$/);
  const { prefill, generated } = await say(engine, asked, { maxTokens: 12 });
  assert.equal(prefill.slotTokens, 0);
  assert.deepEqual(generated.ids, answer);
});

test('each step of putting a new pair in the place of the old one leaves what is whole or refused', async () => {
  const temporary = `${path}.1.1.tmp`;
  const newer = { state: 'the new state', description: 'the new description' };
  const steps: readonly (() => void)[] = [
    () => writeFileSync(temporary, newer.state),
    () => writeFileSync(`${temporary}.json`, newer.description),
  ];
  for (const step of steps) step();
  assert.ok((await load({ slot: 1 })).loaded);
  rmSync(description);
  await refused(/^its description is missing, deleted$/);
  renameSync(temporary, path);
  await refused(/^its description is missing, deleted$/);
  copyFileSync(kept, path);
  copyFileSync(`${kept}.json`, description);
  writeFileSync(path, newer.state);
  await refused(/^it has 13 bytes instead of \d+, deleted$/);
  rmSync(`${temporary}.json`);
  await restart();
});

test('killed at any moment of saving, what is left is whole or refused', { timeout: 200_000 }, async (t) => {
  const random = numbers(Number(process.env.SEED ?? 11));
  // Large enough to take its time.
  const params = { modelPath: nanoModel({ layers: 24 }), contextSize: 4096 };
  const long = chat(message('user', words(1200)), message('assistant', 'Yes.'), message('user', 'Why?'));
  const ends: Record<string, number> = {};
  let typical = 20;
  await restart(params);
  for (let i = 0; i < 10; i++) {
    await say(engine, { ...long, messages: [...long.messages, message('assistant', words(40, i))] }, { maxTokens: 4 });
    const { pid } = engine.client;
    const saving = save().catch(() => null);
    if (i > 1 && pid !== undefined) {
      await sleep(random() * typical);
      process.kill(pid, 'SIGKILL');
    }
    const saved = await saving;
    if (saved?.saved) typical = saved.milliseconds * 1.2 + 2;
    await restart(params);
    const answered = await load({ prompt: long });
    const end = answered.loaded ? 'loaded' : answered.reason;
    if (!answered.loaded && end !== 'there is none') assert.ok(answered.deleted, end);
    ends[end] = (ends[end] ?? 0) + 1;
    const said = await say(engine, long, { maxTokens: 6 });
    const fresh = await say(engine, long, { slot: 1, reuse: 'none', maxTokens: 6 });
    assert.deepEqual(said.generated.ids, fresh.generated.ids);
  }
  t.diagnostic(`${JSON.stringify(ends)}, ${typical.toFixed(0)} ms`);
  assert.ok((ends.loaded ?? 0) > 0);
  const left = files().filter((file) => !bothFiles.includes(file) && !file.startsWith('kept'));
  assert.ok(
    left.every((file) => /^a\.kv\.\d+\.\d+\.tmp(\.json)?$/.test(file)),
    left.join(),
  );
});
