// Puts a code block where the cursor is, in place of what is selected.
import * as vscode from 'vscode';
import { showWarning } from './toast.ts';

export async function insertCode(code: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const writable = editor !== undefined && ['file', 'untitled'].includes(editor.document.uri.scheme);
  if (!writable) {
    void showWarning(
      vscode.l10n.t('Tidemark: no file is open. Open one, put the cursor where the code goes, and try again.'),
    );
    return;
  }
  const text = code.replace(/\n$/, '');
  const edited = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!edited) throw new Error(vscode.l10n.t('The editor did not take the code. The file is as it was.'));
  const column = editor.viewColumn ?? vscode.ViewColumn.Active;
  await vscode.window.showTextDocument(editor.document, column);
}
