// Ids that llama-server does not tell: of a character in several tokens it tells the last one only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StreamReader } from '../../../src/engine/remote/exact/llamaServer.ts';
import { idsByBytes, missingIds } from '../../../src/engine/remote/exact/missingIds.ts';

const pieces = ['a', ' b', '\xc3', '\xa9', '\xf0\x9f', '\xa7', '\x9c', '\xa7\x9c', '\xf0', 'a', '<end>'].map((bytes) =>
  Buffer.from(bytes, 'latin1'),
);
const known = idsByBytes(pieces);
const vocabulary = { pieces, known };

test('the ids in front of the last one follow from the bytes', () => {
  assert.deepEqual(missingIds('é', 3, 1, vocabulary), [2]);
  assert.deepEqual(missingIds(' bé', 3, 2, vocabulary), [1, 2]);
  assert.deepEqual(missingIds('🧜', 6, 2, vocabulary), [4, 5]);
  assert.deepEqual(missingIds('🧜', 7, 1, vocabulary), [4]);
  assert.deepEqual(missingIds('a', 0, 0, vocabulary), []);
});

test('where none fit there is no guess', () => {
  assert.equal(missingIds('é', 3, 2, vocabulary), null);
  assert.equal(missingIds('é', 0, 1, vocabulary), null);
  assert.equal(missingIds('ß', 3, 1, vocabulary), null);
});

test('a text that could be cut in very many ways ends all the same', () => {
  const runs = ['-', '--', '---', '----', '-----', 'x'].map((text) => Buffer.from(text));
  const many = { pieces: runs, known: idsByBytes(runs) };
  assert.equal(missingIds(`${'-'.repeat(500)}x`, 5, 16, many), null);
  assert.equal(missingIds(`${'-'.repeat(100)}x`, 5, 40, many), null);
  assert.deepEqual(missingIds(`${'-'.repeat(11)}x`, 5, 3, many), [4, 4, 0]);
});

const words = { otherTokens: (reason: string) => new Error(reason), endless: () => new Error('endless') };
const unlimited = { took: () => undefined };
const request = {
  ids: [0, 0],
  maxTokens: 8,
  grammar: null,
  banned: [],
  sampling: { temperature: 0, topK: 1, topP: 1, minP: 0, repeatPenalty: 1, seed: null },
  slot: 0,
};
const told = (content: string, id: number, written: number) => ({
  content,
  tokens: [id],
  tokens_predicted: written,
  tokens_evaluated: 2,
  stop: false,
});
const over = (type: string) => ({
  stop: true,
  stop_type: type,
  tokens: [],
  tokens_evaluated: 2,
  timings: { cache_n: 1, prompt_n: 1 },
});

test('an answer with a character in three tokens has all of its ids, and not the one that ends it', () => {
  const reader = new StreamReader({ ...vocabulary, ...words }, request, unlimited);
  const events = [told('a', 0, 1), told('🧜', 6, 4), told(' b', 1, 5), told('', 10, 6), over('eos')];
  const read = events.map((event) => reader.read(event));
  assert.deepEqual(
    read.flatMap(({ ids }) => ids),
    [0, 4, 5, 6, 1],
  );
  assert.deepEqual(read.at(-1)?.done, { stop: 'end', cached: 1, decoded: 1 });
});

test('a token without text within an answer stays', () => {
  const reader = new StreamReader({ ...vocabulary, ...words }, request, unlimited);
  const read = [told('', 10, 1), told('a', 0, 2), told('', 10, 3), over('limit')].map((event) => reader.read(event));
  assert.deepEqual(
    read.flatMap(({ ids }) => ids),
    [10, 0, 10],
  );
  assert.equal(read.at(-1)?.done?.stop, 'length');
});
