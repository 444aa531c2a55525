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
