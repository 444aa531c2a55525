// A file of one line that does not end is read as far as a line may go, and no further.
import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, openSync, realpathSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withFile } from '../../src/tools/files/opened.ts';
import { readLineRange } from '../../src/tools/lineRange.ts';
import { temporary } from '../temporary.ts';

test('a terabyte in one line costs the reading of 64 MB, and what stands in front of it is there', {
  skip: process.platform === 'win32',
}, async () => {
  const path = join(temporary('tidemark-endless-'), 'endless.txt');
  const file = openSync(path, 'w');
  writeSync(file, 'first\nsecond\n');
  // Sparse: it takes no space.
  ftruncateSync(file, 1e12);
  closeSync(file);
  const { signal } = new AbortController();
  const range = await withFile(realpathSync(path), (opened) =>
    readLineRange(opened, { first: 1, last: 400, most: 8000, signal }),
  );
  assert.deepEqual(range.lines.slice(0, 2), ['first', 'second']);
  assert.deepEqual([range.counted, range.aborted], [false, false]);
});
