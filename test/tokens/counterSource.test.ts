// Who counted: the model, the memory or a stand-in, and who is to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bench } from './counterBench.ts';

test('what the model counted is told apart from what was estimated and from what was remembered', async () => {
  const bench = new Bench();
  await bench.counter.count(['a', 'b', 'a']);
  await bench.counter.count(['a', 'c']);
  bench.answer = bench.fail;
  await bench.counter.count(['d', 'e']);
  const { hits, misses, asked, estimated: stoodIn } = bench.counter.metrics();
  assert.deepEqual({ hits, misses, asked, stoodIn }, { hits: 1, misses: 5, asked: 3, stoodIn: 2 });
});

test('with the estimate as source the model is not asked, and what it counted before is not used', async () => {
  const bench = new Bench();
  const before = await bench.counter.count(['four words are here']);
  bench.settings.source = 'estimate';
  const after = await bench.counter.count(['four words are here']);
  assert.deepEqual([before.exact, after.exact], [true, false]);
  assert.equal(bench.asked.length, 1);
});

test('with the model as source it is asked also after failures, and its count is exact again at once', async () => {
  const bench = new Bench();
  const { answer } = bench;
  bench.settings.source = 'exact';
  await bench.open();
  assert.equal(bench.counter.metrics().breaker.state, 'open');
  bench.answer = answer;
  assert.equal((await bench.counter.count(['back'])).exact, true);
});
