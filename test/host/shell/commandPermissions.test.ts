// Permissions for commands that were given for good are listed, and what the user clears asks again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredPermission } from '../../../src/shell/permissions.ts';
import { editor, type FakeRow } from '../fakeVscode.ts';

const { registerPermissions } = await import('../../../src/host/shell/choosePermissions.ts');

const given = (kind: StoredPermission['kind'], text: string, within = '.'): StoredPermission => ({
  ...{ scope: 'folder', kind, text, within, fence: 'bubblewrap', conversation: 'one', files: {} },
});

test('what is cleared goes, what is left stays, and closing the list changes nothing', async () => {
  let all: readonly StoredPermission[] = [
    given('exact', 'npm test'),
    given('exact', 'make x', 'sub'),
    given('looks', ''),
  ];
  let set = 0;
  registerPermissions({
    get: () => all,
    set: async (now) => {
      all = now;
      set += 1;
    },
  });
  const open = async (choose: (rows: readonly FakeRow[]) => unknown) => {
    editor.pick = (rows) => choose(rows) as FakeRow;
    await editor.commands.get('tidemark.commandPermissions')?.();
    await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const labels: string[] = [];
  await open((rows) => {
    labels.push(...rows.map(({ label }) => label));
    return undefined;
  });
  assert.deepEqual([labels, set, all.length], [['npm test', 'make x (sub)', 'All read-only commands'], 0, 3]);
  await open((rows) => rows.slice(1, 2));
  assert.deepEqual(
    all.map(({ text }) => text),
    ['make x'],
  );
  await open(() => []);
  assert.deepEqual(all, []);
  await open(() => assert.fail('there is nothing to choose'));
  assert.match(editor.told.at(-1) ?? '', /No command is permanently allowed/);
});
