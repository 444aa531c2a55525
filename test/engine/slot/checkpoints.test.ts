// Checkpoints of a slot stand before what is likely to change, and the right ones of them stay.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ImagePiece } from '../../../src/core/kv/kvImage.ts';
import type { Layer } from '../../../src/core/prompt/prompt.ts';
import { boundariesOf, checkpointPlaces } from '../../../src/engine/worker/slot/checkpoints.ts';

const glue = (tokens: number): ImagePiece => ({ of: null, tokens: Array(tokens).fill(0) });

function segment(layer: Layer, tokens: number): ImagePiece {
  const item = layer === 'system' || layer === 'workspace' || layer === 'state' ? null : 'i';
  return { of: { key: layer, layer, item, part: 'text', generated: false }, tokens: Array(tokens).fill(0) };
}

const head = [glue(3), segment('system', 100), glue(50)];
const boundaries = (...pieces: readonly ImagePiece[]) => boundariesOf({ pieces, tools: '' });

/** Checkpoints after one prompt. */
const places = (of: ReturnType<typeof boundariesOf>, most: number, kept: readonly number[] = []) =>
  checkpointPlaces(of, { at: kept.at(-1) ?? 0, kept, most });

test('the pinned head ends where the first turn begins, behind the tool schemas', () => {
  const { firm, ends } = boundaries(...head, segment('history', 20), glue(4), segment('history', 30), glue(5));
  assert.deepEqual([firm, ends], [[153], [103, 173, 207]]);
});

test('calls and results of the last question, which a later prompt may leave out, begin behind it', () => {
  const asked = [...head, segment('history', 20), segment('turn', 30)];
  assert.deepEqual(boundaries(...asked).firm, [153, 203]);
  assert.deepEqual(boundaries(...asked, segment('steps', 40), segment('turn', 50)).firm, [153, 203]);
});

test('compacted turns have an end of their own behind the head', () => {
  const { firm } = boundaries(
    ...head,
    segment('state', 20),
    glue(4),
    segment('state', 80),
    glue(5),
    segment('history', 9),
  );
  assert.deepEqual(firm, [153, 262]);
});

test('a prompt of a head alone has its ends only', () => {
  assert.deepEqual(boundaries(...head), { firm: [], ends: [103] });
  assert.deepEqual(boundaries(), { firm: [], ends: [] });
});

test('what only one prompt has is passed over', () => {
  const { ends } = boundaries(...head, segment('turn', 20), segment('directive', 30), glue(5));
  assert.deepEqual(ends, [103, 173]);
});

test('ends that are close to each other share the later one', () => {
  const turns = [10, 120, 100, 10, 30].map((tokens) => segment('history', tokens));
  assert.deepEqual(places(boundaries(...head, ...turns), 100), [153, 283, 423]);
});

const twenty = Array.from({ length: 20 }, () => segment('history', 200));

test('of three one stays behind the head, and one stands at the end', () => {
  assert.deepEqual(places(boundaries(...head, ...twenty), 3), [153, 2553, 4153]);
});

test('the more there are, the further they reach back, each further from the next one', () => {
  const found = places(boundaries(...head, ...twenty), 8);
  assert.deepEqual([found.length, found[0], found.at(-1)], [8, 153, 4153]);
  const gaps = found.slice(1).map((place, i) => place - (found[i] ?? 0));
  assert.ok((gaps[1] ?? 0) >= (gaps.at(-1) ?? 0), gaps.join());
});

test('one that stands is kept where that costs less than one of the new ones', () => {
  const of = boundaries(...head, ...twenty);
  assert.deepEqual(places(of, 4, [153, 2153]), [153, 2153, 3153, 4153]);
  assert.deepEqual(places(of, 3, [153, 3553]), [153, 3553, 4153]);
  assert.deepEqual(places(of, 3, [153, 353]), [153, 2553, 4153]);
});

test('whatever the sizes of segments, there are never too many, and those behind head and summary stay', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 3, max: 40 }), fc.boolean(), fc.nat(30), (all, most, compacted, more) => {
      const turns = all.map((tokens) => segment('history', tokens));
      const summary = compacted ? [segment('state', 90)] : [];
      const first = places(boundaries(...head, ...summary, ...turns.slice(0, more)), most);
      const of = boundaries(...head, ...summary, ...turns);
      const found = places(of, most, first);
      assert.ok(found.length <= most);
      assert.ok(of.firm.every((position) => found.includes(position)));
      assert.deepEqual(
        found,
        found.toSorted((a, b) => a - b),
      );
      const known = new Set([...first, ...of.ends, ...of.firm]);
      assert.ok(found.every((position) => known.has(position)));
    }),
  );
});
