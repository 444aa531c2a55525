// The folder of models: what is listed, what goes, and what moves.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deleteModel, deleteUnfinished, listModels, listUnfinished, moveModels } from '../../src/models/folder.ts';
import { takeLock } from '../../src/models/lock.ts';
import { writeState } from '../../src/models/part.ts';

function makeFolder(context: TestContext, names: readonly string[] = [], root = tmpdir()): string {
  const folder = mkdtempSync(join(root, 'tidemark-folder-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(folder, name), name);
  return folder;
}

const split = ['big-00001-of-00002.gguf', 'big-00002-of-00002.gguf'];

async function addPart(folder: string, name: string): Promise<void> {
  writeFileSync(join(folder, `${name}.part`), 'GGUF');
  await writeState(join(folder, name), {
    url: `https://example.org/${name}`,
    version: '"1"',
    total: 100,
    sha256: null,
  });
}

test('whole models are listed, with all their files, and unfinished ones apart', async (context) => {
  const folder = makeFolder(context, ['a.gguf', ...split, 'half-00001-of-00002.gguf', 'notes.txt', 'stray.gguf.part']);
  await addPart(folder, 'c.gguf');
  const models = await listModels(folder);
  assert.deepEqual(
    models.map(({ name, bytes, files }) => [name, bytes, files.length]),
    [
      ['a.gguf', 6, 1],
      ['big-00001-of-00002.gguf', 46, 2],
    ],
  );
  assert.deepEqual(await listUnfinished(folder), [
    {
      path: join(folder, 'c.gguf'),
      name: 'c.gguf',
      url: 'https://example.org/c.gguf',
      bytes: 4,
      total: 100,
      running: false,
    },
  ]);
  assert.deepEqual(await listModels(join(folder, 'nowhere')), []);
});

test('a model goes with all its files, an unfinished one only while nobody fetches it', async (context) => {
  const folder = makeFolder(context, ['a.gguf', ...split]);
  await addPart(folder, 'c.gguf');
  const big = (await listModels(folder)).find(({ name }) => name === split[0]);
  assert.ok(big !== undefined);
  await deleteModel(big);
  const [part] = await listUnfinished(folder);
  assert.ok(part !== undefined);
  const lock = takeLock(`${part.path}.lock`);
  assert.equal((await listUnfinished(folder))[0]?.running, true);
  assert.equal(await deleteUnfinished(part), false);
  lock?.release();
  assert.equal(await deleteUnfinished(part), true);
  assert.deepEqual(readdirSync(folder), ['a.gguf']);
});

test('everything moves, also what is unfinished; foreign files stay', async (context) => {
  const from = makeFolder(context, ['a.gguf', 'notes.txt', ...split]);
  await addPart(from, 'c.gguf');
  const to = join(makeFolder(context), 'new');
  const told: string[] = [];
  const moved = await moveModels(from, to, (name) => told.push(name));
  assert.deepEqual(moved, ['a.gguf', ...split, 'c.gguf.part', 'c.gguf.part.json']);
  assert.deepEqual(told, moved);
  assert.deepEqual(readdirSync(from), ['notes.txt']);
  assert.equal(readFileSync(join(to, 'a.gguf'), 'utf8'), 'a.gguf');
  assert.equal((await listUnfinished(to)).length, 1);
});

test('nothing moves where a name is taken', async (context) => {
  const from = makeFolder(context, ['a.gguf', 'b.gguf']);
  const to = makeFolder(context, ['b.gguf']);
  await assert.rejects(
    moveModels(from, to, () => undefined),
    /already has a b\.gguf/,
  );
  assert.deepEqual(readdirSync(from), ['a.gguf', 'b.gguf']);
  assert.deepEqual(readdirSync(to), ['b.gguf']);
});

test('to another disk files are copied, and the old ones go', async (context) => {
  const from = makeFolder(context, ['a.gguf']);
  if (!existsSync('/dev/shm')) return context.skip('there is no second file system here');
  const to = makeFolder(context, [], '/dev/shm');
  await moveModels(from, to, () => undefined);
  assert.deepEqual([readdirSync(from), readdirSync(to).map((name) => basename(name))], [[], ['a.gguf']]);
});
