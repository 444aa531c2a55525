// Proposes a code block as a change of one file.
import * as vscode from 'vscode';
import type { Changes } from './changes.ts';
import { placeCode } from './placeChange.ts';

/** Compares with the file's text as the editor has it, saved or not. */
export async function applyToFile(changes: Changes, file: vscode.Uri, code: string): Promise<void> {
  const base = (await vscode.workspace.openTextDocument(file)).getText();
  const again = () => applyToFile(changes, file, code);
  await changes.show({ file, base, change: placeCode(base, code), again });
}
