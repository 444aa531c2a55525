// Who may read the database: the user it belongs to, and nobody else of the machine.
import assert from 'node:assert/strict';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openIn } from '../../src/store/rescue/openIn.ts';
import { temporary } from '../temporary.ts';
import { salvageScript } from './rescuing.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('folder, database and its log are for the user alone, also those of an earlier version', {
  skip: process.platform === 'win32',
}, async () => {
  const folder = join(temporary('tidemark-modes-'), 'deep', 'store');
  const path = join(folder, 'tidemark.sqlite');
  const before = process.umask(0o022);
  try {
    for (const round of [1, 2]) {
      const { store, words } = await openIn(folder, salvageScript);
      assert.equal(words, '');
      for (const end of ['', '-wal', '-shm']) assert.equal(modeOf(path + end), 0o600, `${round}: ${end}`);
      store?.close();
      chmodSync(path, 0o644);
    }
    assert.equal(modeOf(folder), 0o700);
  } finally {
    process.umask(before);
  }
});
