// read_file: ranges, what is declared in them, and the files that cannot be read.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cutMark } from '../../src/tools/lineRange.ts';
import { call, makeFolder, openFolder } from './sandbox.ts';

const read = (root: string, args: object, extra = {}) => call(openFolder(root, extra), 'read_file', args);

test('shows the lines with their numbers and what they declare, exported functions first', async (t) => {
  const root = makeFolder(t, {
    'src/a.ts':
      'const x = 1;\nexport interface Tide {\n  at: Date;\n}\nexport function tide() {\n  const inner = 2;\n}\n',
  });
  const result = await read(root, { path: 'src/a.ts' });
  assert.equal(result.head, 'src/a.ts (lines 1-7 of 7)');
  const [declares, first] = result.body.split('\n');
  assert.equal(declares, 'Declares: tide (line 5), Tide (line 2), x (line 1)');
  assert.equal(first, '1: const x = 1;');
});

test('shows a range, also one given as text', async (t) => {
  const root = makeFolder(t, { 'a.txt': 'one\r\ntwo\r\nthree\r\n' });
  const result = await read(root, { path: 'a.txt', startLine: '2', endLine: 9 });
  assert.equal(result.head, 'a.txt (lines 2-3 of 3)');
  assert.equal(result.body, 'Declares: nothing at the top level\n2: two\n3: three');
});

test('shows 200 lines by default and more when asked', async (t) => {
  const root = makeFolder(t, { 'a.txt': 'x\n'.repeat(500) });
  assert.equal((await read(root, { path: 'a.txt' })).head, 'a.txt (lines 1-200 of 500)');
  assert.equal((await read(root, { path: 'a.txt', startLine: 150 })).head, 'a.txt (lines 150-349 of 500)');
  assert.equal((await read(root, { path: 'a.txt', startLine: 0, endLine: 300 })).head, 'a.txt (lines 1-300 of 500)');
});

test('stops at 24,000 characters and says which lines it shows', async (t) => {
  const root = makeFolder(t, { 'a.txt': `${'x'.repeat(996)}\n`.repeat(100) });
  const result = await read(root, { path: 'a.txt', endLine: 100 });
  assert.equal(result.head, 'a.txt (lines 1-23 of 100)');
  assert.ok(result.body.length <= 24_000);
});

test('cuts a very long line with a mark, between characters', async (t) => {
  const root = makeFolder(t, { 'a.txt': `${'é'.repeat(300_000)}\nlast` });
  const result = await read(root, { path: 'a.txt' });
  assert.equal(result.head, 'a.txt (lines 1-2 of 2)');
  assert.ok(result.body.includes(`1: ${'é'.repeat(1000)}${cutMark}\n2: last`));
});

test('serves a range of a huge file', async (t) => {
  const root = makeFolder(t, { 'a.log': `${'0123456789'.repeat(8)}\n`.repeat(100_000) });
  const result = await read(root, { path: 'a.log', startLine: 99_999 });
  assert.equal(result.head, 'a.log (lines 99999-100000 of 100000)');
});

test('shows what the editor shows of other encodings, and no file that is no text', async (t) => {
  const root = makeFolder(t, {});
  const put = (name: string, bytes: Uint8Array) => writeFileSync(join(root, name), bytes);
  put('cp.ts', Buffer.from('// caf\xe9 \x93x\x94\nconst a = 1;\n', 'latin1'));
  put('le.sql', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('SELECT 1;\r\n', 'utf16le')]));
  put('be.sql', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('SELECT 1;\r\n', 'utf16le').swap16()]));
  put('nul.c', Buffer.from('int a;\0\n'));
  put('x.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0xff, 1]));
  assert.match((await read(root, { path: 'cp.ts' })).body, /^1: \/\/ café “x”\n2: const a = 1;$/m);
  for (const name of ['le.sql', 'be.sql']) assert.match((await read(root, { path: name })).body, /^1: SELECT 1;$/m);
  for (const name of ['nul.c', 'x.png']) assert.match((await read(root, { path: name })).head, /is a binary file/);
});

test('prefers the unsaved buffer, also for a file that is not on disk', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'old\n' });
  const unsaved = () => ['a.ts', 'new.ts'].map((path) => ({ path: join(root, path), text: 'fresh' }));
  assert.match((await read(root, { path: 'a.ts' }, { unsaved })).body, /^1: fresh$/m);
  assert.equal((await read(root, { path: 'new.ts' }, { unsaved })).head, 'new.ts (lines 1-1 of 1)');
});

test('refuses binary files and folders', async (t) => {
  const root = makeFolder(t, {
    'a.bin': Buffer.from('ab\0c'),
    'b.txt': Buffer.from('caf\xe9 \x01', 'latin1'),
    'd/x': '',
  });
  assert.match((await read(root, { path: 'a.bin' })).head, /a\.bin is a binary file/);
  assert.match((await read(root, { path: 'b.txt' })).head, /b\.txt is a binary file/);
  assert.equal((await read(root, { path: 'd' })).head, 'd is a folder; list it with list_files.');
});

test('takes a character cut in two by the 8 kB probe for text', async (t) => {
  const root = makeFolder(t, { 'a.txt': `${'x'.repeat(8191)}é\n` });
  assert.equal((await read(root, { path: 'a.txt' })).ok, true);
});

test('says when a file is empty or the range is past its end', async (t) => {
  const root = makeFolder(t, { 'a.txt': '', 'b.txt': 'x\n' });
  const { ok, head, body } = await read(root, { path: 'a.txt' });
  assert.deepEqual({ ok, head, body }, { ok: true, head: 'a.txt is empty (0 lines).', body: '' });
  const past = await read(root, { path: 'b.txt', startLine: 9 });
  assert.deepEqual([past.ok, past.head], [false, 'b.txt has 1 lines; line 9 is past its end.']);
});

test('offers near names for a missing file', async (t) => {
  const root = makeFolder(t, { 'src/duration.ts': '', 'lib/durations.js': '', 'src/other.ts': '' });
  const result = await read(root, { path: 'src/durations.ts' });
  assert.equal(result.ok, false);
  assert.equal(
    result.head,
    'There is no "src/durations.ts" in the workspace. Near names: src/duration.ts, lib/durations.js.',
  );
  assert.match((await read(root, { path: 'zzzzzz.q' })).head, /Find it with list_files or search_code\.$/);
});

test('names the argument that is wrong', async (t) => {
  const root = makeFolder(t, { 'a.txt': 'x\n' });
  assert.match((await read(root, {})).head, /"path" is missing/);
  assert.match((await read(root, { path: 1 })).head, /"path" must be a text/);
  assert.match((await read(root, { path: 'a.txt', startLine: 'two' })).head, /"startLine" must be a whole number/);
  assert.match((await read(root, { path: 'a.txt', endLine: -1 })).head, /"endLine" must be a whole number/);
  assert.match((await read(root, { path: 'a.txt', startLine: 5, endLine: 2 })).head, /"endLine" \(2\) is before/);
});

test('stops when aborted', async (t) => {
  const root = makeFolder(t, { 'a.txt': 'x\n' });
  const result = await call(openFolder(root), 'read_file', { path: 'a.txt' }, AbortSignal.abort());
  assert.deepEqual([result.ok, result.head], [false, 'Reading a.txt was stopped.']);
});
