// Files that the user has marked as read-only in the editor, or that may not be written: nothing is put into them.
import { basename } from 'node:path';
import * as vscode from 'vscode';

type Globs = Readonly<Record<string, boolean>>;

/** Why nothing may be put into a document, in words; null where it may. What was locked for the session only, the editor tells nobody. */
export async function readOnlyWords(document: vscode.TextDocument): Promise<string | null> {
  const files = vscode.workspace.getConfiguration('files', document.uri);
  const matches = (globs: Globs) =>
    Object.entries(globs).some(
      ([pattern, on]) => on && vscode.languages.match({ pattern: patternFor(document.uri, pattern) }, document) > 0,
    );
  const marked = matches(files.get<Globs>('readonlyInclude', {})) && !matches(files.get<Globs>('readonlyExclude', {}));
  if (!marked && !(await isLocked(document.uri))) return null;
  return vscode.l10n.t('{0} is read-only. Nothing was changed.', basename(document.uri.path));
}

function patternFor(uri: vscode.Uri, glob: string): vscode.GlobPattern {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder === undefined ? glob : new vscode.RelativePattern(folder, glob);
}

async function isLocked(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file') return false;
  try {
    const { permissions } = await vscode.workspace.fs.stat(uri);
    return permissions === vscode.FilePermission.Readonly;
  } catch {
    return false;
  }
}
