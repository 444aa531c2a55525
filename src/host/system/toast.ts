// Messages of the editor. It makes links of `[words](command:…)`, and the words may be a model's, a file's or a folder's.
import * as vscode from 'vscode';

/** The same words, in which nothing is a link. */
export function plainWords(words: string): string {
  return words.replaceAll('](', '] (');
}

export function showWarning(words: string, ...answers: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(plainWords(words), ...answers);
}

export function showError(words: string, ...answers: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(plainWords(words), ...answers);
}

export function showInformation(words: string, ...answers: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(plainWords(words), ...answers);
}

/** Whether the user says yes to a question that must be answered first. */
export async function agrees(question: string, detail: string, yes: string): Promise<boolean> {
  const options = { modal: true, detail: plainWords(detail) };
  return (await vscode.window.showWarningMessage(plainWords(question), options, yes)) === yes;
}

/** The same for what harms nothing. */
export async function confirms(question: string, detail: string, yes: string): Promise<boolean> {
  const options = { modal: true, detail: plainWords(detail) };
  return (await vscode.window.showInformationMessage(plainWords(question), options, yes)) === yes;
}

/** Returns the user's answer to a question that must be answered first; undefined where it is closed. */
export async function chooses(
  question: string,
  detail: string,
  ...answers: readonly string[]
): Promise<string | undefined> {
  const options = { modal: true, detail: plainWords(detail) };
  return vscode.window.showWarningMessage(plainWords(question), options, ...answers);
}
