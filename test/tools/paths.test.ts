// Paths: what the model may write for a file, and what stays out of reach.

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filePlace } from '../../src/edits/files/filePlace.ts';
import { resolvePath } from '../../src/tools/files/paths.ts';
import type { Workspace } from '../../src/tools/files/workspace.ts';
import { call, makeFolder, openFolder } from './sandbox.ts';

async function shown(workspace: Workspace, path: string): Promise<string> {
  const found = await resolvePath(workspace, path);
  return found.ok ? found.place.shown : found.reason;
}

test('accepts every usual spelling of a path in one folder', async (t) => {
  const root = makeFolder(t, { 'src/my tide.ts': '', 'src/marée.ts': '' });
  const workspace = openFolder(root);
  for (const path of [
    'src/my tide.ts',
    './src/my tide.ts',
    'src/../src/my tide.ts',
    '/src/my tide.ts',
    ' src/my tide.ts ',
  ]) {
    assert.equal(await shown(workspace, path), 'src/my tide.ts');
  }
  assert.equal(await shown(workspace, join(root, 'src/my tide.ts')), 'src/my tide.ts');
  assert.equal(await shown(workspace, 'app/src/my tide.ts'), 'src/my tide.ts');
  assert.equal(await shown(workspace, 'src/my tide.ts:12'), 'src/my tide.ts');
  assert.equal(await shown(workspace, 'src/my tide.ts:12:3'), 'src/my tide.ts');
  assert.equal(await shown(workspace, 'src/marée.ts'), 'src/marée.ts');
});

test('refuses what is outside, missing or empty', async (t) => {
  const root = makeFolder(t, { 'app/a.ts': '', 'b.ts': '' });
  const workspace = openFolder(join(root, 'app'));
  for (const path of [
    '../b.ts',
    'x/../../b.ts',
    '/etc/passwd',
    '/etc/none',
    join(root, 'b.ts'),
    `${root}/app/../b.ts`,
  ]) {
    assert.equal(await shown(workspace, path), 'outside', path);
  }
  assert.equal(await shown(workspace, 'none.ts'), 'missing');
  assert.equal(await shown(workspace, 'a\0.ts'), 'missing');
  assert.equal(await shown(workspace, ' '), 'empty');
});

test('refuses a link that points outside and follows one that stays inside', async (t) => {
  const root = makeFolder(t, { 'app/src/a.ts': '', 'private/key': 'secret' });
  symlinkSync(join(root, 'private'), join(root, 'app/out'));
  symlinkSync(join(root, 'private/key'), join(root, 'app/key'));
  symlinkSync(join(root, 'private/none'), join(root, 'app/dangling'));
  symlinkSync('src', join(root, 'app/link'));
  const workspace = openFolder(join(root, 'app'));
  symlinkSync('none', join(root, 'app/soon'));
  for (const path of ['out', 'out/key', 'key', 'out/none', 'dangling'])
    assert.equal(await shown(workspace, path), 'outside', path);
  assert.equal(await shown(workspace, 'soon'), 'missing');
  assert.equal(await shown(workspace, 'link/a.ts'), 'link/a.ts');
  const result = await call(workspace, 'read_file', { path: 'out/key' });
  assert.equal(result.ok, false);
  assert.match(result.head, /outside the workspace; give a path inside it/);
});

test('works in a root that is a link', async (t) => {
  const root = makeFolder(t, { 'real/src/a.ts': 'export const moon = 1;\n' });
  symlinkSync(join(root, 'real'), join(root, 'link'));
  const workspace = openFolder(join(root, 'link'));
  assert.equal(await shown(workspace, 'src/a.ts'), 'src/a.ts');
  assert.equal(await shown(workspace, join(root, 'link/src/a.ts')), 'src/a.ts');
  assert.equal(await shown(workspace, join(root, 'real/src/a.ts')), 'src/a.ts');
  assert.match((await call(workspace, 'search_code', { query: 'moon' })).body, /^1\. src\/a\.ts:1: /);
  assert.equal((await call(workspace, 'list_files', { path: 'src' })).body, 'a.ts');
  const unsaved = () => [{ path: join(root, 'link/src/a.ts'), text: 'let sun;' }];
  assert.equal(
    (await call({ ...workspace, unsaved }, 'search_code', { query: 'sun' })).body,
    '1. src/a.ts:1: let sun;',
  );
});

test('shows and accepts the folder name where there are several folders', async (t) => {
  const root = makeFolder(t, { 'one/a.ts': '', 'one/both.ts': '', 'two/b.ts': '', 'two/both.ts': '' });
  const folders = ['one', 'two'].map((name) => ({ name, path: join(root, name) }));
  const workspace = { folders, unsaved: () => [] };
  assert.equal(await shown(workspace, 'one/a.ts'), 'one/a.ts');
  assert.equal(await shown(workspace, 'b.ts'), 'two/b.ts');
  assert.equal(await shown(workspace, join(root, 'two/b.ts')), 'two/b.ts');
  assert.equal(await shown(workspace, 'two'), 'two');
  assert.equal(await shown(workspace, 'both.ts'), 'ambiguous');
  assert.equal(await shown(workspace, 'two/../one/a.ts'), 'one/a.ts');
  assert.equal(await shown(workspace, '../three/a.ts'), 'outside');
  const result = await call(workspace, 'read_file', { path: 'both.ts' });
  assert.equal(result.head, '"both.ts" is in several folders; say "one/both.ts" or "two/both.ts".');
});

test('says when no folder is open', async () => {
  const result = await call({ folders: [], unsaved: () => [] }, 'read_file', { path: 'a.ts' });
  assert.equal(result.head, 'No folder is open, so there are no files to look at.');
});

test('a path that stands as in prose, in a diff or in a mention means the one file that it can mean', async (t) => {
  const root = makeFolder(t, { 'src/a.ts': '', 'docs/guide.md': '', ['café.md'.normalize('NFD')]: '' });
  const workspace = openFolder(root);
  for (const path of [
    '"src/a.ts"',
    "'src/a.ts'",
    '`src/a.ts`',
    '@src/a.ts',
    '@file:src/a.ts',
    '@file:"src/a.ts"',
    '"@src/a.ts"',
    'a/src/a.ts',
    'b/src/a.ts',
    'src\\a.ts',
    'app\\src\\a.ts',
    '`a/src/a.ts:3`',
    '"src/a.ts:3-9"',
  ])
    assert.equal(await shown(workspace, path), 'src/a.ts', path);
  assert.equal(await shown(workspace, 'café.md'.normalize('NFC')), 'café.md'.normalize('NFD'));
  for (const path of ['@nothing.ts', 'a/nothing.ts', '"nothing.ts"'])
    assert.equal(await shown(workspace, path), 'missing', path);
  assert.equal(await shown(workspace, '"../x"'), 'outside');
});

test('a real file of such a name wins', async (t) => {
  const root = makeFolder(t, { 'a/src/a.ts': '', 'src/a.ts': '', '@types/x.ts': '', 'types/x.ts': '' });
  const workspace = openFolder(root);
  assert.equal(await shown(workspace, 'a/src/a.ts'), 'a/src/a.ts');
  assert.equal(await shown(workspace, '@types/x.ts'), '@types/x.ts');
  assert.equal(await shown(workspace, 'b/src/a.ts'), 'src/a.ts');
});

test('a new file goes where its folder is, without the dress of its path', async (t) => {
  const root = makeFolder(t, { 'src/a.ts': '', 'b/real.ts': '' });
  const workspace = openFolder(root);
  for (const [path, wanted] of [
    ['"src/new.ts"', 'src/new.ts'],
    ['`new.ts`', 'new.ts'],
    ['a/src/new.ts', 'src/new.ts'],
    ['@src/new.ts', 'src/new.ts'],
    ['app/src/new.ts', 'src/new.ts'],
    ['src\\new.ts', 'src/new.ts'],
    ['b/new.ts', 'b/new.ts'],
    ['lib/new.ts', 'lib/new.ts'],
    ['@scope/new.ts', '@scope/new.ts'],
  ] as const) {
    const found = await filePlace(workspace, path);
    assert.deepEqual([found.ok && found.place.shown, found.ok && found.place.is], [wanted, 'absent'], path);
  }
});
