// The tools as an editor window has them: none without a folder, and in one that is not trusted each says why it reads nothing.

import * as vscode from 'vscode';
import type { LookingTool, Tool } from '../../core/dialog/tool.ts';
import type { Rename } from '../../edits/calls/renaming.ts';
import { createEditTools, type EditPorts } from '../../edits/tools.ts';
import { textWithoutSecrets } from '../../secrets/lines.ts';
import { refuse } from '../../tools/files/result.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { createTools } from '../../tools/index.ts';
import { editorFiles } from '../edits/editorFiles.ts';

/** Their schemas stay, so that a folder that is trusted later does not make the prompt be read again. */
export function editorTools(workspace: Workspace, keep: EditPorts['keep'] | null): readonly Tool[] {
  if (workspace.folders.length === 0) return [];
  // In a folder that is not trusted, or where nothing can be kept, nothing that writes is in the prompt at all.
  const mayWrite = vscode.workspace.isTrusted && keep !== null && keep !== undefined;
  const edits = mayWrite
    ? createEditTools({ workspace, files: editorFiles, watchProblems, keep, rename: renameSymbol })
    : [];
  const reads = createTools(workspace).map(
    (tool): LookingTool => ({
      ...tool,
      run: async (args, signal, mayShow) =>
        vscode.workspace.isTrusted
          ? tool.run(args, signal, mayShow)
          : refuse('Restricted Mode: files cannot be read until the folder is trusted.'),
    }),
  );
  return [...reads, ...edits];
}

// Renames a symbol everywhere, as the editor's language server does: told as texts, so that it is shown and asked for like any other change.

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

// The problems that a change brought into files: those that the editor reports afterwards and did not before.

/** Milliseconds that a language server gets, and without another word from it. */
const longest = 2500;
const quiet = 400;
/** Problems that are told of each file at most. */
const most = 5;

/** Called before the change; what comes back, after it. Never rejects. */
function watchProblems(files: readonly string[]): () => Promise<ReadonlyMap<string, readonly string[]>> {
  const uris = files.map((path) => vscode.Uri.file(path));
  const before = new Map(uris.map((uri) => [uri.fsPath, counted(uri)]));
  return async () => {
    await settled(uris);
    return new Map(uris.map((uri) => [uri.fsPath, newIn(uri, before.get(uri.fsPath) ?? new Map())]));
  };
}

const errors = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity === 0);

/** Counts errors by their words, because lines move with an edit. */
function counted(uri: vscode.Uri): Map<string, number> {
  const all = new Map<string, number>();
  for (const { message } of errors(uri)) all.set(message, (all.get(message) ?? 0) + 1);
  return all;
}

function newIn(uri: vscode.Uri, before: Map<string, number>): readonly string[] {
  const left = new Map(before);
  const fresh = errors(uri).filter(({ message }) => {
    const known = left.get(message) ?? 0;
    left.set(message, known - 1);
    return known <= 0;
  });
  const name = vscode.workspace.asRelativePath(uri);
  const lines = fresh
    .slice(0, most)
    .map(
      ({ range, message }) =>
        `New problem: ${name}:${range.start.line + 1}: ${textWithoutSecrets(message.replace(/\s+/g, ' '), '').slice(0, 200)}`,
    );
  return fresh.length > most ? [...lines, `and ${fresh.length - most} more new problems in ${name}`] : lines;
}

/** Waits until the language servers have been quiet for a while. None may be looking at these files, so the wait for a first word is short. */
function settled(uris: readonly vscode.Uri[]): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(done, longest / 2);
    const end = setTimeout(done, longest);
    const hearing = vscode.languages.onDidChangeDiagnostics(({ uris: changed }) => {
      if (!changed.some((one) => uris.some((uri) => uri.fsPath === one.fsPath))) return;
      clearTimeout(timer);
      timer = setTimeout(done, quiet);
    });
    function done() {
      clearTimeout(timer);
      clearTimeout(end);
      hearing.dispose();
      resolve();
    }
  });
}
