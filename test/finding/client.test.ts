// The index in its thread: it answers while it reads, holds still while a model works, and survives a kill at any moment.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { defaultLimits } from '../../src/finding/build.ts';
import { FindingClient } from '../../src/finding/client.ts';
import { temporary } from '../temporary.ts';
import { grammarsFolder, pathsOf } from './scene.ts';

const script = new URL('../../src/finding/worker/main.ts', import.meta.url);

function folderOf(home: string, count: number): string {
  const folder = join(home, 'folder');
  mkdirSync(folder);
  for (let at = 0; at < count; at++)
    writeFileSync(
      join(folder, `f${at}.ts`),
      `export function tide${at}(level: number) {\n  return level + ${at};\n}\n`.repeat(4),
    );
  return folder;
}

function open(home: string, folder: string): FindingClient {
  const roots = [{ name: 'folder', path: folder, real: folder }];
  const params = { file: join(home, 'index.db'), roots, exclude: [], limits: defaultLimits, grammars: grammarsFolder };
  return new FindingClient(script, params, () => undefined);
}

test('a question is answered while the folder is read, and a file that changed is read in between', async () => {
  const home = realpathSync(temporary('tidemark-finding-'));
  const folder = folderOf(home, 600);
  const client = open(home, folder);
  const reading = client.request('refresh', null);
  assert.ok(Array.isArray((await client.request('find', { text: 'tide5' })).passages));
  await reading;
  writeFileSync(join(folder, 'f5.ts'), 'export const springTide = 1;\n');
  assert.deepEqual(await client.request('renew', { paths: [join(folder, 'f5.ts')] }), []);
  assert.equal(pathsOf(await client.request('find', { text: 'springTide' }))[0], 'f5.ts');
  await client.dispose();
});

test('nothing is read while a model needs the processor; questions are answered all the same', async () => {
  const home = realpathSync(temporary('tidemark-finding-'));
  const client = open(home, folderOf(home, 50));
  client.hold(true);
  let done = false;
  const reading = client.request('refresh', null).then(() => {
    done = true;
  });
  await client.request('find', { text: 'tide5' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(done, false);
  assert.equal((await client.request('status', null)).files, 0);
  client.hold(false);
  await reading;
  assert.equal((await client.request('status', null)).files, 50);
  await client.dispose();
});

test('a request to a thread that ended is told so', async () => {
  const home = realpathSync(temporary('tidemark-finding-'));
  const client = open(home, folderOf(home, 1));
  await client.request('status', null);
  await client.dispose();
  await assert.rejects(client.request('status', null));
});

test('killed at any moment of its reading, the index is right after the next look at the folder', async () => {
  const home = realpathSync(temporary('tidemark-finding-'));
  const folder = folderOf(home, 120);
  const child = fileURLToPath(new URL('./indexOnce.ts', import.meta.url));
  for (let kill = 0; kill < 6; kill++) {
    const running = spawn(process.execPath, [child, folder, join(home, 'index.db')], { stdio: 'ignore' });
    const gone = new Promise((resolve) => running.once('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, 150 + kill * 60));
    running.kill('SIGKILL');
    await gone;
    writeFileSync(join(folder, 'f7.ts'), `export const kill${kill} = 1;\n`);
  }
  const client = open(home, folder);
  await client.request('refresh', null);
  const { files } = await client.request('status', null);
  assert.equal(files, 120);
  assert.equal(pathsOf(await client.request('find', { text: 'kill5' }))[0], 'f7.ts');
  assert.equal(pathsOf(await client.request('find', { text: 'tide77' }))[0], 'f77.ts');
  await client.dispose();
});
