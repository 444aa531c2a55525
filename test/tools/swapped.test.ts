// A file that becomes another one between the check and the reading: what is outside is never read.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withFile } from '../../src/tools/files/opened.ts';
import { createTools } from '../../src/tools/index.ts';
import { temporary } from '../temporary.ts';

const posix = process.platform === 'win32' ? 'Windows makes links only for administrators' : false;

function folders() {
  const root = realpathSync(temporary('tidemark-swapped-'));
  const [inside, outside] = [join(root, 'in'), join(root, 'out')];
  for (const folder of [inside, join(inside, 'd'), outside]) mkdirSync(folder);
  writeFileSync(join(outside, 'f.md'), 'STOLEN\n');
  writeFileSync(join(inside, 'd', 'f.md'), 'fine\n');
  return { inside, outside };
}

const textAt = (path: string) => withFile(path, (file) => file.readFile('utf8'));

test('a file is read that stands where it was looked up', async () => {
  const { inside } = folders();
  assert.equal(await textAt(join(inside, 'd', 'f.md')), 'fine\n');
});

test('a link, a folder behind a link and a pipe in the place of a file are refused', { skip: posix }, async () => {
  const { inside, outside } = folders();
  symlinkSync(join(outside, 'f.md'), join(inside, 'link.md'));
  await assert.rejects(textAt(join(inside, 'link.md')), /another file stands in its place/);
  renameSync(join(inside, 'd'), join(inside, 'e'));
  symlinkSync(outside, join(inside, 'd'));
  await assert.rejects(textAt(join(inside, 'd', 'f.md')), /another file stands in its place/);
  execFileSync('mkfifo', [join(inside, 'pipe')]);
  await assert.rejects(textAt(join(inside, 'pipe')), /another file stands in its place/);
});

/** Puts in turns a file and a link in one place, each for up to a millisecond. */
const swap = `
const pause = () => { for (const end = performance.now() + Math.random(); performance.now() < end; ); };
const { linkSync, renameSync, symlinkSync, writeFileSync } = require('node:fs');
process.chdir(process.argv[1]);
console.log('swapping');
for (;;) {
  symlinkSync('../out/f.md', 'next');
  renameSync('next', 'x.md');
  pause();
  writeFileSync('next', 'fine\\n');
  renameSync('next', 'x.md');
  pause();
}`;

test('of a file that is swapped with a link all the time, read_file reads what is inside or refuses', {
  skip: posix,
}, async (t) => {
  const { inside } = folders();
  const swapper = spawn(process.execPath, ['-e', swap, inside], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => swapper.kill('SIGKILL'));
  await once(swapper.stdout, 'data');
  const read = createTools({ folders: [{ name: 'in', path: inside }], unsaved: () => [] }).find(
    ({ schema }) => schema.name === 'read_file',
  );
  const counts = { fine: 0, refused: 0 };
  // Both outcomes were met often enough to say something.
  const enough = () => counts.fine > 100 && counts.refused > 100;
  for (let i = 0; i < 1000 || (i < 10_000 && !enough()); i++) {
    const result = await read?.run({ path: 'x.md' }, new AbortController().signal);
    assert.doesNotMatch(result?.body ?? '', /STOLEN/);
    counts[result?.ok === true ? 'fine' : 'refused'] += 1;
  }
  assert.ok(enough(), JSON.stringify(counts));
});
