// The edit calls of one answer: in their order, all or none per file, against what the conversation saw.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ToolCall } from '../../src/core/dialog/dialog.ts';
import { type Seen, stage } from '../../src/edits/calls/stage.ts';
import { diskFiles } from '../../src/edits/files/diskFiles.ts';
import { createEditTools } from '../../src/edits/tools.ts';
import { sha256Of } from '../../src/tools/files/hash.ts';
import { makeFolder, openFolder } from '../tools/sandbox.ts';

const call = (name: string, given: Readonly<Record<string, unknown>>, id = '1'): ToolCall => ({
  id,
  name,
  arguments: given,
});
const edit = (path: string, old: string, put: string, id = '1') => call('edit_file', { path, old, new: put }, id);

async function apply(root: string, calls: readonly ToolCall[], seen: Seen | null = null) {
  const units = await stage(calls, { workspace: openFolder(root), files: diskFiles, seen });
  for (const { changes } of units) await diskFiles.change(changes);
  return units;
}
const words = (units: Awaited<ReturnType<typeof apply>>) =>
  units.flatMap(({ calls }) =>
    calls.map(({ outcome }) => [outcome.words, outcome.ok ? '' : outcome.lead].filter(Boolean).join(' ')),
  );

test('edits of one file come in their order, and none is made where one fails; other files go their own way', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'one\ntwo\nthree\n', 'b.ts': 'four\n' });
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  await apply(root, [
    edit('a.ts', 'one', 'ONE', '1'),
    edit('b.ts', 'four', 'FOUR', '2'),
    edit('a.ts', 'ONE\ntwo', 'ONE\nTWO', '3'),
  ]);
  assert.deepEqual([read('a.ts'), read('b.ts')], ['ONE\nTWO\nthree\n', 'FOUR\n']);
  const units = await apply(root, [
    edit('a.ts', 'three', '3', '1'),
    edit('b.ts', 'FOUR', '4', '2'),
    edit('a.ts', 'nowhere at all', 'x', '3'),
  ]);
  assert.deepEqual([read('a.ts'), read('b.ts')], ['ONE\nTWO\nthree\n', '4\n']);
  assert.match(words(units).join('\n'), /Not made: edit 2 of a\.ts in this answer failed[\s\S]*nowhere in a\.ts/);
});

test('an edit that leaves its file as it is keeps the others from nothing, and alone it is told', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n' });
  const block = (code: string, id: string) => call('apply_block', { path: 'a.ts', is: 'code', code }, id);
  const same = block('function two() {\n  return 2;\n}\n', '1');
  const other = block('function one() {\n  return 11;\n}\n', '2');
  const [tool] = createEditTools({ workspace: openFolder(root), files: diskFiles });
  const known = { seen: new Map(), failed: new Map(), beside: [], message: '', days: [] };
  const [planned] =
    tool?.effect === 'write' ? await tool.deeds.plan([same, other], known, { message: '', hasOthers: false }) : [];
  assert.ok(planned !== undefined && 'run' in planned);
  const units = await apply(root, [same, other]);
  assert.deepEqual(words(units), ['a.ts has this code already.', 'Changed a.ts, lines 1-3.']);
  assert.match(readFileSync(join(root, 'a.ts'), 'utf8'), /return 11;/);
  const alone = await apply(root, [same]);
  assert.deepEqual([words(alone), alone.flatMap(({ changes }) => changes)], [['a.ts has this code already.'], []]);
});

test('a new file is made with its folders, a moved one keeps its bytes and mode, a deleted one is gone', async (t) => {
  const root = makeFolder(t, { 'run.sh': '#!/bin/sh\necho a\n', 'old.ts': 'x\n' });
  chmodSync(join(root, 'run.sh'), 0o755);
  await apply(root, [
    call('write_file', { path: 'deep/er/new.ts', content: 'new\n' }, '1'),
    call('move_file', { path: 'run.sh', to: 'bin/go.sh' }, '2'),
    edit('bin/go.sh', 'echo a', 'echo b', '3'),
    call('delete_file', { path: 'old.ts' }, '4'),
  ]);
  assert.equal(readFileSync(join(root, 'deep/er/new.ts'), 'utf8'), 'new\n');
  assert.equal(readFileSync(join(root, 'bin/go.sh'), 'utf8'), '#!/bin/sh\necho b\n');
  assert.equal(statSync(join(root, 'bin/go.sh')).mode & 0o777, 0o755);
  assert.deepEqual([existsSync(join(root, 'run.sh')), existsSync(join(root, 'old.ts'))], [false, false]);
});

test('nothing outside of the folder is touched, also not by a link, and nothing over what is there', async (t) => {
  const outside = makeFolder(t, { 'secret.txt': 'secret\n' });
  const root = makeFolder(t, { 'a.ts': 'a\n', 'b.ts': 'b\n' });
  symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'));
  symlinkSync(outside, join(root, 'out'));
  const units = await apply(root, [
    edit('link.txt', 'secret', 'known', '1'),
    call('write_file', { path: 'out/new.txt', content: 'x' }, '2'),
    call('write_file', { path: '../new.txt', content: 'x' }, '3'),
    call('move_file', { path: 'a.ts', to: 'b.ts' }, '4'),
    edit('', 'a', 'b', '5'),
    call('edit_file', { path: 'a.ts', old: 'a' }, '6'),
  ]);
  assert.deepEqual(
    units.flatMap(({ calls }) => calls.map(({ outcome }) => outcome.ok)),
    [false, false, false, false, false, false],
  );
  assert.equal(readFileSync(join(outside, 'secret.txt'), 'utf8'), 'secret\n');
  assert.ok(!existsSync(join(outside, 'new.txt')));
  assert.match(words(units).join('\n'), /b\.ts is there already[\s\S]*"path" is missing[\s\S]*"new" is missing/);
});

test('bytes that are no change stay: marks, UTF-16, line ends; what is no text or read-only is left alone', async (t) => {
  const root = makeFolder(t, { 'dos.ts': '\uFEFFa\r\nb\r\n', 'bin.dat': 'x', 'lock.ts': 'a\n' });
  writeFileSync(join(root, 'wide.txt'), Buffer.from('\uFEFFone\r\ntwo\r\n', 'utf16le'));
  writeFileSync(join(root, 'bin.dat'), Buffer.from([0xff, 0x00, 0x31]));
  chmodSync(join(root, 'lock.ts'), 0o444);
  const units = await apply(root, [
    edit('dos.ts', 'a\nb', 'a\nc\nb', '1'),
    edit('wide.txt', 'two', 'three', '2'),
    edit('bin.dat', '1', '2', '3'),
    edit('lock.ts', 'a', 'b', '4'),
  ]);
  assert.equal(readFileSync(join(root, 'dos.ts'), 'utf8'), '\uFEFFa\r\nc\r\nb\r\n');
  assert.deepEqual(readFileSync(join(root, 'wide.txt')), Buffer.from('\uFEFFone\r\nthree\r\n', 'utf16le'));
  assert.match(
    words(units).join('\n'),
    /bin\.dat cannot be edited: it is not a text[\s\S]*lock\.ts cannot be edited: it is read-only/,
  );
});

test('what changed since it was read is shown instead of edited; what was not read is edited only word for word', async (t) => {
  const root = makeFolder(t, { 'a.ts': '  one();\n  two();\n', 'b.ts': '  one();\n' });
  const before = sha256Of('  zero();\n');
  const seen: Seen = (real) => (real.endsWith('a.ts') ? { hash: before, whole: true } : null);
  const units = await apply(
    root,
    [edit('a.ts', 'two();', 'three();', '1'), edit('b.ts', 'one();', 'two();', '2')],
    seen,
  );
  assert.match(words(units)[0] ?? '', /a\.ts was changed since you read it\. It reads now:/);
  const [first] = units[0]?.calls ?? [];
  assert.equal(first?.outcome.ok === false && first.outcome.body, '1:   one();\n2:   two();');
  assert.equal(readFileSync(join(root, 'b.ts'), 'utf8'), '  two();\n');
  const loose = await apply(root, [edit('b.ts', '    two();', 'x();', '1')], seen);
  assert.match(words(loose)[0] ?? '', /was not read in this conversation/);
});

test('a whole rewrite takes a file that was read whole as it is now', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'a\n' });
  const rewrite = call('write_file', { path: 'a.ts', content: 'b\n' });
  const read =
    (hash: string, whole: boolean): Seen =>
    () => ({ hash, whole });
  for (const seen of [() => null, read(sha256Of('a\n'), false), read(sha256Of('old\n'), true)])
    assert.match(words(await apply(root, [rewrite], seen))[0] ?? '', /was not read whole as it is now/);
  await apply(root, [rewrite], read(sha256Of('a\n'), true));
  assert.equal(readFileSync(join(root, 'a.ts'), 'utf8'), 'b\n');
});

test('a rewrite with the numbers that we printed has none, and a new file has its name without the line', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'a();\nb();\n' });
  await apply(root, [
    call('write_file', { path: 'a.ts', content: '1: a();\n2: b();\n3: c();\n' }, '1'),
    call('write_file', { path: 'new.ts:7', content: 'n\n' }, '2'),
  ]);
  assert.equal(readFileSync(join(root, 'a.ts'), 'utf8'), 'a();\nb();\nc();\n');
  assert.deepEqual(readdirSync(root).sort(), ['a.ts', 'new.ts']);
});

test('a file that another program changed meanwhile is not written over', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'a\n' });
  const [unit] = await stage([edit('a.ts', 'a', 'b')], { workspace: openFolder(root), files: diskFiles, seen: null });
  writeFileSync(join(root, 'a.ts'), 'mine\n');
  await assert.rejects(diskFiles.change(unit?.changes ?? []), /was changed meanwhile/);
  assert.equal(readFileSync(join(root, 'a.ts'), 'utf8'), 'mine\n');
});

const moving = { 'a.ts': 'A\n', 'b.ts': 'B\n' };
const move = (path: string, to: string, id: string) => call('move_file', { path, to }, id);

test('files that are deleted, moved and written in one answer end as if each call had been made alone', async (t) => {
  const cases: readonly (readonly [readonly ToolCall[], Readonly<Record<string, string>>])[] = [
    [[call('delete_file', { path: 'a.ts' }, '1'), move('b.ts', 'a.ts', '2')], { 'a.ts': 'B\n' }],
    [
      [move('a.ts', 'c.ts', '1'), call('write_file', { path: 'a.ts', content: 'NEW\n' }, '2')],
      { ...moving, 'a.ts': 'NEW\n', 'c.ts': 'A\n' },
    ],
    [
      [move('a.ts', 'c.ts', '1'), move('b.ts', 'a.ts', '2'), move('c.ts', 'b.ts', '3')],
      { 'a.ts': 'B\n', 'b.ts': 'A\n' },
    ],
    [[move('a.ts', 'c.ts', '1'), edit('c.ts', 'A', 'X', '2')], { 'b.ts': 'B\n', 'c.ts': 'X\n' }],
    [[move('a.ts', 'c.ts', '1'), call('delete_file', { path: 'c.ts' }, '2')], { 'b.ts': 'B\n' }],
  ];
  for (const [calls, wanted] of cases) {
    const root = makeFolder(t, moving);
    await apply(root, calls);
    const left = readdirSync(root)
      .toSorted()
      .map((name) => [name, readFileSync(join(root, name), 'utf8')]);
    assert.deepEqual(Object.fromEntries(left), wanted);
  }
});

test('a block takes along neither statements between what it declares, nor what it leaves out', async (t) => {
  const between = 'function f() {\n  return 1;\n}\nregister(f);\nfunction g() {\n  return 2;\n}\nlet a;\n';
  const long =
    "import a from 'a';\nfunction f() {\n  one();\n  two();\n  three();\n}\nfunction g() {\n  four();\n}\nend();\n";
  const root = makeFolder(t, { 'between.js': between, 'long.js': long });
  const block = (path: string, code: string) => call('apply_block', { path, is: 'code', code });
  for (const one of [
    block('between.js', 'function f() {\n  return 10;\n}\n\nfunction g() {\n  return 20;\n}\n'),
    block('long.js', "import a from 'a';\nfunction f() {\n  one();\n  // ... existing code ...\n}\nend();\n"),
  ]) {
    const [unit] = await apply(root, [one]);
    assert.equal(unit?.calls[0]?.outcome.ok, false, JSON.stringify(one.arguments));
  }
  for (const [name, text] of Object.entries({ 'between.js': between, 'long.js': long }))
    assert.equal(readFileSync(join(root, name), 'utf8'), text);
});

test('a symbol is renamed in all files that the language server names, as one change; not beside other edits, nor outside', async (t) => {
  const files = { 'a.ts': 'export function tide() {}\n', 'b.ts': "import { tide } from './a.ts';\ntide();\n" };
  const root = makeFolder(t, files);
  const asked: unknown[] = [];
  const renamed = async (path: string, at: object, to: string) => {
    asked.push([path, at, to]);
    const texts = Object.entries(files).map(([name, text]) => [join(root, name), text.replaceAll('tide', to)] as const);
    return new Map([...texts, ...(to === 'out' ? [['/elsewhere.ts', 'x'] as const] : [])]);
  };
  const rename = (to: string, id = '1') => call('rename_symbol', { path: 'a.ts', name: 'tide', to }, id);
  const staged = (calls: readonly ToolCall[]) =>
    stage(calls, { workspace: openFolder(root), files: diskFiles, seen: null, rename: renamed });
  const [unit, other] = await staged([rename('flow')]);
  assert.equal(other, undefined);
  assert.deepEqual(asked, [[join(root, 'a.ts'), { line: 0, character: 16 }, 'flow']]);
  assert.equal(unit?.calls[0]?.outcome.words, 'Renamed tide to flow in 2 files.');
  await diskFiles.change(unit?.changes ?? []);
  assert.equal(readFileSync(join(root, 'b.ts'), 'utf8'), "import { flow } from './a.ts';\nflow();\n");
  assert.match(
    words(await staged([edit('b.ts', 'flow();', 'x();', '2'), rename('y')])).join(),
    /does not stand in a\.ts/,
  );
  const again = { path: 'a.ts', name: 'flow', to: 'out' };
  assert.match(words(await staged([call('rename_symbol', again)])).join(), /It would change .*elsewhere\.ts/);
  const beside = await staged([
    edit('b.ts', 'flow();', 'x();', '2'),
    call('rename_symbol', { ...again, to: 'z' }, '3'),
  ]);
  assert.match(words(beside).join(), /Rename in an answer of its own/);
});

test('a block is not put over a member, a class without all its members, another receiver, or a part that is cut', async (t) => {
  const files = {
    'walker.ts': 'export class Walker {\n  run() {\n    return 1;\n  }\n\n  stop() {\n    return 2;\n  }\n}\n',
    'config.py': 'class Config:\n    def load(self):\n        return 1\n',
    'stack.go': 'package a\n\nfunc (s *Stack) Push(x int) {\n\ts.x = x\n}\n',
    'cut.py': 'def f():\n    x = 1\n# why\n    return x\n',
  };
  const root = makeFolder(t, files);
  const block = (path: string, code: string) => call('apply_block', { path, is: 'code', code });
  for (const one of [
    block('walker.ts', 'export function run(paths: string[]) {\n  return paths;\n}\n'),
    block('walker.ts', 'export class Walker {\n  run() {\n    return 3;\n  }\n}\n'),
    block('config.py', 'def load(path):\n    return Config()\n'),
    block('cut.py', 'def f():\n    return 2\n'),
  ]) {
    const [unit] = await apply(root, [one]);
    assert.equal(unit?.calls[0]?.outcome.ok, false, JSON.stringify(one.arguments));
  }
  await apply(root, [block('stack.go', 'func (q *Queue) Push(x int) {\n\tq.x = x\n}\n')]);
  const go = readFileSync(join(root, 'stack.go'), 'utf8');
  assert.match(go, /s\.x = x[\s\S]*q\.x = x/);
  for (const [name, text] of Object.entries(files))
    if (name !== 'stack.go') assert.equal(readFileSync(join(root, name), 'utf8'), text);
});

test('a licence, a shebang and what is meant for a tool stay above the function that a block replaces', async (t) => {
  const head = '#!/usr/bin/env python3\n# coding: utf-8\n# Doubles.\n';
  const root = makeFolder(t, { 'a.py': `${head}def f():\n    return 1\n` });
  await apply(root, [
    call('apply_block', { path: 'a.py', is: 'code', code: '# Doubles it.\ndef f():\n    return 2\n' }),
  ]);
  const wanted = `${head.replace('Doubles.', 'Doubles it.')}def f():\n    return 2\n`;
  assert.equal(readFileSync(join(root, 'a.py'), 'utf8'), wanted);
});
