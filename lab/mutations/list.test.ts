// Mutations name what is there: a place that stands once in its file, and tests that exist. `npm run mutations` makes them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../test/harness/program.ts';
import { mutations } from './list.ts';

test('each mutation finds its place once, and the tests that it must turn red', () => {
  assert.ok(mutations.length > 40);
  for (const { name, file, find, tests } of mutations) {
    assert.equal(readFileSync(join(projectRoot, file), 'utf8').split(find).length, 2, `${name}: ${file}`);
    if (tests !== undefined) assert.ok(existsSync(join(projectRoot, tests)), tests);
  }
});
