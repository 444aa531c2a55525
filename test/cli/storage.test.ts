// The command line reads an editor's storage, and no copy of that stays behind.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { knownIn } from '../../lab/cli/storage.ts';
import type { Memory } from '../../src/core/memory/memory.ts';
import { openStore } from '../../src/store/store.ts';
import { newPath, row, user } from '../store/samples.ts';
import { temporary } from '../temporary.ts';

const memory: Memory = {
  id: 'm1',
  workspace: row.workspace,
  kind: 'fact',
  text: 'The tide is high.',
  created: 1,
  changed: 1,
  source: 'command',
};

test('notes and conversations are read while no copy lies in the temporary folder', async (context) => {
  const path = newPath();
  const store = await openStore(path);
  store.sessions.createSession(row);
  store.sessions.appendItem(row.id, user('u1', null));
  store.memory.putMemory(memory);
  const [folder, before] = [temporary('tidemark-home-'), process.env.TMPDIR];
  context.after(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  process.env.TMPDIR = folder;
  const known = await knownIn(dirname(path), row.id);
  assert.deepEqual(process.platform === 'win32' ? [] : readdirSync(folder), []);
  assert.deepEqual(known.memory.memories(row.workspace), [memory]);
  assert.equal(known.session?.dialog.items.length, 1);
  store.close();
});

test('a conversation that is not there is said, and leaves nothing either', async () => {
  const path = newPath();
  (await openStore(path)).close();
  await assert.rejects(knownIn(dirname(path), 'gone'), /There is no conversation gone\./);
  await assert.rejects(knownIn(temporary('tidemark-empty-'), null), /There is no tidemark\.sqlite/);
});
