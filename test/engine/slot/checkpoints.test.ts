// Where summaries of a slot stand: before what is likely to change, and so far apart that none is ever pushed out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ImagePiece } from '../../../src/core/kv/kvImage.ts';
import type { Layer } from '../../../src/core/prompt/prompt.ts';
import { boundariesOf, checkpointLimits, distance, nextStop } from '../../../src/engine/worker/slot/checkpoints.ts';

const glue = (tokens: number): ImagePiece => ({ of: null, tokens: Array(tokens).fill(0) });

function segment(layer: Layer, tokens: number): ImagePiece {
  const item = layer === 'system' || layer === 'workspace' || layer === 'state' ? null : 'i';
  return { of: { key: layer, layer, item, part: 'text', generated: false }, tokens: Array(tokens).fill(0) };
}

const head = [glue(3), segment('system', 100), glue(50)];
const boundaries = (...pieces: readonly ImagePiece[]) => boundariesOf({ pieces, tools: '' });

/** All stops of one prefill, with summaries of this size. */
function stops(of: ReturnType<typeof boundariesOf>, bytes: number, window: number): readonly number[] {
  const found: number[] = [];
  for (;;) {
    const at = found.at(-1) ?? 0;
    const next = nextStop(of, at, at, distance(found.length === 0 ? 0 : bytes, window));
    if (next === null) return found;
    found.push(next);
  }
}

test('the pinned head ends where the first turn begins, behind the tool schemas', () => {
  const { firm, ends } = boundaries(...head, segment('history', 20), glue(4), segment('turn', 30), glue(5));
  assert.deepEqual([firm, ends], [[153], [103, 173, 207]]);
});

test('compacted turns have an end of their own behind the head', () => {
  const { firm } = boundaries(
    ...head,
    segment('state', 20),
    glue(4),
    segment('state', 80),
    glue(5),
    segment('turn', 9),
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
  assert.deepEqual(stops(boundaries(...head, ...turns), 1000, 4096), [153, 283, 423]);
});

test('a checkpoint too large for a second one stands behind the head', () => {
  const turns = Array.from({ length: 20 }, () => segment('history', 200));
  const { maxMemory } = checkpointLimits;
  const found = stops(boundaries(...head, ...turns), maxMemory, 8192);
  assert.equal(found.at(-1), 153);
});

test('whatever the size of a checkpoint and the segments, a full window stays within the limits', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(
      sizes,
      fc.integer({ min: 1000, max: Math.floor(checkpointLimits.maxMemory / 3) }),
      fc.boolean(),
      (all, bytes, compacted) => {
        const turns = all.map((tokens) => segment('history', tokens));
        const of = boundaries(...head, ...(compacted ? [segment('state', 90)] : []), ...turns);
        const window = (of.ends.at(-1) ?? 0) + 1;
        const found = stops(of, bytes, window);
        // The first one is taken before any size is known.
        assert.ok((found.length - 1) * bytes <= checkpointLimits.maxMemory, `${found.length} of ${bytes}`);
        assert.ok(found.length <= checkpointLimits.max);
        assert.ok(of.firm.every((position) => found.includes(position)));
        assert.deepEqual(
          found,
          found.toSorted((a, b) => a - b),
        );
      },
    ),
  );
});
