// Names that code declares, by a part of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scene } from './scene.ts';

const files = {
  'src/pool.ts': 'export class Pool {\n  drain() {}\n}\nexport function drainPool() {}\nexport class PoolError {}\n',
  'lib/pump.py': 'class Pump:\n    def drain_100%(self): pass\n\ndef spool():\n    pass\n',
  'README.md': '# Pool\n\nA Pool.\n',
};

test('names that begin with it come first, the shortest before, each once with its file', async (context) => {
  const { finder } = await scene(context, files);
  const names = await finder.symbols('pool', 10);
  assert.deepEqual(
    names.map(({ name, path }) => `${name} ${path}`),
    ['Pool src/pool.ts', 'PoolError src/pool.ts', 'spool lib/pump.py', 'drainPool src/pool.ts'],
  );
  assert.equal((await finder.symbols('pool', 2)).length, 2);
});

test('without a letter, and where none fits, there are none; signs of a pattern stand for themselves', async (context) => {
  const { finder } = await scene(context, files);
  for (const typed of ['', 'zzz', '%', '_%', "'", '\\']) assert.deepEqual(await finder.symbols(typed, 10), [], typed);
});

test('the line that declares a name is found where one other file has it', async (context) => {
  const { finder } = await scene(context, {
    'src/gauge.ts':
      'export interface Reading {\n  readonly level: number;\n}\n\nexport function readGauge(name: string): Reading {\n  return { level: name.length };\n}\n',
    'src/one.ts': 'export function twice(value: number) {\n  return value * 2;\n}\n',
    'src/two.ts': 'export function twice(value: string) {\n  return value + value;\n}\n',
    'docs/guide.md': '# readDocs\n\nText of a guide.\n',
    'src/use.ts': 'function helper() {\n  return 1;\n}\n\nexport const level = readGauge("x").level;\n',
  });
  const names = ['readGauge', 'twice', 'helper', 'readDocs', 'Reading', 'nowhere'];
  assert.deepEqual(await finder.declaring({ names, path: 'src/use.ts', most: 6 }), [
    { path: 'src/gauge.ts', line: 5, text: 'export function readGauge(name: string): Reading {' },
    { path: 'src/gauge.ts', line: 1, text: 'export interface Reading {' },
  ]);
  assert.equal((await finder.declaring({ names, path: 'src/use.ts', most: 1 })).length, 1);
});
