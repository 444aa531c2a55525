// Opens a place that an answer names, if it is a file of the workspace.
import * as vscode from 'vscode';
import { resolvePath } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { showWarning } from '../system/toast.ts';

export async function openPlace(workspace: Workspace, path: string, line: number): Promise<void> {
  const found = await resolvePath(workspace, path);
  if (!found.ok || found.place.kind !== 'file') {
    void showWarning(vscode.l10n.t('Tidemark: {0} is not a file of this workspace.', path));
    return;
  }
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.file(found.place.path), { selection: new vscode.Range(at, at) });
}
