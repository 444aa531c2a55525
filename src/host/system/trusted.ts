// Restricted Mode: what reads a file on a click says why it does not.
import * as vscode from 'vscode';
import { showInformation } from './toast.ts';

/** Whether files of the open folder may be read; where not, the user is told. */
export function mayRead(): boolean {
  if (vscode.workspace.isTrusted) return true;
  showInformation(vscode.l10n.t('Restricted Mode: no files are read or changed until you trust this folder.'));
  return false;
}
