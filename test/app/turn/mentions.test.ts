// Mentions: what of a message is one, what goes beside the message for it, and what the editor's side reads for them.

import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { attach, mentionsIn, mentionWord } from '../../../src/app/turn/mentions.ts';
import type { TokenCounter } from '../../../src/core/prompt/counter.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { blockAt } from '../../../src/host/mentions/mentionBlock.ts';
import { plainOutput } from '../../../src/host/mentions/mentionOutput.ts';
import {
  attachedFile,
  FileNames,
  filesIn,
  fileText,
  folderText,
  mentionAt,
} from '../../../src/workspace/mentionFiles.ts';
import { temporary } from '../../temporary.ts';
import { openScene } from '../scenes/scene.ts';

const { signal } = new AbortController();
const counter: TokenCounter = {
  count: async (texts) => ({ tokens: texts.map(({ length }) => Math.ceil(length / 4)), exact: true }),
};

const read = (text: string) => mentionsIn(text).map(({ kind, name, lines }) => [kind, name, lines]);

test('a mention stands beside signs of Chinese and Japanese, whose punctuation is none of its name', () => {
  assert.deepEqual(read('看@file:日本語.py。和@file:src/a.ts，谢谢'), [
    ['file', '日本語.py', null],
    ['file', 'src/a.ts', null],
  ]);
  assert.deepEqual(read('me@file:x.ts'), []);
});

test('a mention is a word of the message with its path, lines or name', () => {
  assert.deepEqual(read('@file:src/a.ts and (@file:src/b.ts:10-40), @file:c.ts:7.'), [
    ['file', 'src/a.ts', null],
    ['file', 'src/b.ts', { first: 10, last: 40 }],
    ['file', 'c.ts', { first: 7, last: 7 }],
  ]);
  assert.deepEqual(read('@file:"my notes.md":2-3 @folder:"a b" @folder:src/ @symbol:parse'), [
    ['file', 'my notes.md', { first: 2, last: 3 }],
    ['folder', 'a b', null],
    ['folder', 'src/', null],
    ['symbol', 'parse', null],
  ]);
  assert.deepEqual(read('Fix @selection with @problems, see @terminal!'), [
    ['selection', '', null],
    ['problems', '', null],
    ['terminal', '', null],
  ]);
});

test('what only looks like one is none, and one said twice is one', () => {
  assert.deepEqual(
    read('me@file:a @files:a @selections @selection: @file: @other x@problems @file:"" @selection-2'),
    [],
  );
  assert.equal(read('@file:a.ts @file:a.ts').length, 1);
});

test('a name is written so that it is read back', () => {
  for (const name of [
    'src/a.ts',
    'my notes.md',
    'odd.',
    'a,b.ts',
    'src/[id]/page.ts',
    '(group)/x.ts',
    'x)',
    'README',
  ]) {
    assert.deepEqual(read(`see ${mentionWord({ kind: 'file', name })}, please`), [['file', name, null]], name);
  }
});

const holding = (texts: Readonly<Record<string, string>>): Parameters<typeof attach>[1] => ({
  resolve: async ({ word }) => {
    const body = texts[word];
    return body === undefined
      ? { ok: false, head: 'There is none.', body: '' }
      : { ok: true, head: `head of ${word}`, body };
  },
});

test('what cannot be had is said beside the message, and the rest is attached', async () => {
  const all = await attach('@file:a @file:b', holding({ '@file:a': 'text' }), counter, 1000, signal);
  assert.deepEqual(
    all.map(({ attachment, shown: { problem, tokens } }) => [attachment.head, attachment.body, problem, tokens]),
    [
      ['head of @file:a', 'text', '', Math.ceil(16 / 4) + Math.ceil(6 / 4)],
      ['@file:b is not attached: There is none.', '', 'There is none.', Math.ceil(40 / 4)],
    ],
  );
});

test('one larger than 0.3 of high water keeps head and tail, and says what is missing', async () => {
  const lines = Array.from({ length: 500 }, (_, i) => `line ${i + 1} of the file`);
  const [one] = await attach('@file:a', holding({ '@file:a': lines.join('\n') }), counter, 1000, signal);
  assert.ok(one?.shown.cut && one.shown.tokens <= 300 && one.shown.tokens > 200);
  const kept = one.attachment.body.split('\n');
  assert.deepEqual([kept[0], kept.at(-1)], [lines[0], lines.at(-1)]);
  const at = kept.findIndex((line) => line.startsWith('['));
  const gone = `[lines ${at + 1} to ${500 - (kept.length - at - 1)} are left out here: all of it would take too much of the window]`;
  assert.equal(kept[at], gone);
  assert.match(one.shown.title, new RegExp(`: the first ${at} and the last ${kept.length - at - 1} of 500 lines$`));
  const [long] = await attach('@file:a', holding({ '@file:a': 'x'.repeat(9000) }), counter, 1000, signal);
  assert.ok(long !== undefined && long.shown.tokens <= 300);
  assert.match(long.attachment.body, /^x+\n\[\d+ of 9000 characters are left out here[^\n]+\nx+$/);
});

test('of a file that is far too large some lines stay all the same, and where not even those fit it is said', async () => {
  const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i + 1} of the file`);
  const [one] = await attach('@file:a', holding({ '@file:a': lines.join('\n') }), counter, 4000, signal);
  const kept = one?.attachment.body.split('\n') ?? [];
  assert.ok(kept.length > 50 && kept[0] === lines[0] && kept.at(-1) === lines.at(-1), `${kept.length}`);
  const [none] = await attach('@file:a', holding({ '@file:a': lines.join('\n') }), counter, 60, signal);
  assert.deepEqual([none?.attachment.body, none?.shown.problem], ['', 'Nothing of it fits into the window.']);
});

test('a turn takes what its message mentions into the prompt once, and the words stay', async () => {
  const scene = openScene(['answer', 'second']);
  scene.editor.resolve = holding({ '@file:a.ts': 'const unmistakable = 1;' }).resolve;
  await scene.say('What is @file:a.ts?');
  assert.equal(scene.sent().split('const unmistakable').length - 1, 1);
  assert.ok(scene.sent().includes('What is @file:a.ts?'));
  await scene.say('And now?');
  assert.equal(scene.sent().split('const unmistakable').length - 1, 1);
  assert.match(await scene.ask('/context list'), /head of @file:a\.ts/);
});

test('what is attached is not looked up as well', async () => {
  const scene = openScene(['answer', 'answer']);
  scene.agent({ retrieval: defaultRetrieval });
  scene.editor.resolve = holding({ '@file:`a`': 'text', '@file:b': 'text' }).resolve;
  await scene.say('What is @file:`a` ?');
  assert.ok(!scene.sent().includes('known'));
  await scene.say('What is `a` in @file:b?');
  assert.ok(scene.sent().includes('known'));
});

test('asked again, a message has beside it what it had, so that two answers to one prompt can be compared', async () => {
  const scene = openScene(['answer', 'again']);
  scene.editor.resolve = holding({ '@file:a.ts': 'old text' }).resolve;
  await scene.say('What is @file:a.ts?');
  scene.editor.resolve = holding({ '@file:a.ts': 'new text' }).resolve;
  await scene.regenerate();
  assert.ok(scene.sent().includes('old text') && !scene.sent().includes('new text'));
});

async function sandbox() {
  const path = temporary('tidemark-mentions-');
  const outside = temporary('tidemark-outside-');
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await mkdir(join(path, 'src', 'deep'), { recursive: true });
  await mkdir(join(path, '.tidemark', 'prompts'), { recursive: true });
  await writeFile(join(path, 'src', 'a.ts'), 'one\ntwo\nthree\n');
  await writeFile(join(path, 'src', 'deep', 'b.ts'), 'deep\n');
  await writeFile(join(path, 'bin'), Buffer.from([0, 1, 2]));
  await writeFile(join(path, '.tidemark', 'prompts', 'tide.md'), 'Look at {{arguments}}.');
  await symlink(join(outside, 'secret.txt'), join(path, '.tidemark', 'prompts', 'secret.md'));
  await symlink(outside, join(path, 'src', 'link'));
  await symlink(join(outside, 'secret.txt'), join(path, 'src', 'link.txt'));
  const unsaved = [{ path: join(path, 'src', 'deep', 'b.ts'), text: 'unsaved\nwords\n' }];
  return { path, outside, workspace: { folders: [{ name: 'a', path }], unsaved: () => unsaved } };
}

test('a file is read whole, in part, and as it is before it is saved', async () => {
  const { workspace } = await sandbox();
  const of = async (name: string, lines: { first: number; last: number } | null = null) => {
    const { ok, head, body } = await fileText(workspace, { name, lines }, signal);
    return [ok, head, body];
  };
  assert.deepEqual(await of('src/a.ts'), [true, 'src/a.ts (3 lines)', 'one\ntwo\nthree']);
  assert.deepEqual(await of('src/a.ts', { first: 2, last: 9 }), [true, 'src/a.ts (lines 2-3 of 3)', 'two\nthree']);
  assert.deepEqual(await of('src/deep/b.ts'), [true, 'src/deep/b.ts (2 lines, not saved yet)', 'unsaved\nwords']);
  assert.deepEqual(await of('src/a.ts', { first: 7, last: 9 }), [
    false,
    'src/a.ts has 3 lines; line 7 is past its end.',
    '',
  ]);
  assert.deepEqual(await of('bin'), [false, 'bin is a binary file.', '']);
  assert.deepEqual(await of('src'), [false, 'src is a folder: write @folder: in front of it.', '']);
  assert.match(String((await of('no.ts'))[1]), /There is no "no.ts" in the workspace/);
});

test('beside a message a large file has its beginning and its end, and the numbers of its first and last line', async () => {
  const { path, workspace } = await sandbox();
  const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i + 1} of the file`);
  await writeFile(join(path, 'huge.txt'), lines.join('\n'));
  const of = (range: { first: number; last: number } | null) =>
    attachedFile(workspace, { name: 'huge.txt', lines: range }, signal);
  const whole = await of(null);
  const span = { first: 1, last: 60_000, behind: 400 };
  assert.deepEqual([whole.head, whole.span], ['huge.txt (60000 lines)', span]);
  assert.match(whole.body, /\n\[lines \d+ to 59600 are left out here[^\n]*\]\nline 59601 of/);
  assert.ok(whole.body.startsWith('line 1 of') && whole.body.endsWith('line 60000 of the file'));
  const part = await of({ first: 100, last: 50_000 });
  assert.deepEqual(
    [part.head, part.span],
    ['huge.txt (lines 100-50000 of 60000)', { first: 100, last: 50_000, behind: 400 }],
  );
  assert.ok(part.body.startsWith('line 100 of') && part.body.endsWith('line 50000 of the file'));
  const [large] = await attach('@file:huge.txt', { resolve: async () => whole }, counter, 130_000, signal);
  assert.match(large?.attachment.body ?? '', /lines \d+ to 59600 are left out here[^\n]*\]\nline 59601 of/);
  const [one] = await attach('@file:huge.txt', { resolve: async () => whole }, counter, 4000, signal);
  const at = one?.attachment.body.split('\n').findIndex((line) => line.startsWith('[lines')) ?? 0;
  assert.match(one?.attachment.body ?? '', new RegExp(`\\[lines ${at + 1} to 59\\d{3} are left out here`));
});

test('nothing outside the workspace is read, also not through a link', async () => {
  const { path, outside, workspace } = await sandbox();
  for (const name of ['src/link/secret.txt', 'src/link.txt', '../secret.txt', join(outside, 'secret.txt')]) {
    const found = await fileText(workspace, { name, lines: null }, signal);
    assert.ok(!found.ok && !found.body.includes('secret'), name);
  }
  assert.equal((await folderText(workspace, 'src/link', signal)).ok, false);
  const whole = await folderText(workspace, 'src', signal);
  assert.ok(!whole.body.includes('secret'), whole.body);
  assert.deepEqual(await filesIn(workspace, '.tidemark/prompts', '.md', signal), [
    { name: 'tide', text: 'Look at {{arguments}}.' },
  ]);
  assert.equal(await mentionAt(workspace, join(outside, 'secret.txt')), null);
  assert.deepEqual(await mentionAt(workspace, `file://${path}/src/a.ts`), { kind: 'file', name: 'src/a.ts' });
  assert.deepEqual(await mentionAt(workspace, `vscode-remote://host:1${path}/src`), { kind: 'folder', name: 'src' });
});

test('a folder is its files and how they begin, and the names of files put the open ones first', async () => {
  const { path, workspace } = await sandbox();
  const { head, body } = await folderText(workspace, 'src', signal);
  assert.equal(head, 'src/ (2 files, and how they begin)');
  assert.equal(body, 'a.ts\ndeep/b.ts\n\na.ts begins:\none\ntwo\nthree\n\ndeep/b.ts begins:\nunsaved\nwords');
  const names = new FileNames(workspace, () => [join(path, 'src', 'deep', 'b.ts'), '/elsewhere/x.ts']);
  assert.deepEqual(await names.files(), ['src/deep/b.ts', 'bin', 'src/a.ts']);
  assert.deepEqual(await names.folders(), ['src', 'src/deep']);
});

test('without a language server a symbol reaches as far as its indentation says', () => {
  const lines = ['export function a(', '  x: number,', ') {', '  if (x) {', '    y();', '  }', '}', '', 'const z = 1;'];
  assert.deepEqual(blockAt(lines, 1), { from: 1, to: 7 });
  assert.deepEqual(blockAt(lines, 9), { from: 9, to: 9 });
  assert.deepEqual(blockAt(['def a():', '    x', '', '    y', '', 'def b():', '    z'], 1), { from: 1, to: 4 });
});

test('the output of a terminal is plain text', () => {
  const raw = '\x1b]633;C\x07\x1b[1;31mFAIL\x1b[0m a.ts\r\n10 %\r50 %\r100 %\r\ndone\x07\r\n';
  assert.equal(plainOutput(raw, 1000), 'FAIL a.ts\n100 %\ndone');
  assert.equal(plainOutput('first\nsecond\nthird', 8), '[the beginning is left out]\nthird');
});
