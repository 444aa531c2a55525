// The programs behind the npm scripts: each is loaded by its name, so one that only runs when it is started by its own path does nothing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from './harness/program.ts';

const programs = join(projectRoot, 'test', 'harness', 'ready.ts');

test('every program of an npm script runs when it is loaded', () => {
  const named = [...readFileSync(programs, 'utf8').matchAll(/import\('([^']+)'\)/g)].map(([, path = '']) => path);
  assert.ok(named.includes('../package/run.ts') && named.length > 10);
  const idle = named.filter((path) => readFileSync(join(programs, '..', path), 'utf8').includes('import.meta.main'));
  assert.deepEqual(idle, []);
});
