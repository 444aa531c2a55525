// The package of this machine in a clean VS Code.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { makePackage } from './run.ts';
import { wanted } from './targets.ts';
import { tryPackage } from './tryPackage.ts';

test('an installed package of at most 16 MB loads a model and answers', async () => {
  const what = wanted('linux-x64', 'cpu');
  assert.ok(typeof what !== 'string');
  const { file } = await makePackage(what);
  assert.ok(statSync(file).size <= 16e6, `${statSync(file).size} bytes`);
  assert.match(await tryPackage(file), /pocket/);
});
