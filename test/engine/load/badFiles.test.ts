// Files that are no model, or half of one: every one gives a fault with a reason, and the process lives on.

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Fault } from '../../../src/core/faults/fault.ts';
import { wordFault } from '../../../src/core/faults/faults.ts';
import { chatTemplate } from '../../models/scenes/chatTemplate.ts';
import { writeHeader } from '../../models/scenes/header.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { temporary } from '../../temporary.ts';
import { chat, faultIn, loadParams, message, say, startEngine } from '../scenes/engineUnderTest.ts';

const engine = startEngine();
const folder = temporary('tidemark-bad-');
after(() => rmSync(folder, { recursive: true }));

const good = readFileSync(nanoModel());
const tensorTable = good.indexOf('token_embd.weight');
const write = (name: string, bytes: Buffer | string) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const load = (modelPath: string) => engine.client.request('load', loadParams({ modelPath }));

/** The fault of a file, after which the same process must still load a good one and answer. */
async function faultOfFile(path: string): Promise<Fault> {
  const fault = await faultIn(load(path));
  assert.ok(wordFault(fault).message.length > 20);
  await load(nanoModel());
  assert.equal((await say(engine, chat(message('user', 'Hello')), { maxTokens: 2 })).generated.ids.length, 2);
  assert.deepEqual(engine.heard.crashed, []);
  return fault;
}

test('a path that is empty, missing, or a folder is told apart', async () => {
  assert.deepEqual(await faultIn(load('  ')), { kind: 'noModel' });
  const missing = join(folder, 'missing.gguf');
  assert.deepEqual(await faultIn(load(missing)), { kind: 'modelMissing', path: missing });
  assert.deepEqual(await faultOfFile(folder), { kind: 'modelIsFolder', path: folder });
});

test('what does not begin like a GGUF is quoted', async () => {
  const page = write('page.gguf', `<html>${' '.repeat(5000)}</html>`);
  assert.deepEqual(await faultOfFile(page), { kind: 'modelNotGguf', path: page, found: '"<htm"' });
  const empty = write('empty.gguf', '');
  assert.deepEqual(await faultIn(load(empty)), { kind: 'modelNotGguf', path: empty, found: 'nothing (it is empty)' });
});

test('a model for something else is refused by its header, to chat with as to find with', async () => {
  const path = join(folder, 'embedding.gguf');
  writeHeader(path, 'bert', 1);
  assert.deepEqual(await faultOfFile(path), { kind: 'modelOfOtherUse', path, is: 'embedding', wanted: 'chat' });
  const chatModel = { modelPath: nanoModel(), gpu: 'off', threads: 1 } as const;
  const refused = await faultIn(engine.client.request('loadEmbedding', chatModel));
  assert.deepEqual(refused, { kind: 'modelOfOtherUse', path: nanoModel(), is: 'chat', wanted: 'embedding' });
});

const cuts: Readonly<Record<string, readonly [number, RegExp]>> = {
  'after 24 bytes': [24, /only 24 bytes/],
  'after 1000 bytes': [1000, /only 1000 bytes/],
  'inside the vocabulary': [20_000, /room for 2429/],
  'inside the merges': [Math.floor(tensorTable * 0.8), /room for 3694/],
  'inside the tensor table': [tensorTable + 40, /goes on beyond the end of the file/],
  'in the padding after the tensor table': [
    tensorTable + 1600,
    /it is not whole: \d+ bytes of its weights are missing/,
  ],
  'inside the first tensor': [tensorTable + 10_000, /it is not whole: \d+ bytes/],
  'inside the last tensor': [good.length - 5000, /it is not whole: 5000 bytes/],
};

for (const [where, [length, reason]] of Object.entries(cuts)) {
  test(`a file cut ${where} is damaged, with a reason`, async () => {
    const path = write('cut.gguf', good.subarray(0, length));
    const fault = await faultOfFile(path);
    assert.ok(fault.kind === 'modelDamaged' && fault.path === path && reason.test(fault.reason), JSON.stringify(fault));
  });
}

const edits: Readonly<Record<string, (bytes: Buffer) => void>> = {
  'with version 77': (bytes) => bytes.writeUInt32LE(77, 4),
  'with more tensors than it has': (bytes) => bytes.writeBigUInt64LE(1_000_000n, 8),
  'with more metadata than it has': (bytes) => bytes.writeBigUInt64LE(2n ** 40n, 16),
  'with a huge string': (bytes) => bytes.writeBigUInt64LE(2n ** 50n, 24),
  'of an unknown architecture': (bytes) => bytes.write('qwen9', bytes.indexOf('qwen2')),
  'with an unknown tensor type': (bytes) => bytes.writeUInt32LE(200, tensorTable + 'token_embd.weight'.length + 4 + 16),
  'with a tensor of another shape': (bytes) =>
    bytes.writeBigUInt64LE(65n, tensorTable + 'token_embd.weight'.length + 4),
};

for (const [what, edit] of Object.entries(edits)) {
  test(`a file ${what} is damaged, with a reason`, async () => {
    const bytes = Buffer.from(good);
    edit(bytes);
    const fault = await faultOfFile(write('edited.gguf', bytes));
    assert.ok(fault.kind === 'modelDamaged' && fault.reason.length > 10, JSON.stringify(fault));
  });
}

test('weights that are no numbers are found by the self-test', async () => {
  for (const weight of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const path = nanoModel({ weight });
    assert.deepEqual(await faultOfFile(path), { kind: 'modelBroken', path });
  }
});

const bare = `{%- for message in messages -%}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{%- endfor -%}`;
const templates: Readonly<Record<string, readonly [string, RegExp]>> = {
  'that cannot be parsed': [`${bare}{% if %}{{ `, /./],
  'that calls what does not exist': [`${bare}{{ nothing_here(messages) }}`, /nothing_here|call/i],
  'that drops the system message': [
    bare.replace('in messages', 'in messages[1:]'),
    /message 2 .*out of its order|message 1 .*dropped/,
  ],
  'that drops the last message': [bare.replace('in messages', 'in messages[:-1]'), /message 4 \(user\) is dropped/],
  'that reorders messages': [bare.replace('in messages', 'in messages | reverse'), /out of its order/],
  'that repeats a message': [
    bare.replace('{{ message.content }}', '{{ message.content }}{{ message.content }}'),
    /it changes what a message of role system says/,
  ],
  'that changes contents': [
    bare.replace('message.content', 'message.content | length | string'),
    /it changes what a message of role|dropped/,
  ],
};

for (const [what, [template, reason]] of Object.entries(templates)) {
  test(`a chat template ${what} is unusable, with a reason`, async () => {
    const fault = await faultOfFile(nanoModel({ template }));
    assert.equal(fault.kind, 'templateUnusable');
    assert.match(fault.kind === 'templateUnusable' ? fault.reason : '', reason);
  });
}

test('a base model, whose file has no chat template, is refused as one', async () => {
  assert.deepEqual(await faultOfFile(nanoModel({ template: null })), { kind: 'modelWithoutTemplate' });
});

test('a chat template without tool calls, or that drops tool results, gets our schemas and plain text calls', async () => {
  for (const template of [bare, chatTemplate.replace("message.role == 'tool'", 'false')]) {
    const { toolCalls } = await load(nanoModel({ template }));
    assert.equal(toolCalls.format, 'tidemark');
    const { raw } = await say(engine, chat(message('user', 'Hello')), { maxTokens: 2 });
    assert.equal(typeof raw, 'string');
  }
});
