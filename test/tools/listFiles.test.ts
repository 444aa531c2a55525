// list_files: one folder at a time, without what is ignored.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, makeFolder, openFolder } from './sandbox.ts';

const fileTexts = {
  '.gitignore': 'dist/\n*.log\n',
  '.github/ci.yml': '',
  'dist/a.js': '',
  'logs/a.log': '',
  'src/deep/a.ts': '',
  'src/b c.ts': '',
  'README.md': '',
};

test('lists folders first, without ignored files and folders that hold only those', async (t) => {
  const workspace = openFolder(makeFolder(t, fileTexts));
  for (const path of ['', '.', '/']) {
    const result = await call(workspace, 'list_files', { path });
    assert.equal(result.head, '.: 4 entries');
    assert.deepEqual(result.body.split('\n'), ['.github/', 'src/', '.gitignore', 'README.md']);
  }
  const src = await call(workspace, 'list_files', { path: 'src/' });
  assert.deepEqual([src.head, src.body], ['src: 2 entries', 'deep/\nb c.ts']);
});

test('lists the folders where there are several', async (t) => {
  const root = makeFolder(t, { 'one/a.ts': '', 'two/b.ts': '' });
  const folders = ['one', 'two'].map((name) => ({ name, path: join(root, name) }));
  const workspace = { folders, unsaved: () => [] };
  const all = await call(workspace, 'list_files', { path: '.' });
  assert.deepEqual([all.head, all.body], ['The workspace has 2 folders:', 'one/\ntwo/']);
  const two = await call(workspace, 'list_files', { path: 'two' });
  assert.deepEqual([two.head, two.body], ['two: 1 entry', 'b.ts']);
});

test('cuts at 200 entries and says so', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 205 }, (_, index) => [`f${index}.ts`, '']));
  const result = await call(openFolder(makeFolder(t, files)), 'list_files', { path: '' });
  assert.equal(result.head, '.: 205 entries, first 200');
  assert.equal(result.body.split('\n').length, 200);
});

test('refuses a file, a missing folder, and a path that is no text', async (t) => {
  const workspace = openFolder(makeFolder(t, fileTexts));
  const list = (args: object) => call(workspace, 'list_files', args);
  assert.equal((await list({ path: 'README.md' })).head, 'README.md is a file, not a folder; read it with read_file.');
  assert.match((await list({ path: 'none' })).head, /There is no "none" in the workspace\. List "\."/);
  assert.match((await list({})).head, /"path" is missing/);
  assert.equal((await list({ path: 'logs' })).head, 'logs: no entries, or only ignored ones');
});
