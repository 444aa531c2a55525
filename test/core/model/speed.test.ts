// Advice about the settings from measured speeds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advice, speedText } from '../../../src/core/model/speed.ts';

const row = (threads: number, prefill: number, generation: number) => ({ threads, prefill, generation });
const speed = {
  device: 'CPU (no usable GPU was found)',
  threads: 7,
  window: 8192,
  found: false,
  busy: false,
  rows: [row(4, 120, 14.2), row(7, 100, 9.1)],
};

test('a number of threads that is over 10 % better is advised, with both figures', () => {
  assert.equal(
    advice(speed)[0],
    'Set `tidemark.model.threads` to 4: 120 instead of 100 prompt tokens and 14.2 instead of 9.1 generated tokens per second.',
  );
  assert.match(advice({ ...speed, threads: 4 })[0] ?? '', /can stay/);
  assert.match(advice({ ...speed, rows: [row(4, 104, 9.5), row(7, 100, 9.1)] })[0] ?? '', /can stay/);
});

test('the time for a full window is told, and what is too slow to read along', () => {
  assert.match(advice(speed)[1] ?? '', /8,192 tokens takes 68 s/);
  assert.equal(advice(speed).length, 2);
  assert.match(advice({ ...speed, rows: [row(7, 20, 2)] }).join(), /takes 7 min.*smaller model/s);
});

test('layers that did not fit on the GPU are a reason for a smaller window', () => {
  const device = 'GPU (vulkan: GeForce RTX 4070), 20 of 29 layers: the rest does not fit';
  assert.match(advice({ ...speed, device }).join(), /contextSize/);
});

test('the table marks the threads of now', () => {
  assert.match(speedText(speed), /\| 7 \(now\) \| 100 \| 9\.1 \|/);
});

test('figures that were measured beside other programs say so', () => {
  const [said] = speedText({ ...speed, device: 'CPU', busy: true }).split('\n');
  assert.equal(said, 'On CPU, measured while other programs were busy: the figures are too low.');
  assert.doesNotMatch(speedText(speed), /busy/);
});
