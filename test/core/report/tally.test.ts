// The tally of a session: sums over its calls, and what each trim let go of.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tally } from '../../../src/app/session/session.ts';
import { nothingPruned, type PruneState } from '../../../src/core/pruning/pruneState.ts';
import type { CallReport } from '../../../src/core/report/report.ts';

const call: CallReport = {
  node: 'act',
  promptTokens: 100,
  prefill: { reused: 60, shifted: 10, decoded: 30, slotTokens: 70, approximate: 0, firstBreak: null, milliseconds: 1 },
  breakAt: null,
  generatedTokens: 5,
  firstTokenMilliseconds: 1,
  generateMilliseconds: 1,
};
const run = { from: 0, to: 2, last: 'b', tokens: 50, by: 'dropTurns' };
const cleared = (...tokens: readonly number[]): PruneState => ({
  ...nothingPruned,
  cleared: new Map(tokens.map((n, i) => [`c${i}`, { tokens: n, by: 'clearEarlier' }])),
});

test('calls add up, and a break is counted where one is reported', () => {
  const tally = new Tally();
  tally.called(call);
  tally.called({
    ...call,
    breakAt: { cause: 'trim', layer: 'history', item: 'a', token: 60, again: 0, milliseconds: 0, words: '' },
  });
  tally.warmed(7);
  tally.warmed(3);
  const { reused, shifted, decoded, prompt } = tally.sums.promptCache;
  assert.deepEqual(tally.sums.promptCache, {
    calls: 2,
    prompt: 200,
    reused: 120,
    shifted: 20,
    decoded: 60,
    idle: 10,
    breaks: 1,
  });
  assert.equal(reused + shifted + decoded, prompt);
});

test('a crossing counts what is newly let go, once', () => {
  const tally = new Tally();
  tally.crossed(nothingPruned, nothingPruned);
  assert.deepEqual(tally.sums.trims, { stubbed: 0, capped: 0, trims: 0, freed: 0 });
  tally.crossed(nothingPruned, cleared(10));
  tally.crossed(cleared(10), cleared(10, 20));
  tally.crossed(cleared(10, 20), cleared(10, 20));
  assert.deepEqual(tally.sums.trims, { stubbed: 2, capped: 0, trims: 0, freed: 30 });
  tally.crossed(nothingPruned, { ...nothingPruned, capped: new Map([['x', { text: 'cut', before: 40 }]]) });
  tally.crossed(nothingPruned, { ...nothingPruned, runs: [run] });
  assert.deepEqual(tally.sums.trims, { stubbed: 2, capped: 1, trims: 1, freed: 80 });
});

test('an edit that forgets what was dropped takes nothing back from the sums', () => {
  const tally = new Tally();
  tally.crossed({ ...nothingPruned, runs: [run] }, nothingPruned);
  assert.deepEqual(tally.sums.trims, { stubbed: 0, capped: 0, trims: 0, freed: 0 });
});

test('attempts to compact are counted by how they ended, with what they took', () => {
  const tally = new Tally();
  tally.compacted({ outcome: 'ok', milliseconds: 1500 });
  tally.compacted({ outcome: 'failed', milliseconds: 20 });
  tally.compacted({ outcome: 'ok', milliseconds: 500 });
  assert.deepEqual([tally.sums.folds.ok, tally.sums.foldMilliseconds.ok], [2, 2000]);
  assert.deepEqual([tally.sums.folds.failed, tally.sums.foldMilliseconds.failed], [1, 20]);
  assert.deepEqual(
    tally.sums.compactionSeconds.filter((one) => one.count > 0).map(({ atMost, count }) => [atMost, count]),
    [
      [0.1, 1],
      [0.5, 1],
      [5, 1],
    ],
  );
});
