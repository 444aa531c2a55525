// Inside the real extension host: what a folder's own settings may not do, and that it is named.
import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { editorWorkspace } from '../../src/host/editor/editorWorkspace.ts';
import { ignoredIn } from '../../src/host/settings/ignored.ts';
import { readSettings } from '../../src/host/settings/readSettings.ts';
import { settingTable } from '../../src/settings/settingTable.ts';

const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const file = () => join(folder(), '.vscode', 'settings.json');
const machine = Object.entries(settingTable).filter(([, { scope }]) => scope === 'machine');

/** A valid value that is not the default. */
function otherValue(setting: (typeof settingTable)[keyof typeof settingTable]): unknown {
  if (setting.type === 'string') return setting.enum?.at(-1) ?? '/evil/model.gguf';
  return setting.type === 'boolean' ? !setting.default : (setting.maximum ?? 1);
}

/** The editor reads a changed file of settings some time later. */
async function until(wanted: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !wanted(); i++) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(wanted());
}

suite('A folder in the extension host', () => {
  test('sets no setting of the machine, and each one that it tries is named', async () => {
    const former = await readFile(file(), 'utf8').catch(() => null);
    const all = Object.fromEntries(machine.map(([key, setting]) => [`tidemark.${key}`, otherValue(setting)]));
    const before = readSettings(() => undefined);
    await mkdir(dirname(file()), { recursive: true });
    const mark = { 'tidemark.generation.reserve': 1061 };
    await writeFile(file(), `// Mine.\n${JSON.stringify({ ...all, ...mark }, null, 2)}`);
    const configuration = () => vscode.workspace.getConfiguration('tidemark');
    await until(() => configuration().get('generation.reserve') === 1061);
    assert.ok(machine.length > 5);
    for (const [key] of machine) {
      const { globalValue, defaultValue, workspaceValue, workspaceFolderValue } = configuration().inspect(key) ?? {};
      assert.deepEqual(configuration().get(key), globalValue ?? defaultValue, key);
      assert.deepEqual([workspaceValue, workspaceFolderValue], [undefined, undefined], key);
    }
    const now = readSettings(() => undefined);
    assert.deepEqual([now.load, now.summariser], [before.load, before.summariser]);
    assert.equal(now.chat.snapshotBytes, before.chat.snapshotBytes);
    const [words = ''] = await ignoredIn(editorWorkspace(), []);
    for (const [key] of machine) assert.ok(words.includes(`tidemark.${key}`), key);
    assert.doesNotMatch(words, /trimTarget/);
    await (former === null ? unlink(file()) : writeFile(file(), former));
    await until(() => configuration().get('generation.reserve') !== 1061);
  });

  test('brings in no text by a link that leads out of it', async () => {
    const secret = join(tmpdir(), `tidemark-secret-${process.pid}.md`);
    const link = join(folder(), 'LEAK.md');
    await writeFile(secret, 'The secret word is barnacle.');
    await symlink(secret, link);
    const words = await ignoredIn(editorWorkspace(), ['LEAK.md', 'README.md']);
    assert.deepEqual(words, ['LEAK.md is outside the workspace and was skipped. Copy it into the folder to use it.']);
    await Promise.all([unlink(link), unlink(secret)]);
  });
});
