// How long a prefill will take yet: told rightly for an even pace, for one that falls, and with noise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PrefillMark, remainingOf } from '../../../src/core/kv/eta.ts';
import { numbers } from '../../app/scenes/longChat.ts';

const chunk = 256;

/** Notices of a prefill that takes so long for the token at a position, from `start` on. */
function marksOf(each: (position: number) => number, start: number, of: number): PrefillMark[] {
  const marks: PrefillMark[] = [];
  for (let [done, milliseconds] = [start, 0]; done < of; ) {
    const to = Math.min(of, done + chunk);
    for (; done < to; done++) milliseconds += each(done);
    marks.push({ done, decoded: done - start, milliseconds });
  }
  return marks;
}

/** Returns the remaining time predicted at each notice but the last, as a share of the actual one. */
function saidOf(marks: readonly PrefillMark[], of: number): number[] {
  const whole = marks.at(-1)?.milliseconds ?? 0;
  return marks.slice(0, -1).map(({ milliseconds }, at) => {
    const said = remainingOf(marks.slice(0, at + 1), of);
    assert.ok(said !== null);
    return said / (whole - milliseconds);
  });
}

test('at an even pace it is right from the first chunk on', () => {
  for (const share of saidOf(
    marksOf(() => 2, 700, 6000),
    6000,
  ))
    assert.ok(Math.abs(share - 1) < 1e-9);
});

test('where each token costs more than the one before it is right from the third chunk on', () => {
  for (const start of [0, 2000]) {
    const said = saidOf(
      marksOf((position) => 1 + position / 800, start, 8000),
      8000,
    );
    for (const share of said.slice(2)) assert.ok(Math.abs(share - 1) < 0.02, String(share));
    // The pace of the whole so far said far too little.
    assert.ok((said[0] ?? 1) < 0.8);
  }
});

test('with a third of noise it is right within a quarter in the median', () => {
  const random = numbers(7);
  const all = Array.from({ length: 20 }, () => {
    const noise = Array.from({ length: 64 }, () => 0.7 + 0.6 * random());
    const each = (position: number) => (1 + position / 2000) * (noise[Math.floor(position / chunk)] ?? 1);
    return saidOf(marksOf(each, 0, 8000), 8000).slice(4, -4);
  }).flat();
  const off = all.map((share) => Math.abs(share - 1)).toSorted((a, b) => a - b);
  assert.ok((off[Math.floor(off.length / 2)] ?? 1) < 0.25);
});

test('before the first chunk nothing is said', () => {
  assert.equal(remainingOf([], 100), null);
  assert.equal(remainingOf([{ done: 50, decoded: 0, milliseconds: 0 }], 100), null);
});
