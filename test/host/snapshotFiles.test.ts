// The folder of snapshots: whole pairs are listed, leftovers of dead processes go, names say nothing about sessions.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSnapshotFiles } from '../../src/host/system/snapshotFiles.ts';
import { temporary } from '../temporary.ts';

function folderFor(context: TestContext) {
  const folder = temporary('tidemark-folder-');
  context.after(() => rmSync(folder, { recursive: true }));
  const files = createSnapshotFiles(folder);
  const put = (session: string, slot: number, text = 'state') => {
    const path = files.path(session, slot);
    writeFileSync(path, text);
    writeFileSync(`${path}.json`, JSON.stringify({ sha256: '', record: JSON.stringify({ session }) }));
    return path;
  };
  return { folder, files, put };
}

test('a folder that is not there is empty', async () => {
  const files = createSnapshotFiles(join(tmpdir(), 'tidemark-nowhere'));
  assert.deepEqual(await files.list(), []);
  await files.removeSession('a');
  await files.remove(files.path('a', 0));
});

test('a pair is listed with its session, its size and when it was used; its name gives nothing away', async (context) => {
  const { files, put } = folderFor(context);
  const path = put('my session', 1);
  utimesSync(path, 1000, 1000);
  const bytes = statSync(path).size + statSync(`${path}.json`).size;
  assert.deepEqual(await files.list(), [{ session: 'my session', path, bytes, used: 1_000_000 }]);
  assert.match(basename(path), /^[0-9a-f]{32}-1\.kv$/);
});

test('a deleted session takes all its slots along, and what is half written of them', async (context) => {
  const { folder, files, put } = folderFor(context);
  const [mine] = [put('a', 0), put('a', 1)];
  const other = put('b', 0);
  for (const more of ['.1.1.tmp', '.1.1.tmp.json']) writeFileSync(`${mine}${more}`, '');
  await files.removeSession('a');
  assert.deepEqual(readdirSync(folder).toSorted(), [basename(other), `${basename(other)}.json`]);
});

test('half a pair goes once it is old, and what a dead process was writing at once', async (context) => {
  const { folder, files, put } = folderFor(context);
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  const [lone, broken, young] = [put('a', 0), put('b', 0), put('c', 0)];
  rmSync(`${lone}.json`);
  writeFileSync(`${broken}.json`, '{');
  rmSync(young);
  for (const old of [lone, broken]) utimesSync(old, 1000, 1000);
  const [gone, alive] = [`${lone}.${dead}.1.tmp`, `${lone}.${process.pid}.1.tmp`];
  for (const file of [gone, `${gone}.json`, alive]) writeFileSync(file, '');
  assert.deepEqual(await files.list(), []);
  assert.deepEqual(readdirSync(folder).toSorted(), [basename(alive), `${basename(young)}.json`].toSorted());
  assert.equal(existsSync(gone), false);
});

test('a record is read once, however often the slots are shown, and again when it changed', async (context) => {
  const { files, put } = folderFor(context);
  const path = put('a', 0);
  const read = context.mock.method(JSON, 'parse');
  await files.list();
  const first = read.mock.callCount();
  assert.ok(first > 0);
  await files.list();
  assert.equal(read.mock.callCount(), first);
  writeFileSync(`${path}.json`, JSON.stringify({ sha256: 'other', record: JSON.stringify({ session: 'b' }) }));
  assert.deepEqual(
    (await files.list()).map(({ session }) => session),
    ['b'],
  );
});
