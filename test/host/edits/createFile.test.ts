// Tests that a code block becomes a new file only inside the workspace, whatever the path, the links and the editor's own folder.

import assert from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Changes } from '../../../src/host/edits/changes.ts';
import type { Workspace } from '../../../src/tools/files/workspace.ts';
import { temporary } from '../../temporary.ts';
import '../fakeVscode.ts';
import { noEditor } from '../noEditor.ts';

const { createFile } = await import('../../../src/host/edits/createFile.ts');
const { applyCode } = await import('../../../src/host/edits/applyCode.ts');

/** Makes a file of each path in a folder with these links; '' where it was refused. */
async function made(paths: readonly string[], links: Readonly<Record<string, string>> = {}) {
  const path = await realpath(temporary('tidemark-new-'));
  await mkdir(join(path, 'src'));
  await mkdir(join(path, '.git'));
  for (const [from, to] of Object.entries(links)) await symlink(to, join(path, from));
  const workspace: Workspace = { folders: [{ name: 'a', path }], unsaved: () => [] } as never;
  const before = process.cwd();
  process.chdir(path);
  const found: string[] = [];
  for (const one of paths) {
    const asked: string[] = [];
    const changes: Changes = { apply: async (edits) => void asked.push(...edits.map(({ file }) => file.fsPath)) };
    const act = { type: 'createFile', code: 'x\n', language: '', path: one.replace('$', path), message: '' } as const;
    await createFile(workspace, changes, act).catch(() => undefined);
    found.push((asked[0] ?? '').replace(path, '$'));
  }
  process.chdir(before);
  return found;
}

test('a path is meant from the folder, also when the editor itself runs in it', async () => {
  const paths = ['src/new.ts', 'new.ts', '/src/new.ts', '$/src/new.ts', './deep/er/new.ts'];
  const found = await made(paths);
  assert.deepEqual(found, ['$/src/new.ts', '$/new.ts', '$/src/new.ts', '$/src/new.ts', '$/deep/er/new.ts']);
});

test('nothing is made outside of it, by dots or by links, also not by links to what is not there yet', async () => {
  const outside = temporary('tidemark-outside-');
  const links = {
    far: outside,
    'soon.ts': join(outside, 'soon.ts'),
    'later.ts': 'soon.ts',
    folder: join(outside, 'not', 'there'),
    ring: 'ring',
  };
  const paths = ['../x.ts', 'src/../../x.ts', 'far/x.ts', 'soon.ts', 'later.ts', 'folder/x.ts'];
  assert.deepEqual(
    await made(paths, links),
    paths.map(() => ''),
  );
  assert.deepEqual(await made(['ring'], links), ['$/ring'], 'a ring of links leads nowhere, and ends');
});

test('a file of Git that is there already is not even proposed to be changed', async () => {
  const path = await realpath(temporary('tidemark-git-'));
  await mkdir(join(path, '.git', 'hooks'), { recursive: true });
  for (const name of ['config', 'hooks/pre-commit']) await writeFile(join(path, '.git', name), 'old');
  await symlink('.git/config', join(path, 'settings'));
  const workspace: Workspace = { folders: [{ name: 'a', path }], unsaved: () => [] } as never;
  const asked: unknown[] = [];
  const changes: Changes = { apply: async (edits) => void asked.push(...edits) };
  for (const name of ['.git/config', '.git/hooks/pre-commit', 'settings']) {
    const act = { code: 'x', language: '', path: name, message: '' };
    await assert.rejects(createFile(workspace, changes, act), /belongs to Git/);
    const applying = { workspace, changes, last: noEditor, filesOf: () => [] };
    await assert.rejects(applyCode(act, applying), /belongs to Git/);
  }
  assert.deepEqual(asked, []);
});

test('what belongs to Git is left alone, however it is spelled', async () => {
  const paths = ['.git/hooks/new', '.GIT/hooks/new', '.git./hooks/new', 'hooks/new', 'src/.git'];
  assert.deepEqual(
    await made(paths, { hooks: '.git/hooks' }),
    paths.map(() => ''),
  );
});
