// Who may read what is stored of conversations: the states of slots, the database with its log, and what is indexed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openIn } from '../../../src/store/rescue/openIn.ts';
import { temporary } from '../../temporary.ts';
import { say } from '../scenes/engineUnderTest.ts';
import { asked, engine, restart, save } from '../scenes/snapshotScene.ts';

const salvageScript = new URL('../../../src/store/rescue/salvageThread.ts', import.meta.url);

test('Stored states lie in a folder that only you can read.', {
  skip: process.platform === 'win32' ? 'Windows has no modes' : false,
}, async (t) => {
  const home = temporary('tidemark-yours-');
  chmodSync(home, 0o755);
  // A user who lets everybody read and write what is made.
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const path = join(home, 'storage', 'snapshots', 'a.kv');
  await restart();
  await say(engine, asked, { maxTokens: 4 });
  const saved = await save({ path });
  assert.ok(saved.saved, JSON.stringify(saved));
  const { store } = await openIn(join(home, 'storage', 'database'), salvageScript);
  assert.ok(store !== null);
  t.after(() => store.close());
  const folders = [dirname(path), join(home, 'storage', 'database')];
  for (const folder of folders) assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  assert.ok(files.includes(path) && files.includes(`${path}.json`) && files.some((file) => file.endsWith('.sqlite')));
  if (process.getuid?.() !== 0) return t.diagnostic('only root can try as another user');
  for (const file of files) {
    const { status, stdout } = spawnSync('cat', [file], { uid: 1234, gid: 1234 });
    assert.deepEqual([status === 0, stdout.length], [false, 0], file);
  }
});
