// Tests that a model's header says what it is for: chat models, embedding models and rankers are told apart, and nothing else is guessed.

import assert from 'node:assert/strict';
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FaultError } from '../../src/core/faults/faults.ts';
import { checkUse, useOf } from '../../src/models/use.ts';
import { temporary } from '../temporary.ts';
import { writeGguf } from './scenes/gguf.ts';
import { writeHeader } from './scenes/header.ts';
import { nanoModel } from './scenes/nano.ts';

const folder = temporary('tidemark-use-');
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'model.gguf');

const use = (architecture: string, pooling?: number) => {
  writeHeader(path, architecture, pooling);
  return useOf(path);
};

test('a model that only encodes is an embedding model, whether its header says how to pool or not', () => {
  const encoders = ['bert', 'nomic-bert', 'nomic-bert-moe', 'modern-bert', 'jina-bert-v2', 'jina-bert-v3', 'eurobert'];
  for (const one of [...encoders, 'neo-bert', 'gemma-embedding', 'llama-embed', 't5encoder']) {
    assert.equal(use(one), 'embedding', one);
    assert.equal(use(one, 1), 'embedding', one);
  }
});

test('a model that continues texts answers, unless it was made to give vectors', () => {
  for (const one of ['qwen2', 'qwen3', 'llama', 'gemma3', 'gpt-oss', 'pangu-embedded', 't5'])
    assert.equal(use(one), 'chat', one);
  assert.equal(use('qwen3', 3), 'embedding');
  assert.equal(use('qwen3', 0), 'chat');
});

test('a model that ranks texts is for neither', () => {
  assert.equal(use('bert', 4), 'ranking');
  assert.equal(use('qwen3', 4), 'ranking');
});

test('a file that is no model is told as what it is', () => {
  const typed = (type: string, architecture = 'llama') => {
    writeHeader(path, architecture, undefined, { 'general.type': { type: 'string', value: type } });
    return useOf(path);
  };
  assert.deepEqual(
    [typed('mmproj', 'clip'), typed('adapter'), typed('imatrix', ''), typed('model')],
    ['projector', 'adapter', 'imatrix', 'chat'],
  );
  assert.equal(use('clip'), 'projector');
  for (const one of ['flux', 'sdxl', 'sd3', 'wan', 'qwen_image', 'ltxv', 'lumina2'])
    assert.equal(use(one), 'image', one);
  assert.equal(use('eagle3'), 'draft');
  const split = (no: number) => {
    writeHeader(path, 'qwen2', undefined, { 'split.no': { type: 'u16', value: no } });
    return useOf(path);
  };
  assert.deepEqual([split(0), split(1)], ['chat', 'part']);
  const draft = join(folder, 'mtp-Qwen3.8-27B-Q4_0.gguf');
  writeHeader(draft, 'qwen35');
  assert.equal(useOf(draft), 'draft');
});

test('a file whose weights end early is not whole, which its header cannot hide', () => {
  const [at, name] = [join(folder, 'half.gguf'), 'token_embd.weight'];
  writeGguf(at, { 'general.architecture': { type: 'string', value: 'qwen2' } }, [
    { name, dimensions: [32, 64], blocks: Buffer.alloc(34) },
  ]);
  assert.equal(useOf(at), 'chat');
  truncateSync(at, statSync(at).size - 64);
  assert.equal(useOf(at), null);
});

test("another architecture's pooling says nothing", () => {
  writeHeader(path, 'llama', undefined, { 'clip.pooling_type': { type: 'u32', value: 1 } });
  assert.equal(useOf(path), 'chat');
});

test('a whole model with its vocabulary is told by its header too', () => {
  assert.equal(useOf(nanoModel()), 'chat');
});

test('what is no model, or is not there, is not guessed', () => {
  writeFileSync(path, '<html>');
  assert.equal(useOf(path), null);
  writeFileSync(path, 'GGUF');
  assert.equal(useOf(path), null);
  assert.equal(useOf(join(folder, 'gone.gguf')), null);
  assert.equal(useOf(folder), null);
  checkUse(path, 'embedding');
});

test('a chat model is refused for finding, and an embedding model for chatting, each with advice', () => {
  const refusal = (wanted: 'chat' | 'embedding') => {
    try {
      checkUse(path, wanted);
      return '';
    } catch (error) {
      assert.ok(error instanceof FaultError);
      return error.message;
    }
  };
  writeHeader(path, 'qwen2');
  assert.equal(refusal('chat'), '');
  assert.match(refusal('embedding'), /is a chat model.*Choose an embedding model, such as gte-small/);
  writeHeader(path, 'bert', 1);
  assert.equal(refusal('embedding'), '');
  assert.match(refusal('chat'), /is an embedding model.*Choose a chat model in tidemark\.model\.path/);
  writeHeader(path, 'bert', 4);
  assert.match(refusal('embedding'), /is a reranking model/);
  assert.match(refusal('chat'), /is a reranking model/);
  const wrong = { mmproj: /is a projector/, adapter: /is an adapter \(LoRA\)/, imatrix: /is an importance matrix/ };
  for (const [type, words] of Object.entries(wrong)) {
    writeHeader(path, 'llama', undefined, { 'general.type': { type: 'string', value: type } });
    assert.match(refusal('chat'), words);
  }
  writeHeader(path, 'flux');
  assert.match(refusal('chat'), /draws pictures.*Choose a chat model/);
  writeHeader(path, 'qwen2', undefined, { 'split.no': { type: 'u16', value: 1 } });
  assert.match(refusal('chat'), /is a later part of a model in several files\. Choose the first part/);
});
