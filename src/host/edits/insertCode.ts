// Puts a code block where the cursor is, in place of what is selected.
import * as vscode from 'vscode';
import { showWarning } from '../system/toast.ts';
import { readOnlyWords } from './readOnly.ts';

/** `editor`: the one that was used last, since a view that has the focus leaves none active. */
export async function insertCode(code: string, editor: vscode.TextEditor | undefined): Promise<void> {
  if (editor === undefined) {
    void showWarning(vscode.l10n.t('Open a file and place the cursor where the code goes, then try again.'));
    return;
  }
  const locked = await readOnlyWords(editor.document);
  if (locked !== null) return void showWarning(`Tidemark: ${locked}`);
  const text = code.replace(/\n$/, '');
  const { document, selections, viewColumn = vscode.ViewColumn.Active } = editor;
  // An editor behind another tab of its group takes no change until it is shown again.
  const shown = await vscode.window.showTextDocument(document, viewColumn);
  const edited = await shown.edit((edit) => {
    for (const selection of selections) edit.replace(selection, text);
  });
  if (!edited) throw new Error(vscode.l10n.t("Couldn't insert the code. The file is unchanged."));
}
