// Tests that files outlast whatever happens while they are written: whole, with their owner, and with a way back.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openIn } from '../../src/store/rescue/openIn.ts';
import { projectRoot } from '../harness/program.ts';
import { salvageScript } from '../store/rescuing.ts';
import { applied, type Call, reviewsOf, waiting, write } from './changing.ts';
import { folderOf, treeOf } from './places.ts';

const posix = process.platform === 'win32' ? 'Windows has no modes, and links only for administrators' : false;

const big = `${'z'.repeat(79)}\n`.repeat(40_000);

test("A failed write leaves the file as it was and nothing beside it; a kill's leftovers go at the next start.", {
  skip: posix,
}, async () => {
  const folder = folderOf({ 'big.txt': big, 'small.txt': 'a\n', 'XDG/file': '' });
  const before = treeOf(folder);
  const text = big.replaceAll('z', 'y');
  const long = `${'n'.repeat(300)}.txt`;
  const notes = folderOf();
  // No file may be longer than some kilobytes, names that are too long, no place for the notes of what is written.
  const fails: readonly (readonly [words: RegExp, calls: readonly Call[], shell: string, cache: string])[] = [
    [/EFBIG/, ['big.txt', 'new.txt', 'deep/er/new.txt'].map((path) => write(path, text)), 'ulimit -f 8;', notes],
    [/ENAMETOOLONG/, [write(`deep/er/${long}`), ['move_file', { path: 'small.txt', to: `deep/${long}` }]], '', notes],
    [/ENOTDIR|EEXIST/, [write('big.txt', text), write('deep/new.txt')], '', join(folder, 'XDG/file')],
  ];
  for (const [words, calls, shell, cache] of fails) {
    for (const { ok, reason } of applied(folder, calls, { shell, env: { XDG_CACHE_HOME: cache } }))
      assert.ok(!ok && words.test(reason), reason);
    assert.deepEqual(treeOf(folder), before);
  }
  assert.deepEqual(
    Object.keys(treeOf(notes)).filter((path) => /\d+-/.test(path)),
    [],
  );
  // Killed as soon as something stands beside the file, until something was left there.
  const env = { ...process.env, XDG_CACHE_HOME: notes };
  const edits = join(
    folderOf({ 'e.json': JSON.stringify([{ name: 'write_file', arguments: { path: 'big.txt', content: text } }]) }),
    'e.json',
  );
  const names = fs.readdirSync(folder).length;
  for (let i = 0; i < 20 && fs.readdirSync(folder).length === names; i++) {
    const child = spawn(
      process.execPath,
      [join(projectRoot, 'lab/cli/apply.ts'), '--workspace', folder, '--yes', edits],
      { env, stdio: 'ignore' },
    );
    const ended = once(child, 'exit');
    const watcher = fs.watch(folder, () => child.kill('SIGKILL'));
    await ended;
    watcher.close();
    assert.ok([big, text].includes(fs.readFileSync(join(folder, 'big.txt'), 'utf8')));
    fs.writeFileSync(join(folder, 'big.txt'), big);
  }
  assert.ok(fs.readdirSync(folder).length > names);
  applied(folder, [], { env });
  assert.deepEqual([treeOf(folder), Object.keys(treeOf(notes)).filter((path) => /\d+-/.test(path))], [before, []]);
});

test('A replaced file keeps its owner and mode, or is not replaced.', { skip: posix }, async (t) => {
  const isRoot = process.getuid?.() === 0;
  const stateOf = (path: string) => {
    const { uid, gid, mode } = fs.statSync(path);
    return [uid, gid, (mode & 0o7777).toString(8), fs.readFileSync(path, 'utf8')];
  };
  const [me, mine] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const others = isRoot ? [1234, 4321] : [me, mine];
  for (const [mode, uid = me, gid = mine] of [
    [0o600],
    [0o755],
    [0o640, ...others],
    [0o4711, ...others],
    [0o666, me, others[1]],
  ]) {
    const { folder, store } = await waiting((path) => {
      fs.chownSync(path, uid, gid);
      fs.chmodSync(path, mode ?? 0);
    });
    t.after(() => store.close());
    const path = join(folder, 'a.txt');
    assert.deepEqual(stateOf(path), [uid, gid, mode?.toString(8), 'after a.txt\n']);
    await reviewsOf(store).undo(path, null);
    assert.deepEqual(stateOf(path), [uid, gid, mode?.toString(8), 'before a.txt\n']);
  }
  if (!isRoot) return t.diagnostic('only root gives files away');
  const folder = folderOf({ 'a.txt': 'a\n' });
  for (const path of [folder, join(folder, 'a.txt')]) fs.chmodSync(path, 0o777);
  const cache = folderOf();
  fs.chmodSync(cache, 0o777);
  const [outcome] = applied(folder, [write('a.txt', 'b\n')], { uid: 1234, env: { XDG_CACHE_HOME: cache } });
  assert.match(outcome?.reason ?? '', /belongs to another user or group, and would not afterwards/);
  assert.deepEqual([stateOf(join(folder, 'a.txt')), fs.readdirSync(folder)], [[0, 0, '777', 'a\n'], ['a.txt']]);
});

test('Changes waiting for Keep or Undo never expire, and readable ones outlast a damaged database.', async () => {
  const { folder, path, store } = await waiting();
  for (const limits of [
    { bytes: 1e12, since: Number.MAX_SAFE_INTEGER },
    { bytes: 0, since: 0 },
    { bytes: 0, since: Number.MAX_SAFE_INTEGER },
  ])
    store.fileSnapshots.trim(limits);
  assert.equal((await reviewsOf(store).of('s1')).length, 3);
  store.close();
  const whole = fs.readFileSync(path);
  const database = new DatabaseSync(path);
  const pageOf = database.prepare('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?');
  const parts =
    'session item report lease snapshot snapshot_file sqlite_autoindex_content_1 sqlite_autoindex_changed_file_1';
  const pages = parts.split(' ').map((name) => [name, Number(pageOf.get(name)?.page)] as const);
  database.close();
  // Each is overwritten with nothing, and the changes are taken back one by one.
  for (const [name, page] of pages) {
    const bytes = Buffer.from(whole);
    bytes.fill(0, (page - 1) * 4096, page * 4096);
    const home = folderOf();
    fs.writeFileSync(join(home, 'tidemark.sqlite'), bytes);
    const opened = await openIn(home, salvageScript);
    await opened.salvaged;
    assert.ok(opened.store !== null, name);
    const review = reviewsOf(opened.store);
    for (const one of await review.of('s1')) await review.undo(one.path, null);
    opened.store.close();
    assert.deepEqual(treeOf(folder), { 'a.txt': 'before a.txt\n', 'b.txt': 'before b.txt\n' }, name);
    for (const file of ['a.txt', 'b.txt', 'new.txt']) fs.writeFileSync(join(folder, file), `after ${file}\n`);
  }
});

test('Hard links of a replaced file keep the former text.', { skip: posix }, async () => {
  const root = folderOf({ 'a.ts': 'a\n', 'src/x.ts': '' });
  const names = [join(root, 'b.ts'), join(root, 'src/c.ts'), join(folderOf(), 'd.ts')];
  for (const name of names) fs.linkSync(join(root, 'a.ts'), name);
  const [outcome] = applied(root, [['edit_file', { path: 'a.ts', old: 'a', new: 'b' }]]);
  assert.deepEqual([outcome?.ok, fs.readFileSync(join(root, 'a.ts'), 'utf8')], [true, 'b\n']);
  for (const name of names) assert.equal(fs.readFileSync(name, 'utf8'), 'a\n', name);
});
