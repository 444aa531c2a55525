// Lets the user pick a GGUF file and writes it into the user's own settings.
import * as vscode from 'vscode';

export async function chooseModel(): Promise<void> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: 'Choose a GGUF model file',
      filters: { 'GGUF models': ['gguf'] },
      canSelectMany: false,
    })) ?? [];
  if (file === undefined) return;
  await vscode.workspace
    .getConfiguration('tidemark')
    .update('model.path', file.fsPath, vscode.ConfigurationTarget.Global);
}
