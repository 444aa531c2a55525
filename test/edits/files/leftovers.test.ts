// Tests that the next start removes what a killed process was writing beside a file, and nothing else.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { noteWriting, removeLeftovers } from '../../../src/edits/files/leftovers.ts';
import { sha256Of } from '../../../src/tools/files/hash.ts';
import { temporary } from '../../temporary.ts';
import { makeFolder } from '../../tools/sandbox.ts';

/** 60 with TIDEMARK_KILLS=60. */
const kills = Number(process.env.TIDEMARK_KILLS ?? 8);

let notes = '';
beforeEach(() => {
  process.env.XDG_CACHE_HOME = temporary('tidemark-notes-');
  notes = join(process.env.XDG_CACHE_HOME, 'tidemark', 'writing');
});

test(`after ${kills} kills while a file is written, and one start, the file is whole and nothing else is there`, async (t) => {
  const folder = makeFolder(t, { 'f.txt': `${'z'.repeat(79)}\n`.repeat(20_000) });
  const path = join(folder, 'f.txt');
  for (let i = 0; i < kills; i++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'endless.ts'), path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    await wait((i * 37) % 150);
    child.kill('SIGKILL');
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    const text = readFileSync(path, 'utf8');
    assert.deepEqual([text.length, new Set(text).size], [1_600_000, 2]);
  }
  t.diagnostic(`${readdirSync(folder).length - 1} files were left before the start`);
  await removeLeftovers();
  assert.deepEqual([readdirSync(folder), readdirSync(notes)], [['f.txt'], []]);
});

/** The id of a process that was there. */
async function dead(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

/** Renames the notes as if a process that was killed had written them. */
async function fromKilled(): Promise<void> {
  const pid = await dead();
  for (const name of readdirSync(notes)) renameSync(join(notes, name), join(notes, name.replace(/^\d+/, `${pid}`)));
}

test('a write that was done leaves no note, and one that fails neither note nor file', async (t) => {
  const folder = makeFolder(t, { 'a.ts': 'a\n' });
  const path = join(folder, 'a.ts');
  await diskFiles.change([{ do: 'write', path, before: sha256Of('a\n'), text: 'b\n' }]);
  assert.deepEqual([readdirSync(folder), readdirSync(notes)], [['a.ts'], []]);
  mkdirSync(join(folder, 'd'));
  const put = { do: 'put', path: join(folder, 'd'), before: null, bytes: Buffer.from('x'), mode: null } as const;
  await assert.rejects(diskFiles.change([put]));
  assert.deepEqual([readdirSync(folder).toSorted(), readdirSync(notes)], [['a.ts', 'd'], []]);
});

test('a file is noted before it is there, and without its note nothing is written', async (t) => {
  const folder = makeFolder(t, {});
  const note = await noteWriting(join(folder, 'a.ts'));
  assert.deepEqual([existsSync(note.temporary), readdirSync(notes).length], [false, 1]);
  await note.done();
  process.env.XDG_CACHE_HOME = join(folder, 'none');
  writeFileSync(join(folder, 'none'), '');
  const path = join(folder, 'b.ts');
  await assert.rejects(diskFiles.change([{ do: 'write', path, before: null, text: 'b' }]));
  assert.deepEqual(readdirSync(folder), ['none']);
});

test('what is listed goes: an empty file, one with its inode, the second name of the former one', async (t) => {
  const folder = makeFolder(t, { 'a.ts': 'a\n' });
  const path = join(folder, 'a.ts');
  const empty = await noteWriting(path);
  writeFileSync(empty.temporary, '');
  const written = await noteWriting(path);
  writeFileSync(written.temporary, 'half');
  linkSync(path, written.former);
  await written.made(statSync(written.temporary, { bigint: true }).ino, statSync(path, { bigint: true }).ino);
  await fromKilled();
  await removeLeftovers();
  assert.deepEqual([readdirSync(folder), readdirSync(notes)], [['a.ts'], []]);
  assert.equal(readFileSync(path, 'utf8'), 'a\n');
});

test('what is another file by now stays: other words without an inode, another inode, a link, a folder', async (t) => {
  const folder = makeFolder(t, { 'a.ts': 'a\n' });
  const stays = async (make: (temporary: string) => void, inode: bigint | null) => {
    const note = await noteWriting(join(folder, 'a.ts'));
    make(note.temporary);
    if (inode !== null) await note.made(inode, null);
    return note.temporary;
  };
  const all = [
    await stays((temporary) => writeFileSync(temporary, 'words'), null),
    await stays((temporary) => writeFileSync(temporary, 'words'), 1n),
    await stays(
      (temporary) => symlinkSync(join(folder, 'a.ts'), temporary),
      statSync(join(folder, 'a.ts'), { bigint: true }).ino,
    ),
    await stays((temporary) => mkdirSync(temporary), null),
  ];
  await fromKilled();
  await removeLeftovers();
  assert.deepEqual(all.map(existsSync), [true, true, true, true]);
  assert.deepEqual([readFileSync(join(folder, 'a.ts'), 'utf8'), readdirSync(notes)], ['a\n', []]);
});

test('what a living process writes stays, and what is cut short or foreign among the notes stops nothing', async (t) => {
  const folder = makeFolder(t, { 'a.ts': 'a\n' });
  const note = await noteWriting(join(folder, 'a.ts'));
  writeFileSync(note.temporary, '');
  const [name = ''] = readdirSync(notes);
  const living = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
  t.after(() => living.kill());
  renameSync(join(notes, name), join(notes, name.replace(/^\d+/, `${living.pid}`)));
  const pid = await dead();
  writeFileSync(join(notes, `${pid}-cut`), '"/tm');
  writeFileSync(join(notes, `${pid}-foreign`), `${JSON.stringify(join(folder, 'a.ts'))}\n`);
  await removeLeftovers();
  assert.deepEqual(readdirSync(folder).length, 2);
  assert.equal(readFileSync(join(folder, 'a.ts'), 'utf8'), 'a\n');
  assert.deepEqual(readdirSync(notes), [name.replace(/^\d+/, `${living.pid}`)]);
});

test('where the folder is not there now, or a link is in its place, the note waits, for a month', async (t) => {
  const folder = makeFolder(t, { 'd/a.ts': 'a\n' });
  const note = await noteWriting(join(folder, 'd', 'a.ts'));
  writeFileSync(note.temporary, '');
  await fromKilled();
  renameSync(join(folder, 'd'), join(folder, 'away'));
  await removeLeftovers();
  symlinkSync(join(folder, 'away'), join(folder, 'd'));
  await removeLeftovers();
  assert.deepEqual([readdirSync(join(folder, 'away')).length, readdirSync(notes).length], [2, 1]);
  const [name = ''] = readdirSync(notes);
  const old = new Date(Date.now() - 31 * 86_400_000);
  utimesSync(join(notes, name), old, old);
  await removeLeftovers();
  assert.deepEqual([readdirSync(join(folder, 'away')).length, readdirSync(notes).length], [2, 0]);
});

test('notes are for their user alone', async (t) => {
  const folder = makeFolder(t, {});
  await noteWriting(join(folder, 'a.ts'));
  const [name = ''] = readdirSync(notes);
  if (process.platform !== 'win32')
    assert.deepEqual([statSync(notes).mode & 0o777, statSync(join(notes, name)).mode & 0o777], [0o700, 0o600]);
});

test('the command that edits removes what another one left when it was killed', async (t) => {
  const folder = makeFolder(t, { 'a.ts': 'a\n' });
  const note = await noteWriting(join(folder, 'a.ts'));
  writeFileSync(note.temporary, 'half');
  await note.made(statSync(note.temporary, { bigint: true }).ino, null);
  await fromKilled();
  const edits = join(makeFolder(t, { 'edits.json': '[]' }), 'edits.json');
  const command = join(import.meta.dirname, '..', '..', '..', 'lab', 'cli', 'apply.ts');
  const child = spawn(process.execPath, [command, '--workspace', folder, edits], { stdio: 'inherit' });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.deepEqual([readdirSync(folder), readdirSync(notes)], [['a.ts'], []]);
});
