// Changes that a model makes go through the editor: what was clean is saved, what was not stays unsaved, and bytes that were not meant stay.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { editorFiles } from '../../src/host/edits/editorFiles.ts';
import { disk, place, root } from './folder.ts';

/** Changes one text as it is now. */
async function change(path: string, from: string, to: string): Promise<void> {
  const now = await editorFiles.read(path);
  assert.ok(now.is === 'text');
  await editorFiles.change([{ do: 'write', path, before: now.hash, text: now.text.replace(from, to) }]);
}

async function hashOf(path: string): Promise<string> {
  const now = await editorFiles.read(path);
  assert.ok(now.is === 'text');
  return now.hash;
}

async function remove(path: string): Promise<void> {
  await editorFiles.change([{ do: 'delete', path, before: await hashOf(path) }]);
}

suite('changes through the editor', () => {
  test('a clean file is changed and saved, with its byte order mark and line ends', async () => {
    const path = place('crlf.txt', '\ufeffone\r\ntwo\r\n');
    await change(path, 'two', 'TWO');
    assert.equal(disk('crlf.txt'), '\ufeffone\r\nTWO\r\n');
    await remove(path);
    assert.ok(!existsSync(path));
  });

  test('an unsaved file is changed where it is open and stays unsaved', async () => {
    const path = place('unsaved.txt', 'one\ntwo\n');
    const document = await vscode.workspace.openTextDocument(path);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'mine\n'));
    await change(path, 'two', 'TWO');
    assert.equal(document.getText(), 'mine\none\nTWO\n');
    assert.deepEqual([document.isDirty, disk('unsaved.txt')], [true, 'one\ntwo\n']);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'mine\none\ntwo\n');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await remove(path);
  });

  test('a file with several kinds of line ends changes in the one line alone', async () => {
    const path = place('mixed.txt', 'one\r\ntwo\nthree\r\n');
    await change(path, 'two', 'TWO');
    assert.equal(disk('mixed.txt'), 'one\r\nTWO\nthree\r\n');
    await remove(path);
  });

  test('a new file is made with its folders, and a moved one is under its new name alone', async () => {
    const path = join(root(), 'made', 'here.txt');
    await editorFiles.change([{ do: 'write', path, before: null, text: 'new\n' }]);
    const to = join(root(), 'made', 'there.txt');
    await editorFiles.change([{ do: 'move', path, to, before: await hashOf(path) }]);
    assert.deepEqual([existsSync(path), disk('made/there.txt')], [false, 'new\n']);
    await remove(to);
  });

  test('a file that changed since it was read is left alone', async () => {
    const path = place('raced.txt', 'one\n');
    const before = await hashOf(path);
    writeFileSync(path, 'one of another program\n');
    const text = 'ours\n';
    await assert.rejects(editorFiles.change([{ do: 'write', path, before, text }]), /was changed meanwhile/);
    assert.equal(disk('raced.txt'), 'one of another program\n');
    await remove(path);
  });
});
