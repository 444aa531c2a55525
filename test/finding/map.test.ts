// The map of a folder: what other files use comes first, and what is in nobody's way stays out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scene } from './scene.ts';

const noPause = async () => undefined;

const files = {
  'src/pool.ts': 'export class Pool {\n  acquire() {}\n}\nexport function drainPool() {}\nconst own = 1;\n',
  'src/queue.ts': "import { Pool } from './pool';\nexport const newQueue = () => new Pool();\n",
  'src/server.ts':
    "import { Pool } from './pool';\nimport { newQueue } from './queue';\nexport const serve = () => [new Pool(), newQueue()];\n",
  'test/pool.test.ts': "import { drainPool } from '../src/pool';\nexport const helperOfTests = drainPool;\n",
  'README.md': '# Pool\n\nA Pool, and another Pool.\n',
};

test('the file that others use most comes first, with the names they use', async (context) => {
  const { finder } = await scene(context, files);
  const [first, second] = await finder.map(10, noPause);
  assert.deepEqual(first, { path: 'src/pool.ts', names: ['Pool', 'drainPool', 'own'] });
  assert.deepEqual(second?.path, 'src/queue.ts');
});

test('tests and documents are on no map, and a map has so many files at most', async (context) => {
  const { finder } = await scene(context, files);
  const paths = (await finder.map(10, noPause)).map(({ path }) => path);
  assert.deepEqual(paths.toSorted(), ['src/pool.ts', 'src/queue.ts', 'src/server.ts']);
  assert.equal((await finder.map(2, noPause)).length, 2);
});

test('the same folder has the same map, whenever its files were read', async (context) => {
  const { finder, reopen, write } = await scene(context, files);
  const before = await finder.map(10, noPause);
  await finder.renew([write('src/pool.ts', files['src/pool.ts'])], new AbortController().signal);
  assert.deepEqual(await finder.map(10, noPause), before);
  assert.deepEqual(await reopen().map(10, noPause), before);
});

test('a folder without code has an empty map', async (context) => {
  const { finder } = await scene(context, { 'README.md': '# Tide\n\nWords only.\n' });
  assert.deepEqual(await finder.map(10, noPause), []);
});
