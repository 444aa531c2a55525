// Files as the editor has them, for changes that a model makes: what is open is changed in its buffer, what was clean is saved, what was
// not stays unsaved. Everything goes through the editor, so that its undo knows it.
import { realpathSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { diskFiles, foreignFile } from '../../edits/files/diskFiles.ts';
import type { EditableFiles, EditableText, FileChange, ReadFile } from '../../edits/files/editable.ts';
import { changedMeanwhile, foundAt } from '../../edits/files/foundFile.ts';
import { inFolder, type OpenFolder } from '../../edits/files/openFolder.ts';
import { difference } from '../../edits/review/hunks.ts';
import { decoded, encoded } from '../../tools/files/encoding.ts';
import { sha256Of } from '../../tools/files/hash.ts';
import { readOnlyWords } from './readOnly.ts';

export const editorFiles: EditableFiles = {
  read: async (path) => {
    const open = openDocument(path);
    const found = await diskFiles.read(path);
    // The editor may have read bytes of another encoding as if they were UTF-8: saving would change them.
    if (open?.isDirty === true) return found === foreignFile ? found : unsavedText(open);
    if (found.is !== 'text') return found;
    const locked = await vscode.workspace.openTextDocument(vscode.Uri.file(path)).then(readOnlyWords, () => null);
    return locked === null ? found : { is: 'refused', why: 'it is read-only' };
  },
  change: async (changes) => {
    const written = new Map<string, EditableText>();
    for (const change of changes) {
      // The editor writes by paths: the folder is looked at directly before each step, and its new folders are made here.
      await inFolder(dirname(change.path), change.before === null, async (folder) => {
        await isAsRead(change);
        if (change.do === 'write') written.set(change.path, await write(change, change.text, folder));
        else if (change.do === 'put') written.set(change.path, await put(change, folder));
        else if (change.do === 'delete') await remove(change.path, folder);
        else await move(change.path, change.to, folder);
      });
    }
    return written;
  },
  save: async (path) => {
    const open = openDocument(path);
    if (open?.isDirty === true) await inFolder(dirname(path), false, (folder) => save(open, path, folder));
  },
};

async function unsavedText(document: vscode.TextDocument): Promise<ReadFile> {
  if ((await readOnlyWords(document)) !== null) return { is: 'refused', why: 'it is read-only' };
  const text = document.getText();
  return { is: 'text', text, hash: sha256Of(text), unsaved: true };
}

/** Also one that is open by a link. */
function openDocument(path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && isAt(uri.fsPath, path));
}

function isAt(open: string, path: string): boolean {
  if (open === path) return true;
  try {
    return basename(open) === basename(path) && realpathSync(open) === path;
  } catch {
    return false;
  }
}

async function isAsRead({ path, before }: FileChange): Promise<void> {
  const now = await editorFiles.read(path);
  if ((now.is === 'text' ? now.hash : null) !== before) throw changedMeanwhile(vscode.workspace.asRelativePath(path));
}

async function write({ path, before }: FileChange, text: string, folder: OpenFolder): Promise<EditableText> {
  const uri = openDocument(path)?.uri ?? vscode.Uri.file(path);
  const there = await diskFiles.read(path);
  if (there.is === 'absent' && openDocument(path) === undefined) {
    const edit = new vscode.WorkspaceEdit();
    edit.createFile(uri, { overwrite: false, contents: new TextEncoder().encode(text) });
    folder.look();
    await apply(edit, path);
    return stored(path);
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const wasDirty = document.isDirty;
  // The editor may have read it again since it was looked at.
  if (!wasDirty && there.is === 'text' && there.hash !== before)
    throw changedMeanwhile(vscode.workspace.asRelativePath(path));
  // The editor gives all lines the same end: a file with several kinds would change in every line.
  if (!wasDirty && there.is === 'text' && !isUniform(there.text, document)) {
    const like = (former: Buffer) => encoded(text, decoded(former) ?? { encoding: 'utf8', mark: false });
    return past(path, there.hash, like, folder);
  }
  const { from, to, text: put } = difference(document.getText(), inEndsOf(document, text));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(document.positionAt(from), document.positionAt(to)), put);
  folder.look();
  await apply(edit, path);
  if (wasDirty) return { text: document.getText(), hash: sha256Of(document.getText()), unsaved: true };
  await save(document, path, folder);
  return stored(path);
}

async function save(document: vscode.TextDocument, path: string, folder: OpenFolder): Promise<void> {
  folder.look();
  if (!isAt(document.uri.fsPath, path)) throw changedMeanwhile(vscode.workspace.asRelativePath(path));
  if (!(await document.save())) throw new Error(`${vscode.workspace.asRelativePath(document.uri)} could not be saved.`);
}

/** In an unsaved buffer, the text; else byte for byte, whatever the editor does when it saves. */
async function put(change: Extract<FileChange, { do: 'put' }>, folder: OpenFolder): Promise<EditableText> {
  const { path, bytes, mode } = change;
  const isNew = (await diskFiles.read(path)).is === 'absent';
  const text = decoded(bytes)?.text ?? Buffer.from(bytes).toString('utf8');
  const left = await write(change, text, folder);
  folder.look();
  if (isNew && !left.unsaved && mode !== null) await chmod(path, mode);
  if (left.unsaved || left.hash === sha256Of(bytes)) return left;
  return past(path, left.hash, () => bytes, folder);
}

/** Beside the editor, which reads the file again; not over what was saved since it had this hash. */
async function past(
  path: string,
  hash: string,
  like: (former: Buffer) => Uint8Array,
  folder: OpenFolder,
): Promise<EditableText> {
  folder.look();
  const found = foundAt(path);
  if (found === null || found.hash !== hash) throw changedMeanwhile(vscode.workspace.asRelativePath(path));
  await vscode.workspace.fs.writeFile(vscode.Uri.file(path), like(found.bytes));
  return stored(path);
}

async function stored(path: string): Promise<EditableText> {
  const now = await diskFiles.read(path);
  if (now.is !== 'text') throw new Error(`${vscode.workspace.asRelativePath(path)} is not there after it was written.`);
  return now;
}

/** Whether the editor's text, written with its line ends, is the file's. */
function isUniform(text: string, document: vscode.TextDocument): boolean {
  return document.getText() === text;
}

function inEndsOf({ eol }: vscode.TextDocument, text: string): string {
  return text.replace(/\r\n|\n|\r/g, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}

async function remove(path: string, folder: OpenFolder): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(vscode.Uri.file(path), { ignoreIfNotExists: false });
  folder.look();
  await apply(edit, path);
}

async function move(path: string, to: string, folder: OpenFolder): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(vscode.Uri.file(path), vscode.Uri.file(to), { overwrite: false });
  await inFolder(dirname(to), true, async (other) => {
    folder.look();
    other.look();
    await apply(edit, path);
  });
}

async function apply(edit: vscode.WorkspaceEdit, path: string): Promise<void> {
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error(`The editor did not take the change of ${vscode.workspace.asRelativePath(path)}.`);
}
