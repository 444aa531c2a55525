// The figures that benches tell are found among all else that they print.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figuresIn } from './figure.ts';

test('a figure has a name and a value, which may hold a colon; other lines are none', () => {
  const output =
    '| a | figure: no |\nfigure: edits: 520 of 720\nfigures: 3\nfigure: forecasts: 49 of 50; seconds: 10 %\n';
  assert.deepEqual(figuresIn(output), [
    ['edits', '520 of 720'],
    ['forecasts', '49 of 50; seconds: 10 %'],
  ]);
});
