// Tests what a replaced file keeps of the former one, and what becomes of its other names.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, linkSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { sha256Of } from '../../../src/tools/files/hash.ts';
import { makeFolder } from '../../tools/sandbox.ts';

const write = (path: string) =>
  diskFiles.change([{ do: 'write', path, before: sha256Of(readFileSync(path)), text: 'b\n' }]);
const posix = process.platform === 'win32' ? 'Windows has no modes' : false;
const root = process.getuid?.() === 0 ? false : 'only root gives files away';

for (const mode of [0o600, 0o640, 0o755, 0o666, 0o4711])
  test(`a replaced file keeps its mode ${mode.toString(8)}`, { skip: posix }, async (t) => {
    const path = join(makeFolder(t, { 'a.sh': 'a\n' }), 'a.sh');
    chmodSync(path, mode);
    await write(path);
    assert.deepEqual([statSync(path).mode & 0o7777, readFileSync(path, 'utf8')], [mode, 'b\n']);
  });

test('a replaced file keeps its owner and group, and with them its mode', { skip: root }, async (t) => {
  const path = join(makeFolder(t, { 'a.sh': 'a\n' }), 'a.sh');
  chownSync(path, 1234, 4321);
  chmodSync(path, 0o4755);
  await write(path);
  const { uid, gid, mode } = statSync(path);
  assert.deepEqual([uid, gid, mode & 0o7777], [1234, 4321, 0o4755]);
});

test('where the owner cannot be kept the file stays as it is', { skip: root }, async (t) => {
  const folder = makeFolder(t, { 'a.sh': 'a\n' });
  const path = join(folder, 'a.sh');
  for (const one of [folder, path]) chmodSync(one, 0o777);
  process.env.XDG_CACHE_HOME = makeFolder(t, {});
  chmodSync(process.env.XDG_CACHE_HOME, 0o777);
  process.setegid?.(1234);
  process.seteuid?.(1234);
  try {
    await assert.rejects(write(path), /belongs to another user or group, and would not afterwards; nothing of it was/);
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
  assert.deepEqual([statSync(path).uid, readFileSync(path, 'utf8')], [0, 'a\n']);
});

test('another name of the file keeps what it was', { skip: posix }, async (t) => {
  const folder = makeFolder(t, { 'a.ts': 'a\n' });
  linkSync(join(folder, 'a.ts'), join(folder, 'other.ts'));
  await write(join(folder, 'a.ts'));
  assert.deepEqual([readFileSync(join(folder, 'other.ts'), 'utf8'), statSync(join(folder, 'a.ts')).nlink], ['a\n', 1]);
});
