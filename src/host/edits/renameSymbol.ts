// Renames a symbol everywhere, as the editor's language server does: told as texts, so that it is shown and asked for like any other change.
import * as vscode from 'vscode';
import type { Rename } from '../../edits/calls/renaming.ts';
import { editorFiles } from './editorFiles.ts';

/** Files that are opened for the language server at most: without a project it knows those alone that are open. */
const mostOpened = 100;

export const renameSymbol: Rename = async (path, { line, character }, to, using) => {
  for (const file of using.slice(0, mostOpened))
    await vscode.workspace.openTextDocument(vscode.Uri.file(file)).then(undefined, () => undefined);
  const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
    'vscode.executeDocumentRenameProvider',
    vscode.Uri.file(path),
    new vscode.Position(line, character),
    to,
  );
  const entries = edit?.entries() ?? [];
  if ((edit?.size ?? 0) > entries.length) throw new Error('the language server would also rename files.');
  const texts = entries.map(async ([uri, edits]) => [uri.fsPath, await edited(uri, edits)] as const);
  return new Map(await Promise.all(texts));
};

async function edited(uri: vscode.Uri, edits: readonly vscode.TextEdit[]): Promise<string> {
  if (uri.scheme !== 'file') throw new Error(`it stands in ${uri.toString()}, which is no file.`);
  const document = await vscode.workspace.openTextDocument(uri);
  const text = document.getText();
  const found = await editorFiles.read(uri.fsPath);
  // The editor gives all lines the same end: places in it are no places in the file then.
  if (found.is !== 'text' || found.text !== text)
    throw new Error(`${vscode.workspace.asRelativePath(uri)} has line ends of several kinds, or cannot be changed.`);
  const places = edits.map(({ range, newText }) => ({
    from: document.offsetAt(range.start),
    to: document.offsetAt(range.end),
    newText,
  }));
  return places
    .toSorted((a, b) => b.from - a.from)
    .reduce((now, one) => now.slice(0, one.from) + one.newText + now.slice(one.to), text);
}
