// Mutations name what is there: a place that stands once in its file, and tests that exist. `npm run mutations` makes them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../test/harness/program.ts';
import { holdingsIn } from '../../test/promises/holdings.ts';
import { mutations } from './list.ts';
import { seedMutations } from './seeds.ts';

test('each mutation finds its place once, and the tests that it must turn red', () => {
  assert.ok(mutations.length > 40);
  for (const { name, file, find, tests } of [...mutations, ...seedMutations]) {
    assert.equal(readFileSync(join(projectRoot, file), 'utf8').split(find).length, 2, `${name}: ${file}`);
    if (tests !== undefined) assert.ok(existsSync(join(projectRoot, tests)), tests);
  }
});

test('each row of the five sources has one mutation, which begins with its name', () => {
  const rows = [...new Set(holdingsIn('test/seeds/rows.txt').map(({ sentence }) => sentence.slice(0, 2)))];
  assert.deepEqual(
    seedMutations.map(({ row }) => row),
    rows,
  );
  for (const { name, row } of seedMutations) assert.ok(name.startsWith(`${row}: `), name);
});
