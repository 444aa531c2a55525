// Tests that changes of an agent are taken back through the editor: byte for byte on disk, unsaved buffers stay unsaved, and formatters do not surprise.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createEditTools } from '../../src/edits/tools.ts';
import { renameSymbol } from '../../src/host/editor/editorTools.ts';
import { changesIn } from '../../src/host/edits/changes.ts';
import { editorFiles } from '../../src/host/edits/editorFiles.ts';
import { EditorReview } from '../../src/host/review/editorReview.ts';
import { openStore } from '../../src/store/store.ts';
import { disk, place, root } from './folder.ts';

/** Edits of one turn, made by the tools, and the review over them. */
async function reviewing() {
  const store = await openStore(join(mkdtempSync(join(tmpdir(), 'tm-review-')), 'tidemark.sqlite'));
  store.sessions.createSession({ id: 's', workspace: root(), system: '', created: 1 });
  const review = new EditorReview(store.fileSnapshots, () => ({ bytes: 1e9, since: 0 }), true);
  const workspace = { folders: [{ name: 'f', path: root() }], unsaved: () => [] };
  const [tool] = createEditTools({
    workspace,
    files: editorFiles,
    keep: review.reviews.keeperFor('s'),
    rename: renameSymbol,
  });
  const known = { message: 'm', seen: new Map(), beside: [], failed: new Map(), days: [] };
  const { signal } = new AbortController();
  const edit = async (name: string, given: Readonly<Record<string, unknown>>) => {
    assert.ok(tool?.effect === 'write');
    const [deed] = await tool.deeds.plan([{ id: '1', name, arguments: given }], known, {
      message: '',
      hasOthers: false,
    });
    assert.ok(deed !== undefined && 'run' in deed);
    const answers = await deed.run(signal, () => undefined);
    return answers.get('1');
  };
  const end = () => {
    review.dispose();
    store.close();
  };
  return { review, edit, end };
}

/** A language server needs a while to know a file. */
async function serverFor(path: string): Promise<void> {
  const uri = vscode.Uri.file(path);
  for (let i = 0; i < 100; i++) {
    const found = await vscode.commands.executeCommand<unknown[]>('vscode.executeDocumentSymbolProvider', uri);
    if ((found?.length ?? 0) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Once the editor has done what it does by itself. */
async function until(is: () => boolean, event: vscode.Event<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const heard = event(() => is() && resolve());
  if (!is()) await promise;
  heard.dispose();
}

suite('code blocks in the editor', () => {
  test('files are changed, created and deleted together, unsaved where they were there, and all come back', async () => {
    const { review, end } = await reviewing();
    const path = place('block.txt', '\ufeffone\r\ntwo\r\n');
    place('gone.txt', 'gone\n');
    const file = (name: string) => vscode.Uri.file(join(root(), name));
    const made = { 'block.txt': 'one\r\nTWO\r\n', 'made/new.txt': 'new\n', 'gone.txt': null };
    const edits = Object.entries(made).map(([name, text]) => ({ file: file(name), text, block: 'b' }));
    await changesIn(review.reviews, 's').apply(edits);
    assert.deepEqual([disk('block.txt'), disk('made/new.txt')], ['\ufeffone\r\ntwo\r\n', 'new\n']);
    assert.equal(existsSync(file('gone.txt').fsPath), false);
    const { files } = await review.view('s');
    assert.deepEqual(
      files.map(({ name, is, saved, blocks }) => [name, is, saved, blocks]),
      [
        ['block.txt', 'changed', false, ['b']],
        ['gone.txt', 'deleted', true, ['b']],
        ['made/new.txt', 'new', true, ['b']],
      ],
    );
    await review.decide('keep', vscode.Uri.file(path), null);
    assert.equal(disk('block.txt'), '\ufeffone\r\nTWO\r\n');
    assert.deepEqual(await review.reviews.decideAll('s', 'undo'), []);
    assert.deepEqual([existsSync(file('made/new.txt').fsPath), disk('gone.txt')], [false, 'gone\n']);
    end();
  });

  test('where the editor saves by itself, Undo writes the former bytes', async () => {
    const { review, end } = await reviewing();
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Workspace);
    await settings.update('autoSaveDelay', 50, vscode.ConfigurationTarget.Workspace);
    const path = place('auto.txt', '\ufeffone\ntwo\n');
    await changesIn(review.reviews, 's').apply([{ file: vscode.Uri.file(path), text: 'one\nTWO\n', block: 'b' }]);
    await until(() => disk('auto.txt') === '\ufeffone\nTWO\n', vscode.workspace.onDidSaveTextDocument);
    assert.equal((await review.view('s')).files[0]?.saved, true);
    await review.decide('undo', vscode.Uri.file(path), null);
    assert.equal(disk('auto.txt'), '\ufeffone\ntwo\n');
    for (const name of ['autoSave', 'autoSaveDelay'])
      await settings.update(name, undefined, vscode.ConfigurationTarget.Workspace);
    end();
  });
});

suite('changes taken back through the editor', () => {
  test('a saved file comes back byte for byte, and with Redo what was made of it', async () => {
    const { review, edit, end } = await reviewing();
    const text = '\ufeffone\r\ntwo\nthree\r\n';
    const path = place('bytes.txt', text);
    await edit('edit_file', { path: 'bytes.txt', old: 'two', new: 'TWO' });
    const after = disk('bytes.txt');
    assert.equal(await review.decide('undo', vscode.Uri.file(path), null), true);
    assert.equal(disk('bytes.txt'), text);
    await review.reviews.redo(path);
    assert.equal(disk('bytes.txt'), after);
    end();
  });

  test('a deleted file comes back with its mode, and a new one goes', async () => {
    const { review, edit, end } = await reviewing();
    const path = place('run.sh', 'echo one\n');
    chmodSync(path, 0o755);
    await edit('delete_file', { path: 'run.sh' });
    await edit('write_file', { path: 'deep/new.txt', content: 'new\n' });
    assert.equal(existsSync(path), false);
    assert.deepEqual(await review.reviews.undoTurns('s', new Set(['m'])), []);
    assert.deepEqual([disk('run.sh'), statSync(path).mode & 0o777], ['echo one\n', 0o755]);
    assert.equal(existsSync(join(root(), 'deep', 'new.txt')), false);
    end();
  });

  test('in an unsaved buffer the change goes and the rest stays, unsaved', async () => {
    const { review, edit, end } = await reviewing();
    const path = place('buffer.txt', 'one\ntwo\n');
    const document = await vscode.workspace.openTextDocument(path);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), 'mine\n'));
    const answer = await edit('edit_file', { path: 'buffer.txt', old: 'two', new: 'TWO' });
    assert.match(answer?.body ?? '', /buffer\.txt has other changes that the user has not saved/);
    assert.equal(document.getText(), 'mine\none\nTWO\n');
    await review.decide('undo', vscode.Uri.file(path), null);
    assert.equal(document.getText(), 'mine\none\ntwo\n');
    assert.deepEqual([document.isDirty, disk('buffer.txt')], [true, 'one\ntwo\n']);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    end();
  });

  test('a formatter that runs on save is told to the model, is no change of somebody else, and leaves the way back alone', async () => {
    const { review, edit, end } = await reviewing();
    const formatter = vscode.languages.registerDocumentFormattingEditProvider('plaintext', {
      provideDocumentFormattingEdits: (document) => [
        vscode.TextEdit.replace(
          new vscode.Range(0, 0, document.lineCount, 0),
          document.getText().replace(/[^\S\n]+/g, ' '),
        ),
      ],
    });
    const settings = vscode.workspace.getConfiguration('editor');
    await settings.update('formatOnSave', true, vscode.ConfigurationTarget.Workspace);
    const text = 'one   two\nthree\n';
    const path = place('format.txt', text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(path));
    const answer = await edit('edit_file', { path: 'format.txt', old: 'three', new: 'THREE   four' });
    assert.equal(disk('format.txt'), 'one two\nTHREE four\n');
    assert.match(answer?.body ?? '', /The editor formatted format\.txt when it was saved: read it again/);
    const standing = await review.reviews.standing(path);
    assert.equal(standing?.mixed, false);
    await review.decide('undo', vscode.Uri.file(path), null);
    assert.equal(disk('format.txt'), text, 'whatever the formatter makes of it');
    formatter.dispose();
    await settings.update('formatOnSave', undefined, vscode.ConfigurationTarget.Workspace);
    end();
  });

  test('a function is renamed by the language server in all files that use it, and taken back in all', async () => {
    const { review, edit, end } = await reviewing();
    const files = {
      'tide.ts': 'export function tideAt(hour: number): number {\n  return hour;\n}\n',
      'uses.ts': "import { tideAt } from './tide';\n\nconsole.log(tideAt(3));\n",
    };
    for (const [name, text] of Object.entries(files)) place(name, text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(join(root(), 'tide.ts')));
    await serverFor(join(root(), 'tide.ts'));
    const answer = await edit('rename_symbol', { path: 'tide.ts', name: 'tideAt', to: 'flowAt' });
    assert.match(answer?.head ?? '', /Renamed tideAt to flowAt in 2 files/);
    assert.equal(disk('uses.ts'), files['uses.ts'].replaceAll('tideAt', 'flowAt'));
    assert.deepEqual(await review.reviews.undoTurns('s', new Set(['m'])), []);
    for (const [name, text] of Object.entries(files)) assert.equal(disk(name), text);
    end();
  });
});
