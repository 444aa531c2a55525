// Tests which changes are asked about whatever the file is called: what Git ignores, new folders, and folders of which the conversation has read nothing.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { filesBeside } from '../../src/core/dialog/filesNamed.ts';
import type { BatchedCall } from '../../src/core/dialog/tool.ts';
import { stage } from '../../src/edits/calls/stage.ts';
import { diskFiles } from '../../src/edits/files/diskFiles.ts';
import { asksBecause } from '../../src/edits/tools.ts';
import { makeFolder, openFolder } from '../tools/sandbox.ts';

const text = 'export const a = 1;\n';
const files = {
  'package.json': '{"scripts":{"test":"a"}}',
  'a.ts': text,
  'src/b.ts': text,
  'src/deep/c.ts': text,
  'docs/my notes.md': text,
};

type Call = readonly [name: string, given: Readonly<Record<string, string>>];
const write = (path: string): Call => ['write_file', { path, content: 'new\n' }];

/** Returns why changes ask, in a conversation that has read some files and has others beside its messages. `known` is null outside of one. */
async function reasons(
  t: TestContext,
  calls: readonly Call[],
  known: { readonly read?: readonly string[]; readonly beside?: readonly string[] } | null,
  git = '',
): Promise<string> {
  const root = makeFolder(t, { ...files, ...(git === '' ? {} : { '.gitignore': git }) });
  if (git !== '') spawnSync('git', ['init', '-q', root]);
  const workspace = openFolder(root);
  const batched = calls.map(([name, given], i): BatchedCall => ({ id: String(i), name, arguments: given }));
  const units = await stage(batched, { workspace, files: diskFiles, seen: null });
  const wrong = units.flatMap((unit) => unit.calls.flatMap(({ outcome }) => (outcome.ok ? [] : [outcome.words])));
  assert.deepEqual(wrong, []);
  const real = (path: string) => join(root, path);
  const seen = (known?.read ?? []).map((path) => [real(path), { file: real(path), hash: '', whole: true }] as const);
  const facts = known === null ? null : { seen: new Map(seen), beside: known.beside ?? [] };
  return asksBecause(workspace, { files: units.flatMap((unit) => unit.files) }, facts);
}

test('a file in a folder of which something was read, attached or found asks nothing', async (t) => {
  assert.equal(await reasons(t, [write('src/new.ts')], { read: ['src/b.ts'] }), '');
  for (const beside of ['src/b.ts', 'src/'])
    assert.equal(await reasons(t, [write('src/new.ts')], { beside: [beside] }), '');
});

test('a file in any other folder asks, also above and below of what was read', async (t) => {
  const unread = 'nothing in its folder was read in this conversation';
  const known = { read: ['src/b.ts'] };
  assert.equal(await reasons(t, [write('new.ts')], known), `new.ts: ${unread}`);
  assert.equal(await reasons(t, [write('src/deep/new.ts')], known), `src/deep/new.ts: ${unread}`);
  assert.equal(await reasons(t, [['delete_file', { path: 'a.ts' }]], known), `a.ts: ${unread}`);
  assert.equal(await reasons(t, [['move_file', { path: 'src/b.ts', to: 'docs/b.ts' }]], known), `docs/b.ts: ${unread}`);
  // A folder that was found is a list of names, and what is not there was not attached.
  for (const beside of ['src', 'src/none.ts', '../src/b.ts', 'none/'])
    assert.equal(await reasons(t, [write('src/new.ts')], { beside: [beside] }), `src/new.ts: ${unread}`);
});

test('without a conversation only names, ignored files and new folders ask', async (t) => {
  assert.equal(await reasons(t, [write('src/deep/new.ts')], null), '');
  assert.equal(
    await reasons(t, [write('src/.hidden')], null),
    'src/.hidden: .hidden begins with a dot, as the files that tools obey do',
  );
});

test('package.json asks whatever of it changes', async (t) => {
  const changes = {
    ...{
      dependencies: { evil: 'git+https://e/x' },
      overrides: { a: 'npm:evil' },
      packageManager: 'yarn@file:./evil.cjs',
    },
    ...{ gypfile: true, jest: { globalSetup: './evil.js' }, eslintConfig: { plugins: ['evil'] } },
    ...{ babel: { plugins: ['./evil.js'] }, 'pre-commit': ['evil'], workspaces: ['evil'] },
    ...{
      config: { 'node-options': '--require ./e.js' },
      nodemonConfig: { exec: 'evil' },
      imports: { '#a': './evil.js' },
    },
    main: './evil.js',
  };
  for (const [field, value] of Object.entries(changes)) {
    const content = JSON.stringify({ scripts: { test: 'a' }, [field]: value });
    const asked = await reasons(t, [['write_file', { path: 'package.json', content }]], { read: ['package.json'] });
    assert.equal(asked, 'package.json: what package.json says is run or obeyed', field);
  }
});

test('a new folder asks, one line for each file', async (t) => {
  const asked = await reasons(t, [write('kit/HEAD'), write('kit/refs/a'), write('src/new.ts')], { read: ['src/b.ts'] });
  assert.equal(
    asked,
    'kit/HEAD: it makes its folder a repository of Git, or is a part of one\nkit/refs/a: its folder is new',
  );
  assert.equal(
    await reasons(t, [write('kit/HEAD')], null),
    'kit/HEAD: it makes its folder a repository of Git, or is a part of one',
  );
});

test('what Git ignores asks', async (t) => {
  const known = { read: ['src/b.ts'] };
  assert.equal(
    await reasons(t, [write('src/new.log'), write('src/new.ts')], known, '*.log\n'),
    "src/new.log: Git's ignore files name it",
  );
});

test('the head of what was attached names its file; what is told of changes names none', () => {
  const beside = (head: string, more: object = {}) =>
    filesBeside([{ origin: 'attachment', id: '1', parent: null, head, body: 'x', ...more }]);
  assert.deepEqual(beside('docs/my notes.md (3 lines)'), ['docs/my notes.md']);
  assert.deepEqual(beside('src/a (copy).ts (lines 1-3 of 9, not saved yet)'), ['src/a (copy).ts']);
  assert.deepEqual(beside('src/ (4 files, and how they begin)'), ['src/']);
  assert.ok(beside('plural in src/a.ts (lines 3-9)').includes('src/a.ts'));
  assert.deepEqual(beside('File src/a.ts:'), ['src/a.ts']);
  const found = { path: 'lib/x.ts', from: 1, to: 2, why: '' };
  assert.deepEqual(beside('Found: lib/x.ts:1-2', { found }), ['lib/x.ts']);
  assert.deepEqual(beside('What became of your code blocks: docs/kit/a.md (2 lines)', { of: 'news' }), []);
  assert.deepEqual(beside('@file:secret/a.ts could not be attached.'), []);
});
