// The sources of the numbers that tokens are drawn with: the settings, the model, our defaults.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplingFor, samplingIn, samplingText, withSampling } from '../../../src/core/model/sampling.ts';

test('a value of the settings counts before the model’s own, and that before ours', () => {
  const own = samplingIn({ sampling: { temp: 0.7, top_k: 20, top_p: 0.8 } });
  const { values, from } = samplingFor({ temperature: 0, topK: null }, own);
  assert.deepEqual(values, { temperature: 0, topK: 20, topP: 0.8, minP: 0.05, repeatPenalty: 1 });
  assert.deepEqual([from.temperature, from.topK, from.minP], ['settings', 'model', 'default']);
});

test('numbers of a file that make no sense are left out', () => {
  const odd = samplingIn({ sampling: { temp: -1, top_k: 'many', top_p: Number.NaN, min_p: 7, penalty_repeat: 0 } });
  assert.deepEqual(samplingFor({}, odd).from, samplingFor({}, {}).from);
  assert.deepEqual(samplingIn(undefined), samplingIn({}));
});

test('the report says each value, and where it is not ours', () => {
  assert.equal(
    samplingText(samplingFor({ temperature: 0.5 }, { repeatPenalty: 1.1 })),
    'temperature 0.5 (settings), top-k 40, top-p 0.95, min-p 0.05, repetition penalty 1.1 (the model’s own)',
  );
});

test('what a publisher advises goes over what the file says, value by value', () => {
  const file = samplingIn({ sampling: { temp: 0.7, top_k: 20 } });
  const { values } = samplingFor({}, withSampling({ temperature: 1, topP: 1 }, file));
  assert.deepEqual([values.temperature, values.topP, values.topK, values.minP], [1, 1, 20, 0.05]);
  assert.deepEqual(samplingFor({}, withSampling(undefined, file)), samplingFor({}, file));
});
