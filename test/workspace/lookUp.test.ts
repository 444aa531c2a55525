// Knowledge for a message: what its names and paths bring, and what brings nothing.

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { retrieve } from '../../lab/training/texts/lookUp.ts';
import { makeFolder, openFolder } from '../tools/sandbox.ts';
import { aborted, countBy, signal, tokensOf } from './scene.ts';

const sample = openFolder(fileURLToPath(new URL('../fixtures/sample', import.meta.url)));
const ask = (text: string, workspace = sample, maxTokens = 1000): Promise<string> =>
  retrieve(workspace, text, { maxTokens }, countBy(), signal);

const parse = 'src/duration.ts:14: export function parseDuration(text: string): number {';
const reportText = 'src/report.ts: Declares: report (line 17), riseBetween (line 30), ReportOptions (line 8), ';

test('a name in backticks brings the line that declares it', async () => {
  assert.equal(await ask('What does `parseDuration` return?'), parse);
  assert.equal(await ask('`Duration.parseDuration("1h")` or `parseDuration()`'), parse);
});

test('a path alone brings what it declares', async () => {
  for (const text of ['Explain src/report.ts.', 'see `src/report.ts`, please', '(src/report.ts)', './src/report.ts:']) {
    assert.ok((await ask(text)).startsWith(reportText), text);
  }
});

test('a path with a line brings five lines around it, indented as they are', async () => {
  const lines = (await ask('error at src/duration.ts:15:7: not a duration')).split('\n');
  assert.equal(lines.length, 5);
  assert.equal(lines[1], parse);
  assert.match(lines[2] ?? '', /^src\/duration\.ts:15: {3}if \(!/);
  assert.equal((await ask('src/duration.ts:1')).split('\n').length, 3);
});

test('a path is found between words without spaces', async () => {
  assert.ok((await ask('请解释src/report.ts的内容')).startsWith(reportText));
});

test('mentions stand in their order, none twice, at most five', async () => {
  const both = await ask('Look at src/report.ts, then `parseDuration`, `parseDuration` and src/report.ts');
  assert.deepEqual(
    both.split('\n').map((line) => line.slice(0, 20)),
    [reportText.slice(0, 20), parse.slice(0, 20)],
  );
  const names = ['forecast', 'findTurns', 'heightAt', 'formatDuration', 'findStation', 'parseDuration'];
  const lines = (await ask(names.map((name) => `\`${name}\``).join(' '))).split('\n');
  assert.equal(lines.length, 5);
  assert.ok(!lines.includes(parse));
});

test('a name brings three declarations at most', async (t) => {
  const files = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.ts`, 'export function tide() {\n']));
  const lines = await ask('`tide`', openFolder(makeFolder(t, files)));
  assert.deepEqual(
    lines.split('\n'),
    ['a', 'b', 'c'].map((name) => `${name}.ts:1: export function tide() {`),
  );
});

test('what is unknown, outside, no name or nothing brings nothing', async () => {
  for (const text of [
    '',
    'hello there, what can you do?',
    'parseDuration without backticks',
    '`noSuchName` and src/none.ts:12',
    '`npm test` and `--flag` and ``',
    '```\nparseDuration\n```',
    'https://example.com/src/duration.ts',
    '/etc/passwd:1 and ../../../etc/passwd',
    'and/or e.g. 3.14 src/ src',
    'src/duration.ts:9999',
    '`duration.ts`',
    'README.md',
    '\0 `\0` a\0.ts',
  ]) {
    assert.equal(await ask(text), '', text);
  }
});

test('a link out of the workspace and a binary file bring nothing', async (t) => {
  const root = makeFolder(t, { 'key.ts': 'export const secret = 1;\n', 'app/b.ts': '\0export const x = 1;\n' });
  symlinkSync(join(root, 'key.ts'), join(root, 'app/key.ts'));
  assert.equal(await ask('key.ts key.ts:1 b.ts b.ts:1', openFolder(join(root, 'app'))), '');
});

test('unsaved buffers are read in place of the disk', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'export const oldTide = 1;\n' });
  const unsaved = () => [{ path: join(root, 'a.ts'), text: '\nexport function newTide() {\n' }];
  const workspace = openFolder(root, { unsaved });
  assert.equal(await ask('`newTide`', workspace), 'a.ts:2: export function newTide() {');
  assert.equal(await ask('a.ts', workspace), 'a.ts: Declares: newTide (line 2)');
  assert.match(await ask('a.ts:2', workspace), /^a\.ts:2: export function newTide\(\) \{$/m);
});

test('whole lines are cut to the tokens there are', async () => {
  const all = await ask('src/duration.ts:15 src/report.ts');
  const cut = await ask('src/duration.ts:15 src/report.ts', sample, 40);
  assert.ok(cut !== '' && tokensOf(cut) <= 40 && all.startsWith(`${cut}\n`), cut);
  assert.equal(await ask('`parseDuration`', sample, 3), '');
  assert.equal(await ask('`parseDuration`', sample, 0), '');
});

test('a huge message is read from its start and brings what stands there', async () => {
  const noise = 'a/b.c '.repeat(200_000);
  assert.equal(await ask(`\`parseDuration\` ${noise} src/report.ts`), parse);
});

test('it never rejects: aborted, without a folder, or with a counter that fails', async () => {
  assert.equal(await retrieve(sample, '`parseDuration`', { maxTokens: 100 }, countBy(), aborted), '');
  assert.equal(await ask('`parseDuration` src/a.ts', { folders: [], unsaved: () => [] }), '');
  const broken = { count: () => Promise.reject(new Error('gone')) };
  assert.equal(await retrieve(sample, '`parseDuration`', { maxTokens: 100 }, broken, signal), '');
});
