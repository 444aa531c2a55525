// Every way a folder, a user or a model can name a file, with every way out of the folder: none leads there, and words say so.

import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Changes } from '../../../src/host/edits/changes.ts';
import type { Workspace } from '../../../src/tools/files/workspace.ts';
import { createTools } from '../../../src/tools/index.ts';
import { findFiles } from '../../../src/workspace/bundleFiles.ts';
import { temporary } from '../../temporary.ts';
import '../fakeVscode.ts';

const { fileText, filesIn, folderText, mentionAt } = await import('../../../src/workspace/mentionFiles.ts');
const { createFile } = await import('../../../src/host/edits/createFile.ts');

const secret = 'barnacle';
const root = realpathSync(temporary('tidemark-escapes-'));
const app = join(root, 'app');
mkdirSync(join(app, '.tidemark', 'prompts'), { recursive: true });
mkdirSync(join(root, 'app-other'));
mkdirSync(join(root, 'secret'));
writeFileSync(join(app, 'a.ts'), 'const a = 1;\n');
for (const place of ['secret/key.md', 'app-other/key.md', 'key.md']) writeFileSync(join(root, place), `${secret}\n`);
symlinkSync(join(root, 'secret/key.md'), join(app, 'file-link.md'));
symlinkSync(join(root, 'secret'), join(app, 'folder-link'));
symlinkSync('folder-link', join(app, 'link-of-link'));
symlinkSync(join(root, 'secret/key.md'), join(app, '.tidemark/prompts/stolen.md'));
symlinkSync(join(root, 'secret/not-yet.ts'), join(app, 'dangling.ts'));

const workspace: Workspace = {
  folders: [{ name: 'app', path: app }],
  unsaved: () => [{ path: join(root, 'secret', 'key.md'), text: secret }],
};
const { signal } = new AbortController();

const ways = [
  ...['../key.md', '../secret/key.md', 'x/../../key.md', './.././key.md', '../app-other/key.md', '..'],
  ...[join(root, 'key.md'), `${app}/../key.md`, `${app}-other/key.md`, '/etc/passwd'],
  ...[
    'file-link.md',
    'folder-link/key.md',
    'link-of-link/key.md',
    'folder-link',
    'FOLDER-LINK/key.md',
    'file-link.md:1',
  ],
  ...['~/key.md', '~root/.bashrc', '\\\\server\\share\\key.md', '//server/share/key.md', 'C:\\key.md', '..\\key.md'],
  ...[String(pathToFileURL(join(root, 'key.md'))), 'file:///etc/passwd', 'file://server/share/key.md'],
  ...['vscode-remote://x/etc/passwd', 'https://attack.invalid/key.md', '%2e%2e/key.md', '..%2fkey.md'],
  ...['a.ts\0/../../key.md', '../key.md\0.ts', `${'../'.repeat(40)}etc/passwd`, '../KEY.md', '．．/key.md'],
];

test('no tool reads it, and each says why', async () => {
  const tools = createTools(workspace).filter(({ schema }) => ['read_file', 'list_files'].includes(schema.name));
  assert.equal(tools.length, 2);
  for (const tool of tools) {
    for (const path of ways) {
      const said = await tool.run({ path }, signal);
      assert.equal(said.ok, false, `${tool.schema.name} ${path}: ${said.head}`);
      assert.match(said.head, /outside the workspace|no ".*" in the workspace|is a folder/s, path);
      assert.doesNotMatch(said.body, new RegExp(secret), path);
    }
  }
  const [search] = createTools(workspace).filter(({ schema }) => schema.name === 'search_code');
  const everywhere = await search?.run({ query: secret }, signal);
  assert.doesNotMatch(everywhere?.body ?? secret, /barnacle/, 'links are not followed by a search');
});

test('no mention brings it, and each says why', async () => {
  for (const name of ways) {
    for (const said of [
      await fileText(workspace, { name, lines: null }, signal),
      await folderText(workspace, name, signal),
    ]) {
      assert.equal(said.ok, false, name);
      assert.ok(said.head.length > 15, name);
    }
    assert.equal(await mentionAt(workspace, name), null, name);
  }
  const whole = await folderText(workspace, '.', signal);
  assert.doesNotMatch(whole.body, new RegExp(secret));
});

test('no entry of workspace.files and no prompt file brings it', async () => {
  const entries = ways.flatMap((path) => [path, `${path}/*.md`]);
  const found = await findFiles(workspace, [...entries, '*.md', '../*.md', 'folder-link/*.md']);
  assert.deepEqual(
    found.map(({ real }) => real),
    [],
  );
  assert.deepEqual(await filesIn(workspace, '.tidemark/prompts', '.md', signal), []);
  assert.deepEqual(await filesIn(workspace, 'folder-link', '.md', signal), []);
});

test('no new file is made there', async () => {
  const made: string[] = [];
  const changes: Changes = { apply: async (edits) => void made.push(...edits.map(({ file }) => file.fsPath)) };
  for (const path of [...ways, 'dangling.ts', 'folder-link/new.ts']) {
    // On this system a backslash and a percent sign are letters of a name, and a URI is a path in the folder.
    await createFile(workspace, changes, { code: '', language: '', path, message: '' }).catch(() => undefined);
  }
  assert.ok(made.length > 0);
  const outside = made.filter((one) => !one.startsWith(`${app}/`) || /-link\//.test(one));
  assert.deepEqual(outside, []);
});
