// 10,000 damaged GGUF headers: each is refused in words or read, in bounded time, and none ends the process that looks at it.

import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readGgufFileInfo } from 'node-llama-cpp';
import { FaultError, wordFault } from '../../../src/core/faults/faults.ts';
import { checkFile, headerOf } from '../../../src/engine/worker/load/checkFile.ts';
import { numbers } from '../../app/scenes/longChat.ts';
import { type Value, writeGguf } from '../../models/scenes/gguf.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { qwen2Metadata } from '../../models/scenes/tiny.ts';
import { temporary } from '../../temporary.ts';
import { chat, loadParams, message, say, startEngine } from '../scenes/engineUnderTest.ts';

const folder = temporary('tidemark-header-');
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'fuzzed.gguf');
const seed = Number(process.env.TIDEMARK_SEED ?? 20261121);
const random = numbers(seed);
const upTo = (n: number) => Math.floor(random() * n);

/** A sound header with every type of value that files use. */
function small(): Buffer {
  const shape = { layers: 1, contextLength: 64, width: 8, feedForward: 8, heads: 1, kvWidth: 8 };
  const more: Readonly<Record<string, Value>> = {
    'a.bool': { type: 'bool', value: true },
    'a.strings': { type: 'strings', value: ['one', 'two', 'three'] },
    'a.numbers': { type: 'i32s', value: [1, 2, 3] },
    'a.shares': { type: 'f32s', value: [0.5, 1] },
  };
  const tensor = (name: string) => ({ name, dimensions: [16, 16], at: () => 0 });
  writeGguf(path, { ...qwen2Metadata('small', shape), ...more }, ['one.weight', 'two.weight'].map(tensor));
  return readFileSync(path);
}

const lengths = [
  0n,
  1n,
  255n,
  2n ** 16n,
  2n ** 24n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n,
  2n ** 63n,
  2n ** 64n - 1n,
];
const pick = <T>(all: readonly T[]): T => all[upTo(all.length)] as T;

/** Each changes a header of so many bytes, behind the magic. */
const damages: readonly ((bytes: Buffer, header: number) => Buffer)[] = [
  (bytes, header) => bytes.subarray(0, 4 + upTo(header)),
  (bytes, header) => {
    for (let i = 1 + upTo(8); i > 0; i--) {
      const at = 4 + upTo(header - 4);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << upTo(8));
    }
    return bytes;
  },
  (bytes, header) => {
    bytes.writeBigUInt64LE(pick(lengths), 4 + upTo(header - 12));
    return bytes;
  },
  (bytes, header) => {
    bytes.writeUInt32LE(pick([0, 8, 9, 10, 13, 77, 2 ** 31, 2 ** 32 - 1]), 4 + upTo(header - 8));
    return bytes;
  },
  (bytes) => {
    bytes.writeBigUInt64LE(pick(lengths), pick([8, 16, 24]));
    return bytes;
  },
  (bytes, header) => {
    const at = 4 + upTo(header - 4);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + upTo(40))]);
  },
  (bytes, header) => {
    for (let at = 4 + upTo(header - 4), end = at + upTo(64); at < Math.min(end, bytes.length); at++)
      bytes[at] = upTo(256);
    return bytes;
  },
];

const headerEnd = (bytes: Buffer, last: string) => bytes.lastIndexOf(last) + last.length + 32;

/** Damages a copy of the sound file, as it would lie on the disk. */
function damaged(sound: Buffer, header: number): Buffer {
  return pick(damages)(Buffer.from(sound), header);
}

test(`10,000 damaged headers are each refused in words or sound enough to be read (seed ${seed})`, async (t) => {
  const sound = small();
  await checkFile(path, 'chat');
  const header = headerEnd(sound, 'two.weight');
  const file = openSync(path, 'r+');
  const ends = { refused: 0, sound: 0, read: 0, unread: 0 };
  let slowest = 0;
  for (let i = 0; i < 10_000; i++) {
    const bytes = damaged(sound, header);
    ftruncateSync(file, bytes.length);
    writeSync(file, bytes, 0, bytes.length, 0);
    const started = performance.now();
    const problem = headerOf(file, bytes.length).problem;
    if (problem === null) ends.sound += 1;
    else ends.refused += 1;
    assert.ok(problem === null || problem.length > 15, `${i}: ${problem}`);
    slowest = Math.max(slowest, performance.now() - started);
    // The rest of the road is slow: it is gone by some.
    if (i % 20 === 0) assert.equal(await checked(bytes.length), problem);
    // A file that the library cannot read has no estimate, and loading says why.
    if (problem === null && i % 10 === 0) ends[await readable()] += 1;
  }
  closeSync(file);
  t.diagnostic(`${JSON.stringify(ends)}, slowest ${slowest.toFixed(0)} ms`);
  assert.ok(ends.refused > 2000 && ends.sound > 1000 && ends.read > 50, JSON.stringify(ends));
  assert.ok(slowest < 5000, `${slowest} ms`);
});

/**
 * Returns the reason that `checkFile` gives against the file, or `null`. The function does not walk a file of a few bytes, so there the reason is the
 * header's.
 */
async function checked(bytes: number): Promise<string | null> {
  const fault = await checkFile(path, 'chat').then(
    () => null,
    (error: unknown) => error,
  );
  if (fault === null) return null;
  assert.ok(fault instanceof FaultError && fault.fault.kind === 'modelDamaged', String(fault));
  if (bytes >= 1024) return fault.fault.reason;
  assert.match(fault.fault.reason, /it has only/);
  const file = openSync(path, 'r');
  const problem = headerOf(file, bytes).problem;
  closeSync(file);
  return problem;
}

function readable(): Promise<'read' | 'unread'> {
  return readGgufFileInfo(path, { logWarnings: false }).then(
    () => 'read' as const,
    () => 'unread' as const,
  );
}

test(`100 of them in the engine: each load settles, and a good model loads after them (seed ${seed})`, {
  timeout: 200_000,
}, async (t) => {
  const engine = startEngine();
  const sound = readFileSync(nanoModel());
  const header = headerEnd(sound, 'output_norm.weight');
  const kinds: Record<string, number> = {};
  for (let i = 0; i < 100; i++) {
    writeFileSync(path, damaged(sound, header));
    const loading = settled(engine.client.request('load', loadParams({ modelPath: path })), i);
    const kind = await loading.then(
      () => 'loaded',
      (error: unknown) => {
        assert.ok(error instanceof FaultError, `${i}: ${error}`);
        assert.ok(wordFault(error.fault).message.length > 20);
        return error.fault.kind;
      },
    );
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  t.diagnostic(JSON.stringify(kinds));
  assert.ok((kinds.modelDamaged ?? 0) > 30, JSON.stringify(kinds));
  await engine.client.request('load', loadParams());
  const { generated } = await say(engine, chat(message('user', 'Hello')), { maxTokens: 2 });
  assert.equal(generated.ids.length, 2);
});

/** A load that hangs is told at once, by the number of its file. */
function settled<T>(loading: Promise<T>, file: number): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`file ${file} of seed ${seed} does not settle`)), 60_000).unref();
  });
  return Promise.race([loading, late]);
}

test('a text that takes the memory is refused also where the file is large enough to hold it', () => {
  const longest = 1 << 26;
  const problemOf = (length: number) => {
    const header = Buffer.alloc(45);
    header.write('GGUF');
    header.writeUInt32LE(3, 4);
    header.writeBigUInt64LE(1n, 16);
    header.writeBigUInt64LE(1n, 24);
    header.write('k', 32);
    header.writeUInt32LE(8, 33);
    header.writeBigUInt64LE(BigInt(length), 37);
    const file = openSync(path, 'w+');
    try {
      writeSync(file, header);
      // Sparse: it takes no space on the disk.
      ftruncateSync(file, header.length + length);
      return headerOf(file, header.length + length).problem;
    } finally {
      closeSync(file);
    }
  };
  assert.equal(problemOf(longest), null);
  assert.match(problemOf(longest + 1) ?? '', /a text is 67108865 bytes long/);
});
