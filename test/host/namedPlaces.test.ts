// Whether the places that an answer names are there, with or without their folders.
import assert from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Workspace } from '../../src/tools/files/workspace.ts';
import { temporary } from '../temporary.ts';
import { editor } from './fakeVscode.ts';

const { namedPlaces } = await import('../../src/host/editor/namedPlaces.ts');

async function open(unsaved: readonly { path: string; text: string }[] = []) {
  const path = await realpath(temporary('tidemark-places-'));
  await mkdir(join(path, 'src', 'deep'), { recursive: true });
  await writeFile(join(path, 'src', 'tide.ts'), 'one\ntwo\nthree');
  await writeFile(join(path, 'src', 'deep', 'tide.ts'), 'one\n');
  await writeFile(join(path, 'src', 'rate.ts'), 'one\r\ntwo\r\n');
  await symlink('/etc/hostname', join(path, 'out.txt'));
  const buffers = unsaved.map((one) => ({ ...one, path: join(path, one.path) }));
  return { folders: [{ name: 'a', path }], unsaved: () => buffers } as never as Workspace;
}

test('a place is there where the file has that line', async () => {
  const workspace = await open();
  const asked = [
    'src/tide.ts:1',
    'src/tide.ts:3',
    'src/tide.ts:4',
    'src/tide.ts:0',
    'src/gone.ts:1',
    'src:1',
    'out.txt:1',
  ];
  assert.deepEqual(await namedPlaces(workspace, asked, []), [
    'src/tide.ts',
    'src/tide.ts',
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('a file without its folders is the one that the conversation was shown', async () => {
  const workspace = await open();
  const shown = ['src/rate.ts', 'src/tide.ts', 'src/gone.ts'];
  const asked = ['rate.ts:2', 'rate.ts:9', 'tide.ts:3', 'gone.ts:1', 'ate.ts:1'];
  assert.deepEqual(await namedPlaces(workspace, asked, shown), ['src/rate.ts', null, 'src/tide.ts', null, null]);
  assert.deepEqual(await namedPlaces(workspace, ['tide.ts:1'], [...shown, 'src/deep/tide.ts']), [null]);
});

test('lines of an unsaved buffer count', async () => {
  const workspace = await open([{ path: 'src/rate.ts', text: 'x\n'.repeat(30) }]);
  assert.deepEqual(await namedPlaces(workspace, ['src/rate.ts:30'], []), ['src/rate.ts']);
});

test('in a folder that is not trusted, and without one, nothing is looked at', async () => {
  const workspace = await open();
  editor.isTrusted = false;
  assert.deepEqual(await namedPlaces(workspace, ['src/gone.ts:1'], []), ['']);
  editor.isTrusted = true;
  assert.deepEqual(await namedPlaces({ ...workspace, folders: [] }, ['src/gone.ts:1'], []), ['']);
});
