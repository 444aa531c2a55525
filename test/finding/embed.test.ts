// Texts for an embedding model: with the prefixes that it was trained with, where it is known, and as it reads code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embedAll, questionVector, type TextModel, textModelOf } from '../../src/finding/embed.ts';
import { readCatalogue } from '../../src/models/catalogue.ts';

const info = (name: string, architecture: string, file = 'model.gguf') => ({
  name,
  architecture,
  file,
  fingerprint: 'f',
});
const never = new AbortController().signal;

/** The texts that a model is given for a passage and for a question. */
async function given(model: TextModel): Promise<readonly string[]> {
  const texts: string[] = [];
  const embed = async (some: readonly string[]) => {
    texts.push(...some);
    return some.map(() => Float32Array.of(1));
  };
  let left = [{ hash: 1, part: 0, text: 'src/a.ts\nmaxIdle_ms(x);' }];
  const request = async (name: string) => {
    const some = left;
    if (name === 'unembedded') left = [];
    return (name === 'unembedded' ? some : null) as never;
  };
  await embedAll({ request }, model, embed, [], never);
  await questionVector('where is maxIdle?', model, embed, never);
  return texts;
}

test('a model that is known reads its prefixes, and code as it is written where it was trained on code', async () => {
  const code = 'src/a.ts\nmaxIdle_ms(x);';
  assert.deepEqual(await given(textModelOf(info('Jina Code Embeddings 0.5b', 'qwen2'))), [
    `Candidate code snippet:\n${code}`,
    'Find the most relevant code snippet given the following query:\nwhere is maxIdle?',
  ]);
  assert.deepEqual(await given(textModelOf(info('CodeRankEmbed', 'nomic-bert'))), [
    code,
    'Represent this query for searching relevant code: where is maxIdle?',
  ]);
  const [passage, question = ''] = await given(textModelOf(info('Qwen3 Embedding 0.6B', 'qwen3')));
  assert.equal(passage, code);
  assert.match(question, /^Instruct: .+\nQuery:where is maxIdle\?$/);
  assert.deepEqual(await given(textModelOf(info('bge-small-en-v1.5', 'bert'))), [
    'src a ts\nmax Idle ms x',
    'Represent this sentence for searching relevant passages: where is max Idle?',
  ]);
});

test('a model that is not known gets no prefix, and that is said; a name without its architecture is no proof', async () => {
  for (const one of [info('gte-small', 'bert'), info('Jina Code Embeddings', 'bert'), info('my own', 'qwen3')]) {
    const model = textModelOf(one);
    assert.deepEqual(await given(model), ['src a ts\nmax Idle ms x', 'where is max Idle?']);
    assert.match(model.words, /no prefixes are known of it, so none is used/);
  }
  assert.match(textModelOf(info('CodeRankEmbed', 'nomic-bert')).words, /"Represent this query/);
});

test('vectors of other prefixes stand under another number', () => {
  const numbers = [info('CodeRankEmbed', 'nomic-bert'), info('something', 'nomic-bert')].map(
    (one) => textModelOf(one).number,
  );
  assert.notEqual(numbers[0], numbers[1]);
});

test('of each embedding model of the catalogue that was trained with prefixes they are known by its file', () => {
  const architectures = ['bert', 'gemma-embedding', 'qwen3'];
  const known = readCatalogue().embeddings.map(({ name, quantisations: [one] }) => {
    const file = one?.file ?? `${name}.gguf`;
    const words = architectures.map((architecture) => textModelOf(info('', architecture, file)).words);
    return [name, words.some((said) => !said.includes('none is used'))] as const;
  });
  assert.deepEqual(known, [
    ['gte-small', false],
    ['bge-small-en v1.5', true],
    ['EmbeddingGemma 300M (QAT)', true],
    ['Qwen3-Embedding 0.6B', true],
  ]);
});
