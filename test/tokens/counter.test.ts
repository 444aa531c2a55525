// Tests the counter: exact wherever the model can say, remembered, guarded, and marked where it is an estimate.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import fc from 'fast-check';
import { cases } from '../cases.ts';
import { Bench, estimated, exactly, unused } from './counterBench.ts';

/** The drift as the bounds of the buckets that hold something, and how much. */
async function drifted({ counter }: Bench): Promise<readonly (readonly number[])[]> {
  await nextRound();
  await nextRound();
  const filled = counter.metrics().drift.buckets.filter(({ count }) => count > 0);
  return filled.map(({ atMost, count }) => [atMost, count]);
}

test('texts that are not known are asked for in one request, each once', async () => {
  const { counter, asked } = new Bench();
  await counter.count(['a']);
  const counts = await counter.count(['bb', 'a', 'bb', 'ccc', 'a']);
  assert.deepEqual(counts, { tokens: [7, 4, 7, 10, 4], exact: true });
  assert.deepEqual(asked, [['a'], ['bb', 'ccc']]);
  const { hits, misses, size } = counter.metrics();
  assert.deepEqual([hits, misses, size], [1, 3, 3]);
});

test('no texts are counted exactly without asking', async () => {
  const bench = new Bench();
  bench.model = null;
  assert.deepEqual(await bench.counter.count([]), { tokens: [], exact: true });
  assert.deepEqual(bench.asked, []);
});

test('without a model nothing is asked and estimates stand in, which is no failure and is not remembered', async () => {
  const bench = new Bench();
  bench.model = null;
  assert.deepEqual(await bench.counter.count(['a', 'bb', 'a']), { tokens: [1, 2, 1], exact: false });
  const { failures, estimated: texts, size, hits, misses } = bench.counter.metrics();
  assert.deepEqual([failures, texts, size, hits, misses], [0, 2, 0, 0, 0]);
  bench.model = 'model';
  assert.deepEqual(await bench.counter.count(['a', 'bb']), { tokens: [4, 7], exact: true });
});

test('after three failures the model is left in peace for 30 s, what is known stays exact, and then it recovers', async () => {
  const bench = new Bench();
  await bench.counter.count(['known']);
  await bench.open();
  assert.equal(bench.asked.length, 4);
  assert.deepEqual(bench.counter.metrics().breaker, { state: 'open', retryAt: 30_000 });
  assert.deepEqual(await bench.counter.count(['known', 'new']), { tokens: [16, 3], exact: false });
  assert.deepEqual(await bench.counter.count(['known']), { tokens: [16], exact: true });
  assert.equal(bench.asked.length, 4);
  bench.now = 30_000;
  bench.answer = async (texts) => texts.map(exactly);
  assert.deepEqual(await bench.counter.count(['new']), { tokens: [10], exact: true });
  const { failures, estimated: texts, breaker } = bench.counter.metrics();
  assert.deepEqual([failures, texts, breaker.state], [3, 4, 'closed']);
});

test('another model does not inherit the failures of the one before', async () => {
  const bench = new Bench();
  await bench.open();
  bench.model = 'other';
  bench.answer = async (texts) => texts.map(exactly);
  assert.equal((await bench.counter.count(['a'])).exact, true);
  assert.equal(bench.counter.metrics().breaker.state, 'closed');
});

const wrongAnswers: Readonly<Record<string, readonly number[]>> = {
  'too short': [1],
  'too long': [1, 2, 3],
  'not a number': [1, NaN],
  negative: [1, -1],
  broken: [1, 1.5],
  infinite: [Infinity, 1],
  'full of holes': Array(2),
};

for (const [what, wrong] of Object.entries(wrongAnswers)) {
  test(`an answer that is ${what} is a failure`, async () => {
    const bench = new Bench();
    bench.answer = async () => wrong;
    assert.deepEqual(await bench.counter.count(['a', 'bb']), { tokens: [1, 2], exact: false });
    const { failures, size } = bench.counter.metrics();
    assert.deepEqual([failures, size], [1, 0]);
  });
}

test('a counter that throws before it promises anything, or answers with nothing, is a failure', async () => {
  const bench = new Bench();
  bench.answer = unused;
  assert.equal((await bench.counter.count(['a'])).exact, false);
  bench.answer = async () => undefined as never;
  assert.equal((await bench.counter.count(['a'])).exact, false);
  assert.equal(bench.counter.metrics().failures, 2);
});

test('where not even the estimator can be had, a rough count stands in', async () => {
  const bench = new Bench({ estimator: async () => unused() });
  await bench.counter.count(['tide and moon '.repeat(10)]);
  assert.deepEqual(await drifted(bench), []);
  bench.model = null;
  assert.deepEqual(await bench.counter.count(['tide moon']), { tokens: [3], exact: false });
});

test('a model that changes while it is asked: its counts are remembered for neither, nor called exact', async () => {
  const bench = new Bench();
  await bench.counter.count(['known']);
  bench.answer = async (texts) => {
    bench.model = 'other';
    return texts.map(exactly);
  };
  assert.deepEqual(await bench.counter.count(['known', 'new']), { tokens: [16, 10], exact: false });
  const { size, estimated: texts } = bench.counter.metrics();
  assert.deepEqual([size, texts], [1, 2]);
  for (const model of ['other', 'model']) {
    bench.model = model;
    bench.answer = async (texts) => texts.map(() => 99);
    assert.deepEqual((await bench.counter.count(['new'])).tokens, [99]);
  }
});

test('a model that is let go while it is asked has not failed, not even in a trial', async () => {
  const bench = new Bench();
  await bench.open();
  bench.now = 30_000;
  bench.answer = () => {
    bench.model = null;
    return bench.fail();
  };
  assert.equal((await bench.counter.count(['a'])).exact, false);
  const { failures, breaker } = bench.counter.metrics();
  assert.deepEqual([failures, breaker], [3, { state: 'open', retryAt: 30_000 }]);
});

test('in a trial only one request asks', async () => {
  const bench = new Bench();
  await bench.open();
  bench.now = 30_000;
  bench.answer = async (texts) => texts.map(exactly);
  const both = await Promise.all([bench.counter.count(['a']), bench.counter.count(['b'])]);
  assert.deepEqual(
    both.map(({ exact }) => exact),
    [true, false],
  );
  assert.equal(bench.asked.length, 4);
});

test('counts learned with a prompt need no asking, for their model only, and wrong ones are left out', async () => {
  const { counter, asked } = new Bench();
  counter.learn('model', ['a', 'bb', 'ccc', 'd'], [40, NaN, -1]);
  counter.learn('other', ['bb'], [70]);
  assert.deepEqual(await counter.count(['a', 'bb', 'ccc', 'd']), { tokens: [40, 7, 10, 4], exact: true });
  assert.deepEqual(asked, [['bb', 'ccc', 'd']]);
});

test('the drift is observed once for each newly exact text, after the counts are handed over', async () => {
  const bench = new Bench();
  const text = 'x'.repeat(100);
  await bench.counter.count([text, 'short']);
  assert.equal(bench.counter.metrics().drift.count, 0);
  assert.deepEqual(await drifted(bench), [[Infinity, 1]]);
  await bench.counter.count([text]);
  bench.counter.learn('model', [text, 'y'.repeat(50)], [301, 50]);
  assert.deepEqual(await drifted(bench), [
    [1.05, 1],
    [Infinity, 1],
  ]);
});

test('the estimator is not loaded before it is needed', async () => {
  let loads = 0;
  const estimator = async () => {
    loads += 1;
    return { text: estimated, prompt: unused };
  };
  const bench = new Bench({ estimator });
  bench.settings.enabled = false;
  await bench.counter.count(['a']);
  await nextRound();
  assert.equal(loads, 0);
  bench.model = null;
  await bench.counter.count(['a']);
  assert.equal(loads, 1);
});

test('switched off, every count asks the model, and nothing is remembered nor compared', async () => {
  const bench = new Bench();
  const text = 'x'.repeat(100);
  bench.settings.enabled = false;
  for (let i = 0; i < 2; i++) assert.deepEqual(await bench.counter.count([text]), { tokens: [301], exact: true });
  bench.counter.learn('model', [text], [1]);
  const { hits, misses, size } = bench.counter.metrics();
  assert.deepEqual([bench.asked.length, hits, misses, size], [2, 0, 0, 0]);
  assert.deepEqual(await drifted(bench), []);
  bench.answer = bench.fail;
  assert.deepEqual(await bench.counter.count([text]), { tokens: [100], exact: false });
});

test('a smaller capacity takes effect with the next count', async () => {
  const bench = new Bench();
  await bench.counter.count(['a', 'b', 'c']);
  bench.settings.cacheCapacity = 1;
  await bench.counter.count(['c']);
  assert.equal(bench.counter.metrics().size, 1);
  await bench.counter.count(['c']);
  assert.equal(bench.asked.length, 1);
});

interface Step {
  readonly texts: readonly string[];
  readonly model: string | null;
  readonly fails: boolean;
  readonly pass: number;
  readonly learned: boolean;
}
const someTexts = fc.array(fc.constantFrom('', 'a', 'bb', 'ccc', 'dddd', 'eeeee'), { maxLength: 8 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    texts: someTexts,
    model: fc.constantFrom('one', 'one', 'one', 'three', null),
    fails: fc.boolean(),
    pass: fc.constantFrom(0, 1000, 60_000),
    learned: fc.boolean(),
  }),
  { maxLength: 40 },
);

test('any mix of known, missing and repeated texts counts as the model counts, or says that it does not', async () => {
  const countFor = (model: string | null, text: string) => text.length * (model?.length ?? 0) + 1;
  await fc.assert(
    fc.asyncProperty(steps, fc.nat({ max: 5 }), async (done, capacity) => {
      const bench = new Bench();
      bench.settings.cacheCapacity = capacity;
      for (const { texts, model, fails, pass, learned } of done) {
        bench.now += pass;
        bench.model = model;
        bench.answer = fails ? bench.fail : async (missing) => missing.map((text) => countFor(model, text));
        const before = bench.counter.metrics();
        const requests = bench.asked.length;
        const tokensOf = texts.map((text) => countFor(model, text));
        if (learned && model !== null) bench.counter.learn(model, texts, tokensOf);
        const { tokens, exact } = await bench.counter.count(texts);
        const after = bench.counter.metrics();
        assert.equal(exact, after.estimated === before.estimated);
        if (exact) assert.deepEqual(tokens, tokensOf);
        else assert.ok(texts.every((text, i) => [estimated(text), tokensOf[i]].includes(tokens[i])));
        assert.ok(after.size <= capacity && bench.asked.length <= requests + 1);
        if (model === null) assert.equal(exact, texts.length === 0);
        else if (!fails && before.failures === 0) assert.ok(exact);
        assert.ok(bench.asked.every((request) => new Set(request).size === request.length));
      }
    }),
    { numRuns: cases(200) },
  );
});
