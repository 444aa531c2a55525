// Every test file stands in a step.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesOf, lawFiles, setOf, type TestSet, testFiles } from './sets.ts';

const sets: readonly TestSet[] = ['unit', 'pure', 'engine', 'soak', 'package', 'flows', 'ui'];

test('each test file is in exactly one set, and no set is empty', () => {
  const listed = sets.flatMap((set) => filesOf(set));
  assert.deepEqual(listed.toSorted(), testFiles);
  assert.equal(new Set(listed).size, listed.length);
  for (const set of sets) assert.ok(filesOf(set).length > 0, set);
});

test('each set is run by a step', () => {
  const steps = readFileSync(join(import.meta.dirname, 'all.ts'), 'utf8');
  for (const set of sets) assert.equal(steps.split(`filesOf('${set}')`).length, 2, set);
});

test('the step of the laws has each file that tries random cases', () => {
  const found = lawFiles();
  for (const path of ['test/core/kv/kvPlan.test.ts', 'test/core/pruning/monotone.test.ts'])
    assert.ok(found.includes(path), path);
  assert.ok(found.length > 30);
});

test('tests of rooms that once stood in no step stand in one', () => {
  for (const [path, set] of [
    ['test/models/download.test.ts', 'unit'],
    ['test/secrets/secrets.test.ts', 'pure'],
  ] as const) {
    assert.ok(testFiles.includes(path), path);
    assert.equal(setOf(path), set);
  }
});
