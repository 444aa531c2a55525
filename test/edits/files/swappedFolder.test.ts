// A folder that becomes a link between the question and the write: nothing lands, changes or goes outside.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stage } from '../../../src/edits/calls/stage.ts';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { sha256Of } from '../../../src/tools/files/hash.ts';
import { makeFolder, openFolder } from '../../tools/sandbox.ts';

const posix = process.platform === 'win32' ? 'Windows makes links only for administrators' : false;
const same = 'a\n';

/** Plans a call in a folder, puts a link to another folder in the place of `src`, and makes the change. */
async function afterSwap(t: TestContext, name: string, given: object, swapped = 'src') {
  const root = makeFolder(t, { 'src/same.ts': same, 'other/here.ts': same });
  const outside = makeFolder(t, { 'same.ts': same, 'here.ts': same });
  const call = { id: '1', name, arguments: given as Readonly<Record<string, unknown>> };
  const [unit] = await stage([call], { workspace: openFolder(root), files: diskFiles, seen: null });
  assert.ok(unit !== undefined && unit.changes.length > 0);
  if (existsSync(join(root, swapped))) renameSync(join(root, swapped), join(root, 'was'));
  symlinkSync(outside, join(root, swapped));
  await assert.rejects(diskFiles.change(unit.changes), /is another folder by now, or gone; nothing was changed there/);
  assert.deepEqual(readdirSync(outside).toSorted(), ['here.ts', 'same.ts']);
  for (const file of readdirSync(outside)) assert.equal(readFileSync(join(outside, file), 'utf8'), same);
  const left = readdirSync(root, { recursive: true, encoding: 'utf8' });
  assert.ok(!left.some((path) => path.endsWith('.tidemark')), `${left}`);
}

const swaps: readonly (readonly [string, string, object, string?])[] = [
  ['a new file', 'write_file', { path: 'src/new.ts', content: 'x' }],
  ['a new file in new folders', 'write_file', { path: 'src/deep/er/new.ts', content: 'x' }],
  ['a new file whose folder came meanwhile', 'write_file', { path: 'fresh/new.ts', content: 'x' }, 'fresh'],
  ['a new file whose upper folder came meanwhile', 'write_file', { path: 'fresh/deep/new.ts', content: 'x' }, 'fresh'],
  ['an edit', 'edit_file', { path: 'src/same.ts', old: 'a', new: 'owned' }],
  ['a rewrite', 'write_file', { path: 'src/same.ts', content: 'owned' }],
  ['a deletion', 'delete_file', { path: 'src/same.ts' }],
  ['a move out of it', 'move_file', { path: 'src/same.ts', to: 'other/there.ts' }],
  ['a move into it', 'move_file', { path: 'other/here.ts', to: 'src/there.ts' }],
  ['a move into a new folder of it', 'move_file', { path: 'other/here.ts', to: 'src/deep/there.ts' }],
];

for (const [what, name, given, swapped] of swaps)
  test(`${what} is refused where a link to another folder came meanwhile`, { skip: posix }, (t) =>
    afterSwap(t, name, given, swapped),
  );

test('a link in the place of the file itself is neither followed nor replaced', { skip: posix }, async (t) => {
  const root = makeFolder(t, { 'a.ts': same });
  const outside = makeFolder(t, { 'a.ts': same });
  renameSync(join(root, 'a.ts'), join(root, 'was.ts'));
  symlinkSync(join(outside, 'a.ts'), join(root, 'a.ts'));
  const change = { path: join(root, 'a.ts'), before: sha256Of(same) };
  for (const one of [
    { ...change, do: 'write', text: 'owned\n' } as const,
    { ...change, do: 'delete' } as const,
    { ...change, do: 'move', to: join(root, 'b.ts') } as const,
  ])
    await assert.rejects(diskFiles.change([one]), /was changed meanwhile/);
  assert.equal(readFileSync(join(outside, 'a.ts'), 'utf8'), same);
  assert.deepEqual(readdirSync(root).toSorted(), ['a.ts', 'was.ts']);
});

test('folders that were made for a file go again where it cannot be written, and others stay', async (t) => {
  const root = makeFolder(t, { 'kept/a.ts': same });
  const path = join(root, 'kept', 'deep', 'er', `${'x'.repeat(300)}.ts`);
  await assert.rejects(diskFiles.change([{ do: 'write', path, before: null, text: 'x' }]), /ENAMETOOLONG/);
  assert.deepEqual(readdirSync(root, { recursive: true }).toSorted(), ['kept', join('kept', 'a.ts')]);
});

/**
 * Puts a folder and a link to another one in one place in turns: the link for up to a millisecond, the folder for up to four, so that a slow
 * writer succeeds too. The writer may make the folder while it is away.
 */
const swap = `
const pause = (most) => { for (const end = performance.now() + most * Math.random(); performance.now() < end; ); };
const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
process.chdir(process.argv[1]);
console.log('swapping');
for (let n = 0; ; n++) {
  try {
    renameSync('src', 'was' + n);
    symlinkSync(process.argv[2], 'src');
    pause(1);
    unlinkSync('src');
    renameSync('was' + n, 'src');
    pause(4);
  } catch {}
}`;

test('in a folder that is swapped with a link all the time, changes land inside or are refused', {
  skip: process.platform === 'linux' ? false : 'only Linux leads by an open folder',
}, async (t) => {
  const root = makeFolder(t, { 'src/a.ts': same });
  const outside = makeFolder(t, {});
  const swapper = spawn(process.execPath, ['-e', swap, root, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
  const counts = { made: 0, refused: 0 };
  try {
    await once(swapper.stdout, 'data');
    for (let i = 0; i < 2000 && (counts.made < 40 || counts.refused < 40); i++) {
      const path = join(root, 'src', i % 2 === 0 ? `${i}.ts` : join(`d${i}`, 'new.ts'));
      await diskFiles.change([{ do: 'write', path, before: null, text: `${i}` }]).then(
        () => (counts.made += 1),
        () => (counts.refused += 1),
      );
      assert.deepEqual(readdirSync(outside), []);
    }
  } finally {
    // Before the folders go.
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
  }
  assert.ok(counts.made >= 40 && counts.refused >= 40, JSON.stringify(counts));
});

test('a file that was edited with a long name is written like any other', async (t) => {
  const name = `${'n'.repeat(250)}.ts`;
  const root = makeFolder(t, { [name]: same });
  await diskFiles.change([{ do: 'write', path: join(root, name), before: sha256Of(same), text: 'b\n' }]);
  assert.equal(readFileSync(join(root, name), 'utf8'), 'b\n');
});
