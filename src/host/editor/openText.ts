// Shows a text in an editor of its own, not yet saved anywhere: the user decides where it goes.
import * as vscode from 'vscode';

export async function openText(language: string, content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language, content });
  await vscode.window.showTextDocument(document, { preview: false });
}
