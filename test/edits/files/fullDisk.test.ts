// A disk that is full: the file and the free space stay as they were, and nothing is left.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../tools/sandbox.ts';

/** 20 with TIDEMARK_FULL=20. */
const tries = Number(process.env.TIDEMARK_FULL ?? 5);

/** Runs words of a shell where a small disk may be mounted. */
const mounting = (script: string, ...args: readonly string[]) =>
  spawnSync('unshare', ['-rm', 'sh', '-ec', `mount -t tmpfs -o size=3m tidemark "$1"; ${script}`, 'sh', ...args], {
    encoding: 'utf8',
  });

test(`on a disk that is full ${tries} times, three changes each leave files and space as they were`, (t) => {
  const folder = makeFolder(t, {});
  if (mounting('true', folder).status !== 0) return t.skip('no disk can be mounted here');
  const program = join(import.meta.dirname, 'fillDisk.ts');
  const { stdout, stderr } = mounting('exec "$2" "$3" "$1" "$4"', folder, process.execPath, program, String(tries));
  assert.deepEqual([stdout, stderr], ['[]', '']);
});
