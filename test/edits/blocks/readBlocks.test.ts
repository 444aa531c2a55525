// Tests what the blocks of an answer are read as: code, diffs, SEARCH/REPLACE; and which file is meant where the answer does not say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyHunks } from '../../../src/edits/blocks/fitCode.ts';
import { blockEdits } from '../../../src/edits/blocks/readBlocks.ts';
import { blockCalls } from '../../../src/edits/calls/blockCalls.ts';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { makeFolder, openFolder } from '../../tools/sandbox.ts';

const fenced = (info: string, ...lines: readonly string[]) => `\`\`\`${info}\n${lines.join('\n')}\n\`\`\`\n`;
const kinds = (answer: string) => blockEdits(answer).map(({ path, is }) => [path, is]);

test('parts of several places in one fence are changes of their own', () => {
  const answer = fenced('ts', 'src/a.ts:21-23', 'a();', '', 'src/b.ts:1-4', 'b();', 'src/a.ts:30', 'c();');
  assert.deepEqual(blockEdits(answer), [
    { path: 'src/a.ts', is: 'code', code: 'a();\n' },
    { path: 'src/b.ts', is: 'code', code: 'b();\n' },
    { path: 'src/a.ts', is: 'code', code: 'c();\n' },
  ]);
});

test('commands and output are no edits, and a block without its end is none that can be made', () => {
  assert.deepEqual(kinds(fenced('sh', 'npm test') + fenced('text', 'ok 1')), []);
  assert.deepEqual(kinds(fenced('sh run.sh', 'npm test')), [['run.sh', 'code']]);
  assert.deepEqual(kinds('```ts a.ts\nx();\n'), [['a.ts', 'unreadable']]);
});

/** A text after the diff in a block, or why it cannot be made. */
function patched(base: string, patch: string): string {
  const [edit] = blockEdits(fenced('diff', ...patch.trimEnd().split('\n')));
  if (edit?.is !== 'hunks') return edit?.is ?? 'none';
  const found = applyHunks(base, edit.hunks);
  return found.ok ? found.text : found.placed.reason;
}

const base = 'a\nb\nc\nd\ne\nf\ng\n';

test('a diff is made by its lines, whatever its heads say', () => {
  for (const patch of [
    '--- a/x\n+++ b/x\n@@ -1,9 +1,12 @@\n a\n b\n-c\n+C\n d\n',
    '--- a/x\n+++ b/x\n@@\n b\n-c\n+C\n d\n',
    '--- a/x\n+++ b/x\n@@ ... @@\n b\n-c\n+C\n d\n',
    '--- a/x\n+++ b/x\n@@ -3 +3 @@\n-c\n+C\n',
    '--- a/x\n+++ b/x\n@@ -40,3 +40,3 @@\n b\n-c\n+C\n d\n',
    '--- a/x\n+++ b/x\n@@ def foo @@\n b\n-c\n+C\n d\n',
    '@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n',
    ' b\n-c\n+C\n d\n',
    'diff --git a/x b/x\nindex 123..456 100644\n--- a/x\n+++ b/x\n@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n',
    '*** Begin Patch\n*** Update File: x\n@@\n b\n-c\n+C\n d\n*** End Patch\n',
  ])
    assert.equal(patched(base, patch), base.replace('c', 'C'), patch);
  assert.equal(patched('a\n\nc\nd\n', '--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n a\n\n-c\n+C\n d\n'), 'a\n\nC\nd\n');
  const two = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@\n f\n-g\n+G\n';
  assert.equal(patched(base, two), 'A\nb\nc\nd\ne\nf\nG\n');
  assert.equal(
    patched('a\n-- old comment\nb\n', '--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\n--- old comment\n b\n'),
    'a\nb\n',
  );
  assert.equal(patched('a\r\nb\r\nc\r\n', '@@\n b\n-c\n+C\n'), 'a\r\nb\r\nC\r\n');
});

test('the number in a head tells which of several places is meant, and no other', () => {
  const twice = 'x\ny\nx\ny\n';
  assert.equal(patched(twice, '--- a/x\n+++ b/x\n@@ -3,2 +3,2 @@\n x\n-y\n+Y\n'), 'x\ny\nx\nY\n');
  assert.equal(patched(twice, '--- a/x\n+++ b/x\n@@ -2,2 +2,2 @@\n x\n-y\n+Y\n'), 'several');
});

test('a diff makes and deletes files', () => {
  assert.deepEqual(blockEdits(fenced('diff', '--- /dev/null', '+++ b/src/new.ts', '@@ -0,0 +1,2 @@', '+a', '+b')), [
    { path: 'src/new.ts', is: 'new', code: 'a\nb\n' },
  ]);
  assert.deepEqual(blockEdits(fenced('diff', '--- a/src/old.ts', '+++ /dev/null', '@@ -1,2 +0,0 @@', '-a', '-b')), [
    { path: 'src/old.ts', is: 'deleted' },
  ]);
  assert.deepEqual(kinds(fenced('diff', 'rename from a', 'rename to b')), [[null, 'unreadable']]);
});

test('SEARCH/REPLACE blocks are read as what they are, in a fence and without one', () => {
  const forms = [
    ['<<<<<<< SEARCH', '=======', '>>>>>>> REPLACE'],
    ['------- SEARCH', '=======', '+++++++ REPLACE'],
    ['<<<<<<< README.md', '=======', '>>>>>>> README.md'],
    ['<<<<<<< Getting started', '=======', '>>>>>>> First steps'],
    ['<<<<<<< ORIGINAL', '=======', '>>>>>>> UPDATED'],
  ] as const;
  for (const [open, middle, close] of forms) {
    const [edit, other] = blockEdits(`w.ts\n${fenced('ts', open, '  return 1;', middle, '  return 2;', close)}`);
    assert.equal(other, undefined);
    assert.deepEqual(edit, {
      path: 'w.ts',
      is: 'hunks',
      hunks: [{ old: '  return 1;\n', new: '  return 2;\n', line: null }],
    });
  }
  const bare =
    '<replace_in_file>\n<path>w.ts</path>\n<diff>\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n</diff>\n</replace_in_file>\n';
  assert.deepEqual(kinds(bare), [['w.ts', 'hunks']]);
  const made = blockEdits(
    `new.ts\n${fenced('ts', '<<<<<<< SEARCH', '=======', 'export const x = 1;', '>>>>>>> REPLACE')}`,
  );
  assert.deepEqual(made, [{ path: 'new.ts', is: 'new', code: 'export const x = 1;\n' }]);
  for (const lines of [
    ['<<<<<<< SEARCH', 'a', '>>>>>>> REPLACE'],
    ['a', '>>>>>>> REPLACE'],
    ['<<<<<<< SEARCH', 'a'],
  ])
    assert.deepEqual(kinds(fenced('ts a.ts', ...lines)), [['a.ts', 'unreadable']]);
});

test('a block that names no file goes to the only file of the message that declares the same', async (t) => {
  const one = 'export function camel(text) {\n  return text;\n}\n\nexport function kebab(text) {\n  return text;\n}\n';
  const root = makeFolder(t, {
    'lib/one.js': one,
    'lib/two.js': one.replace('camel', 'snake'),
    'a/x.js': one,
    'b/x.js': one,
  });
  const ports = { workspace: openFolder(root), files: diskFiles };
  const code = 'export function camel(text) {\n  return text.replace(/_/g, "");\n}';
  const paths = async (answer: string, files: readonly string[], changes: string | null = null) =>
    (await blockCalls(answer, files, () => '1', ports, changes)).map(({ arguments: given }) => [given.path, given.is]);
  assert.deepEqual(await paths(fenced('js', code), ['lib/two.js', 'lib/one.js']), [['lib/one.js', 'code']]);
  assert.deepEqual(await paths(fenced('js', code), ['lib/one.js', 'a/x.js']), [], 'two files declare it');
  const there = fenced('js', one.slice(0, one.indexOf('\n\n')));
  assert.deepEqual(
    await paths(there, ['lib/one.js']),
    [['lib/one.js', 'code']],
    'it is there already, and nothing else is said',
  );
  assert.deepEqual(
    await paths(`${there}\n${fenced('js', code)}`, ['lib/one.js']),
    [['lib/one.js', 'code']],
    'the first is quoted',
  );
  assert.deepEqual(
    await paths(fenced('js lib/two.js', code), ['lib/two.js', 'lib/one.js']),
    [['lib/one.js', 'code']],
    'the file that it names declares no such thing',
  );
  assert.deepEqual(await paths(fenced('js lib/two.js', code), ['lib/one.js', 'a/x.js']), [['lib/two.js', 'code']]);
  assert.deepEqual(await paths(fenced('js', 'camel("a");'), ['lib/one.js']), [], 'an example');
  assert.deepEqual(
    await paths(fenced('js one.js', code), ['lib/one.js']),
    [['lib/one.js', 'code']],
    'a folder was left out',
  );
  assert.deepEqual(await paths(fenced('js x.js', code), ['a/x.js', 'b/x.js']), [['a/x.js', 'unreadable']]);
  assert.deepEqual(await paths(fenced('js fresh.js', code), ['lib/one.js']), [['fresh.js', 'code']]);
  const added = fenced('js', 'export function title(text) {\n  return text;\n}');
  assert.deepEqual(await paths(added, ['lib/one.js']), [], 'nothing says whose it is');
  assert.deepEqual(await paths(added, ['lib/one.js'], 'lib/one.js'), [['lib/one.js', 'code']], 'the message says so');
  assert.deepEqual(await paths(`${added}\n${added}`, [], 'lib/one.js'), [], 'one of two may be an example');
});
