// Each row of what the five sources promise is shown by a test that there is; `npm run check -- seeds` runs them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanced } from '../../src/settings/promptSettings.ts';
import { holdingsIn, isThere } from '../promises/holdings.ts';
import { editorKeys } from '../settingFiles.ts';

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

/** The row that each key of `tidemark.advanced` is for: a key without one is a setting too many. */
const rowOf: Readonly<Record<keyof typeof advanced, string>> = {
  'advanced.workspaceMaxShare': 'E6',
  'advanced.knowledge': 'A2',
  'advanced.toolResultMaxShare': 'B8',
  'advanced.maxToolRounds': 'C4',
  'advanced.messageCap': 'B9',
  'advanced.trimTarget': 'A5',
  'advanced.pruneAt': 'C5',
  'advanced.keepRecentToolResults': 'C5',
  'advanced.trimMustPay': 'A5',
  'advanced.compactAt': 'C6',
  'advanced.tailShare': 'C6',
  'advanced.summaryTries': 'E3',
  'advanced.leaseSeconds': 'E3',
  'advanced.cacheReuse': 'A8',
  'advanced.promptCache': 'E1',
  'advanced.workspaceCache': 'E1',
  'advanced.workspaceDebounceMilliseconds': 'E5',
  'advanced.workspaceMaxAgeSeconds': 'E5',
  'advanced.tokenCounter': 'E1',
  'advanced.tokenCountsKept': 'E4',
  'advanced.tokenCountSource': 'E4',
};

test('there are at most 40 settings, and each key of the advanced one is named by a row', () => {
  assert.ok(editorKeys.length <= 40, `${editorKeys.length}`);
  assert.deepEqual(Object.keys(rowOf).toSorted(), Object.keys(advanced).toSorted());
  const rows = new Set(holdings.map(({ sentence }) => sentence.slice(0, 2)));
  for (const row of Object.values(rowOf)) assert.ok(rows.has(row), row);
});
