// Packs of llama.cpp from a folder that the user names are found where the extension brings none.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { getModuleVersion } from 'node-llama-cpp';
import { usePacks } from '../../../src/engine/worker/load/library.ts';
import { temporary } from '../../temporary.ts';

test('a pack is imported from the folder, and one that came with the extension stays the first', async () => {
  const folder = temporary('tm-packs-');
  for (const name of ['moon-x64', 'linux-x64']) {
    const pack = join(folder, 'node_modules', '@node-llama-cpp', name);
    mkdirSync(pack, { recursive: true });
    const version = await getModuleVersion();
    writeFileSync(join(pack, 'package.json'), JSON.stringify({ version, type: 'module', exports: './index.js' }));
    writeFileSync(join(pack, 'index.js'), 'export const from = "the folder";\n');
  }
  const load = (name: string): Promise<{ from?: string }> => import(`@node-llama-cpp/${name}`);
  await assert.rejects(load('moon-x64'), /Cannot find package/);
  await usePacks(folder);
  assert.equal((await load('moon-x64')).from, 'the folder');
  assert.equal((await load('linux-x64')).from, undefined);
  await usePacks('');
  await assert.rejects(load('other-x64'), /Cannot find package/);
});
