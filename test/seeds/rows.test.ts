// Each row of what the five sources promise is shown by a test that there is; `npm run check -- seeds` runs them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdingsIn, isThere } from '../promises/holdings.ts';

const holdings = holdingsIn('test/seeds/rows.txt');

test('there is a row for each of A1 to E6, and a test for each', () => {
  const most = { A: 9, B: 9, C: 9, D: 8, E: 6 };
  const wanted = Object.entries(most).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
  );
  const rows = [...new Set(holdings.map(({ sentence }) => sentence.slice(0, 2)))];
  assert.deepEqual(rows, wanted);
  assert.deepEqual(
    holdings.filter((one) => !isThere(one)),
    [],
  );
});
