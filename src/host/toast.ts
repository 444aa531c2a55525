// Messages of the editor. It makes links of `[words](command:…)`, and the words may be a model's, a file's or a folder's.
import * as vscode from 'vscode';

/** The same words, in which nothing is a link. */
export function plainWords(words: string): string {
  return words.replaceAll('](', '] (');
}

export function showWarning(words: string, ...answers: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(plainWords(words), ...answers);
}

export function showError(words: string): void {
  void vscode.window.showErrorMessage(plainWords(words));
}

export function showInformation(words: string): void {
  void vscode.window.showInformationMessage(plainWords(words));
}
