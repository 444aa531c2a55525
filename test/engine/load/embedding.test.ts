// An embedding model in the real engine: what it says of itself leads to its prefixes.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { textModelOf } from '../../../src/finding/embed.ts';
import { nanoTokenizer } from '../../models/scenes/nano.ts';
import { writeTiny } from '../../models/scenes/tiny.ts';
import { temporary } from '../../temporary.ts';
import { startEngine } from '../scenes/engineUnderTest.ts';

const engine = startEngine();
const folder = temporary('tidemark-embedding-');
after(() => rmSync(folder, { recursive: true }));

test('a model for code is known by its architecture and its name, and gives vectors of length one', async () => {
  const modelPath = join(folder, 'sea.gguf');
  const { vocabulary, tokenizer } = nanoTokenizer();
  const pooled = { ...tokenizer, 'qwen2.pooling_type': { type: 'u32', value: 3 } } as const;
  const tokens = vocabulary.tokens.length;
  writeTiny(modelPath, { name: 'Jina Code Embeddings 0.5b', tokenizer: pooled, tokens, contextLength: 1024 });
  const { client } = engine;
  const info = await client.request('loadEmbedding', { modelPath, gpu: 'off', threads: 1 });
  assert.deepEqual(
    { ...info, fingerprint: '' },
    {
      name: 'Jina Code Embeddings 0.5b',
      file: 'sea.gguf',
      architecture: 'qwen2',
      fingerprint: '',
      dimensions: 64,
      window: 512,
    },
  );
  assert.equal(textModelOf(info).prefixes.passage, 'Candidate code snippet:\n');
  const vectors = await client.request('embed', { texts: ['tide();', 'tide();', 'harbour and sea'] });
  assert.ok(vectors.every((vector) => Math.abs(Math.hypot(...vector) - 1) < 1e-3));
  assert.deepEqual(vectors[0], vectors[1]);
  assert.notDeepEqual(vectors[0], vectors[2]);
});
