// The package of this machine, made by its command, in a clean VS Code.
import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownNode, projectRoot, runProgram } from '../harness/program.ts';
import { tryPackage } from './tryPackage.ts';

test('the command packages this machine in at most 16.3 MB, and what is installed from it loads a model and answers', async () => {
  const file = join(projectRoot, 'out', 'package', 'tidemark-linux-x64-cpu.vsix');
  rmSync(file, { force: true });
  const command = [
    join(projectRoot, 'test', 'harness', 'ready.ts'),
    'package',
    '--target',
    'linux-x64',
    '--gpu',
    'cpu',
  ];
  assert.match(await runProgram(ownNode(), command, { cwd: projectRoot }), /tidemark-linux-x64-cpu\.vsix: \d/);
  assert.ok(statSync(file).size <= 16e6, `${statSync(file).size} bytes`);
  assert.match(await tryPackage(file), /demo model/);
});
