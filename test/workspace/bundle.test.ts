// The bundle: which files are in it, in which order, and how they are cut.

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { emptyBundle } from '../../src/core/prompt/bundle.ts';
import { createBundle, defaultFiles, mayChangeBundle } from '../../src/workspace/bundle.ts';
import { makeFolder, openFolder } from '../tools/sandbox.ts';
import { aborted, bundleOf, countBy, namesOf, tokensOf } from './scene.ts';

const lines = (count: number, line = 'The tide rises twice a day.'): string =>
  Array.from({ length: count }, (_, index) => `${index + 1} ${line}`).join('\n');

test('the instructions come first, then the README, then the notes by name, each under its path', async (t) => {
  const root = makeFolder(t, {
    '.tidemark/b.md': 'note b',
    '.tidemark/a.md': 'note a',
    '.tidemark/c.txt': 'no note',
    'README.md': '# Tides\n\nText.\n\n',
    'CLAUDE.md': 'for Claude',
    'AGENTS.md': 'for all',
    '.github/copilot-instructions.md': 'for Copilot',
    'NOTES.md': 'not asked for',
  });
  const bundle = await bundleOf(openFolder(root));
  assert.deepEqual(namesOf(bundle), [
    'AGENTS.md',
    'CLAUDE.md',
    '.github/copilot-instructions.md',
    'README.md',
    '.tidemark/a.md',
    '.tidemark/b.md',
  ]);
  assert.equal(bundle.parts[0]?.text, '# AGENTS.md\nfor all');
  assert.equal(bundle.parts[3]?.text, '# README.md\n# Tides\n\nText.');
  assert.equal(bundle.exact, true);
});

test('tokens are counted of the whole file and of what is injected', async (t) => {
  const root = makeFolder(t, { 'AGENTS.md': 'x'.repeat(400) });
  const [part] = (await bundleOf(openFolder(root))).parts;
  assert.equal(part?.raw, 100);
  assert.equal(part?.injected, tokensOf(part?.text ?? ''));
});

test('pictures and badges of a Markdown file go before it is cut, and count in what it was', async (t) => {
  const logo = '<p align="center"><img src="logo.png" alt="A long logo"></p>\n';
  const root = makeFolder(t, { 'README.md': `${logo.repeat(40)}# Tides\n\nText.`, 'AGENTS.md': '`<img>` stays.' });
  const [agents, readme] = (await bundleOf(openFolder(root))).parts;
  assert.equal(agents?.text, '# AGENTS.md\n`<img>` stays.');
  assert.equal(readme?.text, '# README.md\n# Tides\n\nText.');
  assert.ok((readme?.raw ?? 0) > 500 && (readme?.injected ?? 0) < 20);
});

test('one README is taken, however it is spelled, and is named as the folder spells it', async (t) => {
  const both = makeFolder(t, { 'README.txt': 'plain', 'README.md': 'marked' });
  assert.deepEqual(namesOf(await bundleOf(openFolder(both))), ['README.md']);
  const plain = makeFolder(t, { README: 'plain' });
  assert.deepEqual(namesOf(await bundleOf(openFolder(plain))), ['README']);
  const small = makeFolder(t, { 'Readme.rst': 'small', 'agents.md': 'rules' });
  assert.deepEqual(namesOf(await bundleOf(openFolder(small))), ['agents.md', 'Readme.rst']);
});

test('a copy of AGENTS.md under another name is injected once', async (t) => {
  const root = makeFolder(t, { 'AGENTS.md': 'rules\n', 'CLAUDE.md': 'rules\r\n\r\n' });
  assert.deepEqual(namesOf(await bundleOf(openFolder(root))), ['AGENTS.md']);
});

test('a link to AGENTS.md is injected once', async (t) => {
  const root = makeFolder(t, { 'AGENTS.md': 'rules\n' });
  symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'));
  assert.deepEqual(namesOf(await bundleOf(openFolder(root))), ['AGENTS.md']);
});

test('a file or folder that is a link out of the workspace stays out', async (t) => {
  const root = makeFolder(t, { 'private/key.md': 'secret', 'app/README.md': 'hello' });
  symlinkSync(join(root, 'private/key.md'), join(root, 'app/AGENTS.md'));
  symlinkSync(join(root, 'private'), join(root, 'app/.tidemark'));
  symlinkSync(join(root, 'none.md'), join(root, 'app/CLAUDE.md'));
  const files = [...defaultFiles, '../private/key.md', '../private/*.md', join(root, 'private/key.md')];
  const bundle = await bundleOf(openFolder(join(root, 'app')), { files });
  assert.deepEqual(namesOf(bundle), ['README.md']);
});

test('what is no text, no file, empty, or written as any other pattern is skipped', async (t) => {
  const root = makeFolder(t, {
    'README.md': Buffer.from('\u0000PNG'),
    'AGENTS.md': ' \n\n',
    'CLAUDE.md/a.md': 'a folder',
    'docs/x.md': 'x',
  });
  const files = [...defaultFiles, 'docs/x*.md', '*/x.md', '**/*.md', '', '.', 'docs', 'none.md'];
  assert.deepEqual(await bundleOf(openFolder(root), { files }), emptyBundle);
});

test('an empty folder and no folder give the empty bundle', async (t) => {
  const workspace = openFolder(makeFolder(t, {}));
  assert.deepEqual(await bundleOf(workspace, { overview: true }), emptyBundle);
  assert.deepEqual(await bundleOf({ folders: [], unsaved: () => [] }, { overview: true }), emptyBundle);
});

test('line breaks become one kind, and a byte order mark goes', async (t) => {
  const root = makeFolder(t, { 'AGENTS.md': '\uFEFFone\r\ntwo\rthree\r\n' });
  assert.equal((await bundleOf(openFolder(root))).parts[0]?.text, '# AGENTS.md\none\ntwo\nthree');
});

test('the unsaved buffer is injected in place of the disk, also where the disk has no such file', async (t) => {
  const root = makeFolder(t, { 'AGENTS.md': 'old' });
  const unsaved = () => [
    { path: join(root, 'AGENTS.md'), text: 'new\r\n' },
    { path: join(root, 'CLAUDE.md'), text: 'only here' },
  ];
  const { parts } = await bundleOf(openFolder(root, { unsaved }));
  assert.deepEqual(
    parts.map(({ text }) => text),
    ['# AGENTS.md\nnew', '# CLAUDE.md\nonly here'],
  );
});

test('files of several folders have the folder in their name, the instructions of all before any README', async (t) => {
  const root = makeFolder(t, { 'a/AGENTS.md': 'rules of a', 'a/README.md': 'a', 'b/AGENTS.md': 'rules of b' });
  const folders = ['a', 'b'].map((name) => ({ name, path: join(root, name) }));
  const bundle = await bundleOf({ folders, unsaved: () => [] });
  assert.deepEqual(namesOf(bundle), ['a/AGENTS.md', 'b/AGENTS.md', 'a/README.md']);
  assert.equal(bundle.parts[1]?.text, '# b/AGENTS.md\nrules of b');
});

test('a file over its cap is cut at a line, and its last line says how much went', async (t) => {
  const root = makeFolder(t, { 'README.md': lines(200) });
  const counter = countBy();
  const [part] = (await bundleOf(openFolder(root), { fileMaxTokens: 300 }, counter)).parts;
  const kept = (part?.text ?? '').split('\n').slice(1, -1);
  assert.deepEqual(kept, lines(200).split('\n').slice(0, kept.length));
  assert.equal(part?.text.split('\n').at(-1), `[cut: ${200 - kept.length} of 200 lines]`);
  assert.equal(part?.injected, tokensOf(part?.text ?? ''));
  assert.ok((part?.injected ?? 0) <= 300 && (part?.injected ?? 0) > 270, String(part?.injected));
  assert.equal(part?.raw, tokensOf(lines(200)));
  assert.ok(counter.texts.length <= 4, String(counter.texts.length));
});

test('files share the budget of all; what has no space is listed without a text', async (t) => {
  const root = makeFolder(t, {
    'AGENTS.md': lines(20),
    'CLAUDE.md': lines(40, 'Ebb.'),
    'README.md': lines(5, 'Flow.'),
  });
  const { parts } = await bundleOf(openFolder(root), { maxTokens: tokensOf(lines(20)) + 40 });
  assert.deepEqual(
    parts.map(({ name, injected }) => [name, injected > 0]),
    [
      ['AGENTS.md', true],
      ['CLAUDE.md', true],
      ['README.md', false],
    ],
  );
  assert.match(parts[1]?.text ?? '', /^# CLAUDE\.md\n1 Ebb\.\n[\s\S]*\[cut: \d+ of 40 lines\]$/);
  assert.deepEqual(parts[2], { name: 'README.md', text: '', raw: tokensOf(lines(5, 'Flow.')), injected: 0 });
  assert.ok(parts.reduce((sum, { injected }) => sum + injected, 0) <= tokensOf(lines(20)) + 40);
});

test('a file whose first line alone is too long is listed without a text', async (t) => {
  const root = makeFolder(t, { 'AGENTS.md': 'x'.repeat(9000) });
  const [part] = (await bundleOf(openFolder(root), { fileMaxTokens: 100 })).parts;
  assert.deepEqual(part, { name: 'AGENTS.md', text: '', raw: 2250, injected: 0 });
});

test('no budget lists every file without a text', async (t) => {
  const root = makeFolder(t, { 'AGENTS.md': 'rules', 'a.ts': 'export function tide() {\n' });
  const { parts } = await bundleOf(openFolder(root), { maxTokens: 0, overview: true });
  assert.deepEqual(
    parts.map(({ name, text, injected }) => [name, text, injected]),
    [
      ['AGENTS.md', '', 0],
      ['overview', '', 0],
    ],
  );
});

test('of a huge README 256 kB are read, and the cut does not claim to know its length', async (t) => {
  const root = makeFolder(t, { 'README.md': `${'é'.repeat(49)}\n`.repeat(40_000) });
  const counter = countBy();
  const [part] = (await bundleOf(openFolder(root), {}, counter)).parts;
  assert.ok(counter.texts.every((text) => Buffer.byteLength(text) <= 256 * 1024));
  assert.match(part?.text ?? '', /\n\[cut: the rest of more than 2647 lines\]$/);
  assert.ok(!part?.text.includes('\uFFFD'));
  assert.ok((part?.injected ?? 0) <= 1000 && (part?.injected ?? 0) > 900);
});

test('a text that is dense where it begins is cut as often as it takes, in a few counts', async (t) => {
  const dense = (text: string): number => [...text].reduce((sum, char) => sum + (char > '\u2fff' ? 2 : 0.2), 0);
  const text = `${'潮は一日に二度満ちる。\n'.repeat(60)}${lines(600)}`;
  const root = makeFolder(t, { 'README.md': text });
  const counter = countBy((part) => Math.ceil(dense(part)));
  const [part] = (await bundleOf(openFolder(root), { fileMaxTokens: 400 }, counter)).parts;
  assert.match(part?.text ?? '', /^# README\.md\n(潮は一日に二度満ちる。\n){10,}\[cut: \d+ of 660 lines\]$/);
  assert.ok((part?.injected ?? 0) <= 400);
  assert.ok(counter.texts.length <= 6, String(counter.texts.length));
});

test('a bundle is exact only where every count was', async (t) => {
  const root = makeFolder(t, { 'AGENTS.md': 'rules' });
  assert.equal((await bundleOf(openFolder(root), {}, countBy(tokensOf, false))).exact, false);
});

test('the key is that of the texts: the same again, and another after a change of one letter', async (t) => {
  const root = makeFolder(t, { 'AGENTS.md': 'rules' });
  const copy = makeFolder(t, { 'AGENTS.md': 'rules\n' });
  const other = makeFolder(t, { 'AGENTS.md': 'rule' });
  const keys = await Promise.all([root, root, copy, other].map(async (path) => (await bundleOf(openFolder(path))).key));
  assert.match(keys[0] ?? '', /^[0-9a-f]{16}$/);
  assert.deepEqual([keys[1], keys[2]], [keys[0], keys[0]]);
  assert.notEqual(keys[3], keys[0]);
});

const sample = fileURLToPath(new URL('../fixtures/sample', import.meta.url));

test('the overview comes last and names fewer entities where space is short', async () => {
  const whole = await bundleOf(openFolder(sample), { overview: true });
  assert.deepEqual(namesOf(whole), ['AGENTS.md', 'README.md', 'overview']);
  const text = whole.parts.at(-1)?.text ?? '';
  assert.match(text, /^# overview\nMain entities: parseDuration \(src\/duration\.ts:14\), /);
  const short = await bundleOf(openFolder(sample), { files: [], overview: true, maxTokens: 60 });
  const cut = short.parts[0];
  assert.ok((cut?.injected ?? 0) > 30 && (cut?.injected ?? 0) <= 60);
  assert.ok(text.startsWith(cut?.text ?? 'x'));
  assert.match(cut?.text ?? '', /\)$/);
  assert.equal(cut?.raw, whole.parts.at(-1)?.raw);
});

test('the map names fewer files where it has fewer tokens', async () => {
  const files = Array.from({ length: 40 }, (_, at) => ({
    path: `src/file${at}.ts`,
    names: [`name${at}`, `other${at}`],
  }));
  const bundle = await bundleOf(openFolder(sample), { files: [], overview: true, map: { files, maxTokens: 50 } });
  assert.deepEqual(namesOf(bundle), ['map']);
  const [part] = bundle.parts;
  assert.ok(part !== undefined && part.injected <= 50 && part.raw > 50);
  assert.match(part.text, /^# map\nMost used declarations:\nsrc\/file0\.ts: name0, other0\n/);
});

test('an aborted creation rejects and counts nothing more', async () => {
  const counter = countBy();
  const request = { files: defaultFiles, overview: true, map: null, maxTokens: 100, fileMaxTokens: 100 };
  await assert.rejects(createBundle(openFolder(sample), request, counter, aborted), /stopped/);
  assert.deepEqual(counter.texts, []);
});

test('a folder of very many notes does not make the bundle endless', async (t) => {
  const notes = Array.from({ length: 100 }, (_, index) => [`notes/${index + 100}.md`, `note ${index}`]);
  const root = makeFolder(t, Object.fromEntries(notes));
  assert.equal((await bundleOf(openFolder(root), { files: ['notes/*.md'] })).parts.length, 64);
});

test('a change matters where it is of an injected file or, with the overview, of any source file', () => {
  const workspace = openFolder('/w/app');
  const matters = (path: string, overview: boolean): boolean =>
    mayChangeBundle(workspace, { files: [...defaultFiles, 'docs/guide.md'], overview }, path);
  for (const path of ['AGENTS.md', 'readme.RST', '.tidemark/new.md', 'docs/guide.md']) {
    assert.ok(matters(`/w/app/${path}`, false), path);
  }
  for (const path of ['src/a.ts', 'docs/AGENTS.md', '.tidemark/a/b.md', 'docs/other.md', '../AGENTS.md']) {
    assert.ok(!matters(join('/w/app', path), false), path);
  }
  assert.ok(matters('/w/app/src/a.ts', true));
  for (const path of ['dist/a.js', 'node_modules/x/a.js', 'a.test.ts', 'a.png', '../a.ts', 'a.d.ts']) {
    assert.ok(!matters(join('/w/app', path), true), path);
  }
});

test('an estimate that cuts elsewhere is no change of the workspace', async (t) => {
  const root = makeFolder(t, { 'AGENTS.md': lines(200) });
  const request = { files: defaultFiles, overview: false, map: null, maxTokens: 300, fileMaxTokens: 300 };
  const counted = (size: number) => ({
    count: async (texts: readonly string[]) => ({
      tokens: texts.map(({ length }) => Math.ceil(length / size)),
      exact: size === 4,
    }),
  });
  const { signal } = new AbortController();
  const [exact, estimated] = await Promise.all(
    [4, 3].map((size) => createBundle(openFolder(root), request, counted(size), signal)),
  );
  assert.notEqual(estimated?.parts[0]?.text, exact?.parts[0]?.text);
  assert.equal(estimated?.key, exact?.key);
});
