// Ranking puts first what fits, answers in time, and is named most for local use; ten assumed machines show what that comes to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCatalogue } from '../../src/models/catalogue.ts';
import { type Machine, memoryOf } from '../../src/models/estimate.ts';
import { rankModels, recommended } from '../../src/models/rank.ts';

const { models, embeddings, completions } = readCatalogue();
const request = { window: 8192, slots: 1, allowed: null };
const bare = { gpu: 0, shared: 0, copies: ['Q4_0', 'Q4_K'] };
const laptop: Machine = { ...bare, ram: 12e9, readRate: 27e9, processors: 12 };
const rank = (machine: Partial<Machine> = {}, more: Partial<typeof request> = {}) =>
  rankModels(models, { ...laptop, ...machine }, { ...request, ...more });
const found = (name: string, machine: Partial<Machine> = {}, more: Partial<typeof request> = {}) => {
  const one = rank(machine, more).find(({ model }) => model.name === name);
  assert.ok(one !== undefined, name);
  return one;
};

/** Free memory, as a machine of that size has it with an editor and a browser. */
const machines: Readonly<Record<string, readonly [Machine, recommended: string]>> = {
  'laptop, 8 GB, 4 cores': [{ ...bare, ram: 5e9, readRate: 18e9, processors: 8 }, 'Granite 4.1 3B'],
  'laptop, 16 GB, 6 cores': [{ ...bare, ram: 11e9, readRate: 25e9, processors: 12 }, 'Qwen3.5 4B'],
  'desktop, 32 GB, 8 cores': [{ ...bare, ram: 26e9, readRate: 40e9, processors: 16 }, 'gpt-oss 20B'],
  'GPU of 8 GB, 16 GB': [{ ...bare, ram: 11e9, gpu: 7.2e9, readRate: 30e9, processors: 12 }, 'Qwen3.5 9B'],
  'GPU of 12 GB, 32 GB': [{ ...bare, ram: 24e9, gpu: 11e9, readRate: 35e9, processors: 16 }, 'Qwen3.5 9B'],
  'GPU of 16 GB, 32 GB': [{ ...bare, ram: 24e9, gpu: 15e9, readRate: 35e9, processors: 16 }, 'gpt-oss 20B'],
  'GPU of 24 GB, 64 GB': [{ ...bare, ram: 50e9, gpu: 23e9, readRate: 45e9, processors: 24 }, 'Qwen3.8 27B'],
  'Mac, 16 GB': [shared(10.5e9, 10.5e9, 90e9, 8), 'Qwen3.5 9B'],
  'Mac, 32 GB': [shared(24e9, 21e9, 150e9, 10), 'gpt-oss 20B'],
  'Mac, 64 GB': [shared(54e9, 48e9, 300e9, 14), 'Qwen3.6 35B-A3B'],
};

function shared(ram: number, gpu: number, readRate: number, processors: number): Machine {
  return { ram, gpu, shared: gpu, copies: [], readRate, processors };
}

test('on ten machines the recommended model is of this year or gpt-oss, fits, answers in time and lies on one device', (context) => {
  const lines = Object.entries(machines).map(([where, [machine, expected]]) => {
    const one = recommended(rankModels(models, machine, request));
    assert.ok(one !== null && one.verdict === 'fits' && !one.slow && !one.split, where);
    const { model, quantisation, firstWord, tokensPerSecond, needed, free: most } = one;
    assert.equal(model.name, expected, where);
    assert.ok((model.released ?? '') >= '2025-12' || model.name === 'gpt-oss 20B', model.name);
    const waits = `first word ${firstWord.toFixed(1)} s, ${tokensPerSecond.toFixed(0)} tokens/s`;
    const memory = `${(needed / 1e9).toFixed(1)} of ${(most / 1e9).toFixed(1)} GB`;
    return `| ${[where, model.name, quantisation.name, waits, memory, `named by ${model.named}`].join(' | ')} |`;
  });
  assert.equal(lines.length, 10);
  for (const line of lines) context.diagnostic(line);
});

test('what a token costs in the cache is told by the kinds of layers', () => {
  const slot = (name: string, window = 8192) => {
    const { model, quantisation } = found(name);
    return memoryOf(model, quantisation, laptop, window).slot;
  };
  const mebibytes = (name: string, window: number) => {
    const { perToken, fixed } = slot(name, window);
    return Math.round((window * perToken.ram + fixed.ram) / 2 ** 20);
  };
  assert.deepEqual(slot('Qwen3.6 35B-A3B'), { perToken: { ram: 20480, gpu: 0 }, fixed: { ram: 65863680, gpu: 0 } });
  assert.deepEqual(slot('Qwen3.8 27B'), { perToken: { ram: 65536, gpu: 0 }, fixed: { ram: 156893184, gpu: 0 } });
  // llama.cpp's own estimate for a windowed cache, by sparse files of these dimensions.
  const known = { 'Gemma 4 E4B': [178, 562], 'Gemma 4 12B': [688, 1072], 'Gemma 4 26B-A4B (QAT)': [510, 990] };
  for (const [name, [small, large]] of Object.entries(known))
    assert.deepEqual([mebibytes(name, 8192), mebibytes(name, 32768)], [small, large], name);
});

test('those that fit and answer in time stand first, by how often they are named, then slow ones by what they take', () => {
  const ranked = rank({ gpu: 7.2e9 });
  const place = ({ verdict, slow, split }: (typeof ranked)[number]) =>
    verdict === 'no' ? 4 : verdict === 'tight' ? 3 : slow ? 2 : split ? 1 : 0;
  const places = ranked.map(place);
  assert.deepEqual(places, places.toSorted());
  const inTime = ranked.filter((one) => place(one) === 0).map(({ model }) => model.named ?? 0);
  assert.deepEqual(
    inTime,
    inTime.toSorted((a, b) => b - a),
  );
  const waits = ranked.filter((one) => place(one) === 2).map((one) => one.firstWord + 300 / one.tokensPerSecond);
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(ranked.map(({ model }) => model.name)).size, models.length);
});

test('an answer comes as fast as the weights of a token are read, and begins when the prompt is', () => {
  const { firstWord, tokensPerSecond, model, quantisation } = found('Gemma 4 26B-A4B (QAT)', { ram: 60e9 });
  const [active, all] = [model.active ?? 0, model.parameters ?? 1];
  assert.ok(Math.abs(tokensPerSecond - 27e9 / ((quantisation.bytes * active) / all)) < 1e-9);
  assert.ok(Math.abs(firstWord - 1 / tokensPerSecond - (1500 * 2 * active * 1e9) / (12 * 4.5e10)) < 1e-9);
  const fewer = found('Gemma 4 26B-A4B (QAT)', { ram: 60e9, processors: 2 });
  assert.ok(fewer.firstWord > 5 * firstWord && fewer.tokensPerSecond === tokensPerSecond && fewer.slow);
});

test('a mixture of experts is not slow where a dense model of its size is, unless it is on the GPU', () => {
  const large = { ram: 60e9 };
  assert.deepEqual(
    ['Gemma 4 26B-A4B (QAT)', 'Devstral Small 2 24B'].map((name) => found(name, large).slow),
    [false, true],
  );
  assert.equal(found('Devstral Small 2 24B', { ...large, gpu: 48e9 }).slow, false);
});

test('a mixture that the GPU holds in part is split, stands behind what it holds whole, and is slower for it', () => {
  const machine = { ram: 24e9, gpu: 15e9, processors: 16, readRate: 35e9 };
  const half = found('Qwen3.6 35B-A3B', machine);
  assert.ok(half.split && half.verdict === 'fits' && half.tokensPerSecond > 10 && half.tokensPerSecond < 25);
  assert.equal(found('Qwen3.6 35B-A3B', { ...machine, gpu: 30e9 }).split, false);
  assert.equal(found('Qwen3.6 35B-A3B', { ...machine, ram: 40e9, gpu: 0 }).split, false);
  const first = recommended(rank(machine));
  assert.ok(first !== null && !first.split && (first.model.named ?? 0) < (half.model.named ?? 0));
});

test('memory that processor and GPU share counts once', () => {
  const { free: most, verdict, split } = found('Gemma 4 26B-A4B (QAT)', shared(24e9, 18e9, 90e9, 8));
  assert.deepEqual([most, verdict, split], [24e9, 'fits', false]);
});

test('more memory never makes a verdict worse, and a longer window never makes it better', () => {
  const place = { fits: 2, tight: 1, no: 0 };
  const verdicts = (ram: number, window: number) =>
    new Map(rank({ ram }, { window }).map((one) => [one.model.name, place[one.verdict]]));
  for (let ram = 1e9; ram < 64e9; ram *= 1.3) {
    const now = verdicts(ram, 8192);
    for (const [name, better] of verdicts(ram * 1.3, 8192)) assert.ok(better >= (now.get(name) ?? 9), name);
    for (const [name, worse] of verdicts(ram, 32768)) assert.ok(worse <= (now.get(name) ?? -1), name);
  }
});

test('a limit that the user set counts as all there is, and nothing is left out where nothing fits', () => {
  const none = rank({}, { allowed: 1e6 } as never);
  assert.deepEqual([...new Set(none.map(({ verdict }) => verdict))], ['no']);
  assert.deepEqual([none.length, none[0]?.free, recommended(none)], [models.length, 1e6, null]);
});

test('where all are slow the quickest of the named is recommended, and so is one that is tight where nothing else fits', () => {
  const slow = recommended(rank({ processors: 2, readRate: 27e9, ram: 6e9 }));
  assert.ok(slow?.slow === true && slow.verdict === 'fits');
  const tight = recommended(rank({ ram: 4.4e9, processors: 8 }));
  assert.ok(tight?.verdict === 'tight' && !tight.slow);
});

test('what may not be used at work is not recommended, however well it fits', () => {
  const only = models.map((model) => ({ ...model, licence: 'Research (not for commercial use)' }));
  assert.equal(recommended(rankModels(only, laptop, request)), null);
});

test('models that find or complete are not ranked among those that answer', () => {
  const names = new Set(rank().map(({ model }) => model.repository));
  for (const { repository } of [...embeddings, ...completions]) assert.ok(!names.has(repository), repository);
});

test('a window longer than a model was trained for counts as that one', () => {
  const [of, all] = [found('Qwen2.5-Coder 7B Instruct', {}, { window: 32768 }), { window: 327680 }];
  assert.equal(found('Qwen2.5-Coder 7B Instruct', {}, all).needed, of.needed);
});
