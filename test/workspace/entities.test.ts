// The main entities: which declarations are named, in which order, and how far the reading goes.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { mainEntities, overviewText } from '../../src/workspace/entities.ts';
import { type Files, makeFolder, openFolder } from '../tools/sandbox.ts';
import { aborted, signal } from './scene.ts';

const found = async (root: string): Promise<readonly string[]> =>
  (await mainEntities(openFolder(root), signal)).map(({ name, path, line, uses }) => `${name} ${path}:${line} ${uses}`);

test('the sample project is summed up by what its files share, at most three of one file', async () => {
  const sample = fileURLToPath(new URL('../fixtures/sample', import.meta.url));
  const names = await found(sample);
  assert.deepEqual(names.slice(0, 8), [
    'parseDuration src/duration.ts:14 2',
    'Station src/stations.ts:6 2',
    'formatDuration src/duration.ts:24 1',
    'Turn src/forecast.ts:14 1',
    'forecast src/forecast.ts:26 1',
    'findTurns src/forecast.ts:37 1',
    'Constituent src/harmonics.ts:7 1',
    'heightAt src/harmonics.ts:27 1',
  ]);
  assert.ok(names.every((name) => !name.includes('test/') && !name.startsWith('SPEED')));
});

/** `moduleN` is used by the N modules before it. */
function manyModules(count: number): Files {
  const uses = (index: number): string =>
    Array.from({ length: count - index - 1 }, (_, more) => `  module${index + more + 1}();\n`).join('');
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `src/${String(index).padStart(3, '0')}.ts`,
      `export function module${index}() {\n${uses(index)}}\n`,
    ]),
  );
}

test('the twenty most used of many are named, the most used first, the same each time', async (t) => {
  const root = makeFolder(t, manyModules(60));
  const names = await found(root);
  assert.equal(names.length, 20);
  assert.deepEqual(names.slice(0, 2), ['module59 src/059.ts:1 59', 'module58 src/058.ts:1 58']);
  assert.deepEqual(await found(root), names);
  assert.equal((await mainEntities(openFolder(root), signal, 3)).length, 3);
});

test('entities of equal use come from the least deep file first, then by path and line', async (t) => {
  const root = makeFolder(t, {
    'src/deep/a.ts': 'export class Alpha {}\n',
    'src/z.ts': 'export class Zeta {}\nexport class Beta {}\n',
    'src/b.ts': 'export class Gamma {}\n',
  });
  assert.deepEqual(await found(root), [
    'Gamma src/b.ts:1 0',
    'Zeta src/z.ts:1 0',
    'Beta src/z.ts:2 0',
    'Alpha src/deep/a.ts:1 0',
  ]);
});

test('what a file exports, and callables and types, stand before what else it declares', async (t) => {
  const root = makeFolder(t, {
    'a.ts': 'const hiddenLimit = 1;\nfunction inner() {\n}\nexport const LIMIT = 1;\nexport function outer() {\n}\n',
    'b.py': 'LIMIT_OF_ALL = 3\ndef _hidden(x):\n    pass\ndef visible(x):\n    pass\n',
    'c.ts': 'export const ONLY = 1;\n',
  });
  assert.deepEqual(await found(root), ['outer a.ts:5 0', 'visible b.py:4 0', 'ONLY c.ts:1 0']);
});

test('functions and classes stand before values that more files use, also where a language has no exports', async (t) => {
  const root = makeFolder(t, {
    'a.js': "var path = require('path');\nvar view = 1;\nfunction render() {\n}\n",
    'b.js': 'use(path, view);\n',
    'c.js': 'use(path, view);\n',
    'd.ts': 'export const LEVELS = [1];\n',
    'e.ts': 'export class Board {}\nuse(LEVELS);\n',
  });
  assert.deepEqual(
    (await found(root)).map((text) => text.split(' ')[0]),
    ['render', 'Board', 'LEVELS'],
  );
});

test('a name counts as a whole word of other files, not of comments, prose or its own file', async (t) => {
  const root = makeFolder(t, {
    'a.py': 'def height_at(x):\n    return height_at(x)\n',
    'b.py': 'import a\na.height_at(1)\na.height_at(2)\n',
    'c.py': 'my_height_at = 1\n# height_at\n',
    'd.md': 'height_at\n',
  });
  assert.equal((await found(root))[0], 'height_at a.py:1 1');
});

test('a plain word counts where it is imported or called, not as a variable or a method of that name', async (t) => {
  const root = makeFolder(t, {
    'a.ts': 'export function count() {\n}\n',
    'b.ts': 'export const b1 = 1;\nlet count = list.count();\n',
    'c.ts': "import { count } from './a.ts';\n",
    'd.ts': 'run(count(2));\n',
  });
  assert.equal((await found(root))[0], 'count a.ts:1 2');
});

test('a name that every file declares for itself is used by none and named once', async (t) => {
  const root = makeFolder(t, {
    'a.py': 'def start_up():\n    pass\n',
    'b.py': 'def start_up():\n    pass\n',
    'c.py': 'def start_up():\n    pass\n',
    'd.py': 'class Tide:\n    pass\n',
    'e.py': 'Tide()\n',
  });
  assert.deepEqual(await found(root), ['Tide d.py:1 1', 'start_up a.py:1 0']);
});

test('tests, vendored, generated, ignored and short ones are left out', async (t) => {
  const code = 'export function tideTable() {\n}\n';
  const paths = ['test/a.ts', 'src/a.test.ts', 'a.d.ts', 'a.min.js', 'a.json', 'README.md', 'x_pb2.py', '.hidden/a.ts'];
  const folders = ['dist', 'build', 'vendor', 'node_modules/x', 'third_party', 'ignored'];
  const all = [...paths, ...folders.map((folder) => `${folder}/a.ts`)];
  const root = makeFolder(t, {
    ...Object.fromEntries(all.map((path) => [path, code])),
    '.gitignore': 'ignored/\n',
    'short.ts': 'export function run() {\n}\n',
    'large.ts': `${code}${'// x\n'.repeat(50_000)}`,
    'binary.ts': `\0${code}`,
  });
  assert.deepEqual(await found(root), []);
});

test('four hundred files are read, the least deep ones', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 450 }, (_, index) => [`src/deep/${index}.ts`, `export class Deep${index} {}\nnearTop();\n`]),
  );
  const root = makeFolder(t, { ...files, 'z.ts': 'export function nearTop() {\n}\n' });
  assert.equal((await found(root))[0], 'nearTop z.ts:1 399');
});

test('the unsaved buffer is read in place of the disk', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'export class OldTide {}\n' });
  const unsaved = () => [{ path: join(root, 'a.ts'), text: '\nexport class NewTide {}\n' }];
  assert.deepEqual(await mainEntities(openFolder(root, { unsaved }), signal), [
    { name: 'NewTide', path: 'a.ts', line: 2, uses: 0 },
  ]);
});

test('paths of several folders begin with the folder, and a folder in another one counts once', async (t) => {
  const root = makeFolder(t, { 'a/sub/x.ts': 'export class Tide {}\n', 'b/y.ts': 'new Tide();\n' });
  const folders = ['a', 'b', 'a/sub'].map((name) => ({ name: name.replace('a/', ''), path: join(root, name) }));
  assert.deepEqual(await mainEntities({ folders, unsaved: () => [] }, signal), [
    { name: 'Tide', path: 'sub/x.ts', line: 1, uses: 1 },
  ]);
});

test('an aborted search and an empty folder have no entities, and no entities have no text', async (t) => {
  assert.deepEqual(await mainEntities(openFolder(makeFolder(t, { 'a.ts': 'class Tide {}' })), aborted), []);
  assert.deepEqual(await found(makeFolder(t, {})), []);
  assert.equal(overviewText([]), '');
  const entity = { name: 'tide', path: 'a.ts', line: 3, uses: 0 };
  assert.equal(overviewText([entity, { ...entity, name: 'ebb' }]), 'Main entities: tide (a.ts:3), ebb (a.ts:3)');
});
