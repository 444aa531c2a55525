// The catalogue keeps its schema, says only what was read, and pins each file that it knows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCatalogue } from '../../src/models/catalogue.ts';
import { publishedSampling } from '../../src/models/published.ts';
import { quantisationOf } from '../../src/models/repository.ts';
import { listedSource } from '../../src/models/source.ts';

const catalogue = readCatalogue();
const { models, embeddings, completions } = catalogue;
const hub = 'https://huggingface.co';
const files = [...models, ...embeddings, ...completions].flatMap((model) =>
  model.quantisations.map((quantisation) => ({ ...model, quantisation })),
);

test('a wrong catalogue is refused in words', () => {
  const [first] = models;
  const [quantisation] = first?.quantisations ?? [];
  const advice = { source: 'a card', read: '2026-11-25' };
  const wrong: Readonly<Record<string, readonly object[]>> = {
    'no models': [],
    'no licence': [{ ...first, licence: '' }],
    'an unknown key': [{ ...first, more: 1 }],
    'no layers': [{ ...first, caches: { attention: { layers: 0 } } }],
    'a short hash': [{ ...first, quantisations: [{ ...quantisation, sha256: 'abc' }] }],
    'a branch as a revision': [{ ...first, quantisations: [{ ...quantisation, revision: 'main' }] }],
    'a way out of the repository': [{ ...first, quantisations: [{ ...quantisation, file: '../a.gguf' }] }],
    'a name in small letters': [{ ...first, quantisations: [{ ...quantisation, name: 'q4_k_m' }] }],
    'advice from nowhere': [{ ...first, sampling: { plain: { temperature: 1 } } }],
    'too hot': [{ ...first, sampling: { plain: { ...advice, temperature: 9 } } }],
    'an unknown mode': [{ ...first, sampling: { dreaming: advice } }],
    'an embedding model': embeddings,
  };
  for (const [why, rows] of Object.entries(wrong))
    assert.throws(() => readCatalogue({ ...catalogue, models: rows }), /The catalogue is wrong/, why);
  for (const rows of [[], models])
    assert.throws(() => readCatalogue({ ...catalogue, embeddings: rows }), /The catalogue is wrong/);
  assert.throws(() => readCatalogue({ ...catalogue, completions: [] }), /The catalogue is wrong/);
});

test('fourteen chat models are named for local use, and none of them is older than December 2025 but gpt-oss', () => {
  const named = models.filter((model) => model.named !== undefined);
  assert.equal(named.length, 14);
  const old = named.filter(({ released = '' }) => released < '2025-12').map(({ name }) => name);
  assert.deepEqual(old, ['gpt-oss 20B']);
});

test('every file is pinned by its hash, and those of the list by a commit too, wherever a text had it', () => {
  const loose = files.filter(({ quantisation }) => quantisation.sha256 === undefined).map(({ name }) => name);
  assert.deepEqual(loose, ['gte-small']);
  const moving = files.filter(({ quantisation }) => quantisation.revision === undefined).map(({ name }) => name);
  assert.deepEqual(moving, ['Granite 4.1 3B', 'gte-small', 'bge-small-en v1.5', 'EmbeddingGemma 300M (QAT)']);
  assert.equal(new Set(files.map(({ quantisation: { sha256 } }) => sha256)).size, files.length);
});

test('a file is fetched from its own repository at that commit, and its name tells its quantisation', () => {
  for (const { repository, quantisation } of files) {
    const source = listedSource(repository, quantisation, `${hub}/`);
    const { file, revision = 'main', sha256, bytes, name } = quantisation;
    if (file === undefined) {
      assert.deepEqual(source, {
        kind: 'quantisation',
        repository: { endpoint: hub, name: repository },
        quantisation: name,
      });
      continue;
    }
    assert.ok(source.kind === 'remote');
    assert.deepEqual(source.files, [
      { url: `${hub}/${repository}/resolve/${revision}/${file}`, name: file, bytes, sha256 },
    ]);
    assert.equal(quantisationOf(file), name);
  }
});

test('its sizes are those of its parameters and quantisation', () => {
  const bits: Readonly<Record<string, readonly [number, number]>> = {
    Q4_K_M: [4.6, 6.4],
    'UD-Q4_K_M': [4.6, 5.4],
    Q4_0: [4.5, 4.8],
    MXFP4: [4.3, 5],
  };
  for (const { name, parameters, quantisations } of models)
    for (const { name: kind, bytes } of quantisations) {
      const [least, most] = bits[kind] ?? [0, 0];
      const each = (bytes * 8) / ((parameters ?? 0) * 1e9);
      // A small one is mostly vocabulary.
      assert.ok((parameters ?? 0) < 1 || (least <= each && each <= most), `${name} ${kind}: ${each} bits`);
    }
});

test('what this project has run says so, and nothing else does', () => {
  const ran = files.filter((model) => model.ran).map(({ name }) => name);
  assert.deepEqual(ran, ['Qwen2.5-Coder 0.5B Instruct', 'Qwen2.5-Coder 1.5B Instruct', 'gte-small']);
});

test('the embedding model that is offered is the first of its list, which takes whole passages', () => {
  const [{ name, trainContext = 0, licence }] = embeddings;
  assert.equal(name, 'gte-small');
  assert.ok(trainContext >= 512 && licence === 'MIT');
});

test('advice on sampling is found by the name of a file, for the mode it is in', () => {
  const [qwen, gemma] = ['/m/Qwen3.8-27B-UD-Q4_K_M.gguf', '/m/gemma-4-26B_q4_0-it.gguf'];
  assert.deepEqual(publishedSampling(qwen), { temperature: 1, topP: 0.95, topK: 20, minP: 0 });
  assert.deepEqual(publishedSampling(qwen, false), { temperature: 0.7, topP: 0.8, topK: 20, presencePenalty: 1.5 });
  // A single set of values counts for both.
  assert.deepEqual(publishedSampling(gemma), { temperature: 1, topP: 0.95, topK: 64 });
  assert.deepEqual(publishedSampling('/m/gemma-4-26B-A4B-it-Q4_K_M.gguf', false), publishedSampling(gemma));
  assert.deepEqual(publishedSampling('/m/gpt-oss-20b-mxfp4.gguf'), { temperature: 1, topP: 1 });
  assert.equal(publishedSampling('C:\\m\\Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf')?.repeatPenalty, 1.05);
  // Nobody said how it draws without thoughts.
  assert.equal(publishedSampling('/m/Qwen3.6-35B-A3B-UD-Q4_K_M.gguf', false), undefined);
  assert.equal(publishedSampling('/gpt-oss-20b/other.gguf'), undefined);
  assert.equal(publishedSampling('/m/granite-4.1-8b-Q4_K_M.gguf'), undefined);
});
