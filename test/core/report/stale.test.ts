// An item that shows a former state of a file counts as stale; one that was read since does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item, ResultItem } from '../../../src/core/dialog/dialog.ts';
import { staleItems } from '../../../src/core/report/decisions.ts';

const result = (id: string, given: Partial<ResultItem>): Item => ({
  origin: 'result',
  id,
  parent: null,
  call: id,
  tool: 'read_file',
  ok: true,
  head: id,
  body: '',
  ...given,
});
const read = (id: string, file: string, hash: string) => result(id, { seen: [{ file, hash, whole: true }] });
const edit = (id: string, file: string, hash: string) =>
  result(id, { changed: [file], seen: [{ file, shown: file.replace('/a/', ''), hash, whole: true }] });

test('a read is stale once its file was changed, until it is read again', () => {
  const path = [read('r1', '/a/x.ts', '1'), read('r2', '/a/y.ts', '1'), edit('e1', '/a/x.ts', '2')];
  assert.deepEqual([...staleItems(path)], ['r1']);
  assert.deepEqual([...staleItems([...path, read('r3', '/a/x.ts', '2')])], ['r1']);
  assert.deepEqual([...staleItems([...path, read('r3', '/a/x.ts', '3')])], ['r1'], 'somebody else changed it');
  assert.deepEqual([...staleItems([...path, edit('e2', '/a/x.ts', '1')])], [], 'it is again as it was read');
});

test('a deleted file makes its reads stale, and what changed is not told makes none', () => {
  assert.deepEqual([...staleItems([read('r1', '/a/x.ts', '1'), result('d', { changed: ['/a/x.ts'] })])], ['r1']);
  assert.deepEqual([...staleItems([read('r1', '/a/x.ts', '1'), result('d', { changed: 'anything' })])], []);
});

test('a passage that was found is stale once its file was changed behind it', () => {
  const found = (id: string, path: string): Item => ({
    origin: 'attachment',
    id,
    parent: null,
    head: path,
    body: '',
    found: { path, from: 1, to: 2, why: '' },
  });
  const path = [found('f1', 'src/x.ts'), found('f2', 'x.ts'), edit('e', '/a/src/x.ts', '2'), found('f3', 'src/x.ts')];
  assert.deepEqual([...staleItems(path)], ['f1']);
});
