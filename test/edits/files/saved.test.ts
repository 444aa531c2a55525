// Another program saves a file while an allowed change of it is being written: its words are not lost without a word.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { sha256Of } from '../../../src/tools/files/hash.ts';
import { makeFolder } from '../../tools/sandbox.ts';

/** 200 with TIDEMARK_SAVES=200. */
const saves = Number(process.env.TIDEMARK_SAVES ?? 12);

/** Another program, which saves as soon as something else lies in the folder: the write is under way then. `how` is the way it saves. */
const program = `
const { mkdirSync, readdirSync, renameSync, writeFileSync } = require('node:fs');
const { parentPort, workerData: { folder, path, how } } = require('node:worker_threads');
parentPort.on('message', ({ text }) => {
  const end = performance.now() + 2000;
  while (readdirSync(folder).length === 1 && performance.now() < end);
  if (how === 'in place') writeFileSync(path, text);
  else {
    writeFileSync(folder + '-saved', text);
    renameSync(folder + '-saved', path);
  }
  parentPort.postMessage('saved');
});`;

async function saved(t: TestContext, how: 'in place' | 'by a rename', lines: number) {
  const folder = makeFolder(t, { 'f.ts': '' });
  const path = join(folder, 'f.ts');
  const user = new Worker(program, { eval: true, workerData: { folder, path, how } });
  t.after(() => user.terminate());
  const big = 'const line = 1;\n'.repeat(lines);
  const counts = { lost: 0, refused: 0 };
  for (let i = 0; i < saves; i++) {
    const before = `${big}old ${i}\n`;
    writeFileSync(path, before);
    const text = `${big}saved ${i}\n`;
    const done = new Promise((resolve) => user.once('message', resolve));
    user.postMessage({ text });
    const change = { do: 'write', path, before: sha256Of(before), text: `${big}model ${i}\n` } as const;
    const made = await diskFiles.change([change]).then(
      () => true,
      () => false,
    );
    await done;
    if (!made) counts.refused += 1;
    if (readFileSync(path, 'utf8') !== text) counts.lost += 1;
  }
  return counts;
}

for (const how of ['in place', 'by a rename'] as const)
  test(`of ${saves} saves ${how} while the file is written none is lost`, async (t) => {
    const { lost, refused } = await saved(t, how, 100_000);
    assert.equal(lost, 0);
    assert.ok(refused > 0);
  });
