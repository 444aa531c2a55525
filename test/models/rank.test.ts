// The catalogue keeps its schema and what it says of itself; ranking puts the largest that fits comfortably first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CatalogueModel, offeredEmbedding, readCatalogue } from '../../src/models/catalogue.ts';
import { publishedSampling } from '../../src/models/published.ts';
import { type Machine, type RankedModel, rankModels, recommended } from '../../src/models/rank.ts';
import { readSource } from '../../src/models/source.ts';

const { models, embeddings } = readCatalogue();
const wish = { window: 8192, slots: 1, allowed: null };
const laptop: Machine = { ram: 12e9, gpu: 0, shared: 0, copies: ['Q4_0', 'Q4_K'], readRate: null };
const names = (ranked: readonly RankedModel[]) =>
  ranked.map(({ model, quantisation, verdict }) => `${verdict} ${model.name} ${quantisation.name}`);

test('the catalogue keeps its schema, and a wrong one is refused in words', () => {
  assert.ok(models.length >= 12);
  assert.throws(
    () => readCatalogue({ date: '2026-01-01', note: 'x', models: [], embeddings }),
    /models must NOT have fewer/,
  );
  assert.throws(
    () => readCatalogue({ date: '2026-01-01', note: 'x', models, embeddings: [] }),
    /embeddings must NOT have fewer/,
  );
  const [first] = models;
  const wrong = [
    { ...first, licence: '' },
    { ...first, more: 1 },
    { ...first, layers: 0 },
    { ...first, quantisations: [{ ...first?.quantisations[0], sha256: 'abc' }] },
    { ...first, quantisations: [{ ...first?.quantisations[0], uri: 'https://example.org/a.gguf' }] },
  ];
  for (const model of wrong)
    assert.throws(
      () => readCatalogue({ date: '2026-01-01', note: 'x', models: [model], embeddings }),
      /The catalogue is wrong/,
    );
});

test('advice on sampling has a source and a day, and is found by the name of a file', () => {
  const advised = models.filter(({ sampling }) => sampling !== undefined);
  assert.ok(advised.length > 0);
  for (const { sampling, name } of advised) assert.ok(sampling !== undefined && Object.keys(sampling).length > 2, name);
  const [first] = advised;
  const { source: _, ...nameless } = first?.sampling ?? { source: '' };
  const wrong = [nameless, { ...first?.sampling, temperature: 9 }, { ...first?.sampling, mood: 1 }];
  for (const sampling of wrong)
    assert.throws(
      () => readCatalogue({ date: '2026-01-01', note: 'x', models: [{ ...first, sampling }], embeddings }),
      /catalogue is wrong/,
    );
  assert.deepEqual(publishedSampling('/m/gpt-oss-20b-mxfp4.gguf'), { temperature: 1, topP: 1 });
  assert.equal(publishedSampling('C:\\m\\Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf')?.repeatPenalty, 1.05);
  assert.equal(publishedSampling('/gpt-oss-20b/other.gguf'), undefined);
});

test('chat models and embedding models are two lists, and neither takes a row of the other', () => {
  assert.throws(
    () => readCatalogue({ date: '2026-01-01', note: 'x', models: embeddings, embeddings }),
    /The catalogue is wrong/,
  );
  assert.throws(
    () => readCatalogue({ date: '2026-01-01', note: 'x', models, embeddings: models }),
    /The catalogue is wrong/,
  );
  const repositories = new Set(models.map(({ repository }) => repository));
  for (const { repository } of embeddings) assert.ok(!repositories.has(repository), repository);
  const ranked = rankModels(models, laptop, wish).map(({ model }) => model.name);
  for (const { name } of embeddings) assert.ok(!ranked.includes(name), name);
});

test('the embedding model that is offered is the first of its list, which takes whole passages', () => {
  const [{ name, quantisations, trainContext, licence }] = embeddings;
  assert.deepEqual(offeredEmbedding(), { name, bytes: quantisations[0]?.bytes });
  assert.ok(trainContext >= 512 && licence === 'MIT');
});

test('every entry can be fetched from its own repository, and none claims to be verified', () => {
  const uris = [...models, ...embeddings].flatMap(({ repository, quantisations }) =>
    quantisations.map((one) => [repository, one] as const),
  );
  assert.equal(new Set(uris.map(([, { uri }]) => uri)).size, uris.length);
  for (const [repository, { uri, sha256 }] of uris) {
    assert.ok(uri.startsWith(`hf:${repository}`), uri);
    assert.notEqual(readSource(uri, 'https://huggingface.co').kind, 'file');
    assert.equal(sha256, 'unverified');
  }
});

test('its sizes are those of its parameters and quantisation', () => {
  const bits: Readonly<Record<string, readonly [number, number]>> = {
    Q4_K_M: [4.5, 6],
    Q8_0: [8.4, 8.8],
    MXFP4: [4.3, 5],
  };
  for (const { name, parameters, quantisations } of [...models, ...embeddings])
    for (const { name: kind, bytes } of quantisations) {
      const [least, most] = bits[kind] ?? [0, 0];
      const each = (bytes * 8) / (parameters * 1e9);
      assert.ok(least <= each && each <= most, `${name} ${kind}: ${each} bits for each weight`);
    }
});

test('on a laptop of 12 GB free the largest that fits comfortably and can be read fast enough stands first', () => {
  const ranked = rankModels(models, laptop, wish);
  assert.equal(names(ranked)[0], 'fits Qwen2.5-Coder 7B Instruct Q4_K_M');
  assert.ok(Math.abs((ranked[0]?.needed ?? 0) - 5.55e9) < 0.05e9, `${ranked[0]?.needed}`);
  assert.equal(ranked[0]?.room, 12e9);
  const order = ranked.map(({ verdict }) => verdict);
  assert.deepEqual(
    order,
    order.toSorted((a, b) => 'fits tight no'.indexOf(a) - 'fits tight no'.indexOf(b)),
  );
  assert.equal(ranked.at(-1)?.model.name, 'Qwen2.5-Coder 32B Instruct');
});

test('a mixture of experts is not slow, a dense model of its size is, unless it is on the GPU', () => {
  const big: Machine = { ram: 60e9, gpu: 0, shared: 0, copies: ['Q4_K'], readRate: null };
  const first = rankModels(models, big, wish)[0];
  assert.equal(first?.model.name, 'Qwen3-Coder 30B-A3B Instruct');
  const dense = rankModels(models, big, wish).find(({ model }) => model.name === 'Qwen2.5-Coder 32B Instruct');
  assert.deepEqual([first?.slow, dense?.slow], [false, true]);
  assert.equal(rankModels(models, { ...big, gpu: 48e9 }, wish)[0]?.model.name, 'Qwen2.5-Coder 32B Instruct');
});

test('memory that processor and GPU share counts once, and is fast', () => {
  const shared: Machine = { ram: 24e9, gpu: 18e9, shared: 18e9, copies: [], readRate: 20e9 };
  const large = rankModels(models, shared, wish).find(({ model }) => model.name === 'Qwen2.5-Coder 14B Instruct');
  assert.deepEqual([large?.room, large?.verdict, large?.slow, large?.tokensPerSecond], [24e9, 'fits', false, null]);
});

test('more memory never makes a verdict worse, and a longer window never makes it better', () => {
  const place = { fits: 2, tight: 1, no: 0 };
  const verdicts = (machine: Machine, window: number) =>
    new Map(rankModels(models, machine, { ...wish, window }).map((one) => [one.quantisation.uri, place[one.verdict]]));
  for (let ram = 1e9; ram < 64e9; ram *= 1.3) {
    const now = verdicts({ ...laptop, ram }, 8192);
    for (const [uri, better] of verdicts({ ...laptop, ram: ram * 1.3 }, 8192))
      assert.ok(better >= (now.get(uri) ?? 9), uri);
    for (const [uri, worse] of verdicts({ ...laptop, ram }, 32768)) assert.ok(worse <= (now.get(uri) ?? -1), uri);
  }
});

test('a limit that the user set counts as all there is, and nothing is left out where nothing fits', () => {
  const none = rankModels(models, laptop, { ...wish, allowed: 1e6 });
  assert.deepEqual([...new Set(none.map(({ verdict }) => verdict))], ['no']);
  assert.equal(
    none.length,
    models.reduce((sum, { quantisations }) => sum + quantisations.length, 0),
  );
  assert.equal(none[0]?.room, 1e6);
  assert.equal(recommended(none), null);
});

test('how fast a reply comes is the weights that a token reads against what the machine reads, and slow ones are not recommended', () => {
  const ranked = rankModels(models, { ...laptop, readRate: 27e9 }, wish);
  for (const { model, quantisation, tokensPerSecond, slow } of ranked) {
    const expected = 27e9 / ((quantisation.bytes * model.active) / model.parameters);
    assert.equal(tokensPerSecond, expected);
    assert.equal(slow, expected < 5);
  }
  const first = recommended(ranked);
  assert.ok(first !== null && first.verdict === 'fits' && !first.slow);
  const slower = recommended(rankModels(models, { ...laptop, readRate: 6e9 }, wish));
  assert.ok(slower !== null && slower.needed < first.needed);
});

test('what may not be used at work is not recommended, however well it fits', () => {
  const only = models.filter(({ licence }) => /not for commercial/i.test(licence));
  assert.ok(only.length > 0);
  assert.equal(recommended(rankModels(only, laptop, wish)), null);
});

test('a window longer than a model was trained for counts as that one', () => {
  const [model] = models as readonly [CatalogueModel, ...CatalogueModel[]];
  const needed = (window: number) => rankModels([model], laptop, { ...wish, window })[0]?.needed;
  assert.equal(needed(model.trainContext), needed(10 * model.trainContext));
});
