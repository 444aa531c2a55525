// Tests what stands below a code block before it is applied: the file, the lines that come and go, and why it would be refused or asked about.
import assert from 'node:assert/strict';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Workspace } from '../../../src/tools/files/workspace.ts';
import { temporary } from '../../temporary.ts';
import { editor } from '../fakeVscode.ts';
import { noEditor } from '../noEditor.ts';

const { blockChange } = await import('../../../src/host/edits/blockChange.ts');

const text = [
  'export function high() {',
  '  return 1;',
  '}',
  '',
  'export function low() {',
  '  const height = 2;',
  '  return height;',
  '}',
  '',
].join('\n');

async function open() {
  const path = await realpath(temporary('tidemark-change-'));
  await mkdir(join(path, '.git'));
  await writeFile(join(path, 'tide.ts'), text);
  await writeFile(join(path, 'old.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));
  const workspace: Workspace = { folders: [{ name: 'a', path }], unsaved: () => [] } as never;
  return (code: string, named: string | null, language = 'ts', files: readonly string[] = []) =>
    blockChange({ code, language, path: named, message: '' }, { workspace, last: noEditor, filesOf: () => files });
}

test('a block says its file, how many lines come and go, and where', async () => {
  const change = await open();
  const low = 'export function low() {\n  return 2;\n}\n';
  assert.deepEqual(await change(low, 'tide.ts'), { words: 'tide.ts: +1 −2, lines 6 to 7', why: '' });
  assert.deepEqual(await change(low, null, 'ts', ['tide.ts']), { words: 'tide.ts: +1 −2, lines 6 to 7', why: '' });
  assert.equal((await change(text.replace('1;', '3;'), 'tide.ts')).words, 'tide.ts: +1 −1, line 2');
  assert.equal((await change(text, 'tide.ts')).words, 'tide.ts has this code already.');
  const asItIs = 'export function high() {\n  return 1;\n}\n';
  assert.equal((await change(asItIs, null, 'ts', ['tide.ts'])).words, 'tide.ts has this code already.');
  const diff = '--- a/tide.ts\n+++ b/tide.ts\n@@ -2 +2 @@\n-  return 1;\n+  return 3;\n';
  assert.equal((await change(diff, null, 'diff')).words, 'tide.ts: +1 −1, line 2');
});

test('a replacement that was made already has nothing to do, and what is not there is said without the words of tools', async () => {
  const change = await open();
  const block = (old: string, now: string) => `<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE\n`;
  for (const [old, now] of [
    ['  return 7;', '  return 1;'],
    ['retrun', 'return'],
  ] as const)
    assert.equal((await change(block(old, now), 'tide.ts')).words, 'tide.ts has this code already.');
  for (const [old, now] of [
    ['  return 7;', '  return 8;'],
    ['retrun', 'etur'],
  ] as const) {
    const { words } = await change(block(old, now), 'tide.ts');
    assert.match(words, /^Can't be applied: The text to replace is /);
    assert.doesNotMatch(words, /"old"|"new"/);
  }
});

test('what Apply would ask is said before', async () => {
  const change = await open();
  assert.equal((await change('tides();\n', null)).words, 'You choose the file.');
  assert.equal((await change('tides();\n', 'tide.ts')).words, 'tide.ts: you choose the place.');
  assert.equal((await change('tides();\n', 'new.ts')).words, 'There is no "new.ts" in the workspace.');
  const { words, why } = await change('export function low() {\n  // as it was\n}\n', 'tide.ts');
  assert.equal(words, 'tide.ts: +1 −2, lines 6 to 7; asks first');
  assert.match(why, /const height = 2; ⏎ return height;/);
});

test('what Apply would refuse is said with its words', async () => {
  const change = await open();
  for (const [code, path, why] of [
    ['x\n', '.git/config', /belongs to Git/],
    ['x\n', 'old.txt', /UTF-8/],
    ['<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n', 'tide.ts', /do not belong together/],
    [
      'export function low() {\n  // ... existing code ...\n  tides();\n  // ... existing code ...\n}\n',
      'tide.ts',
      /omits code/,
    ],
  ] as const) {
    const said = await change(code, path);
    assert.match(said.words, /^Can't be applied: /);
    assert.match(said.words, why);
  }
});

test('in a folder that is not trusted no file is looked at', async () => {
  const change = await open();
  editor.isTrusted = false;
  try {
    assert.deepEqual(await change(text.replace('1;', '3;'), 'tide.ts'), { words: '', why: '' });
  } finally {
    editor.isTrusted = true;
  }
});
