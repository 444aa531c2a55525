// A commit message from the view of the source control: asked for in the chat, where it can be seen, and put into the box.
import * as vscode from 'vscode';
import { type GitRepository, repositories } from '../git/repositories.ts';
import { register, showProblem } from '../handlers/receive.ts';
import { showInformation } from '../system/toast.ts';
import { mayRead } from '../system/trusted.ts';

const request =
  'Write a commit message for these changes: one line in the imperative of at most 72 characters and, if it needs reasons, a blank line and the reasons. Answer with the message only. @changes';

/** `ask` sends a message and gives its whole answer; null where there is none, or another answer is being written. */
export function registerCommitMessage(ask: (text: string) => Promise<string | null>): vscode.Disposable {
  return register('commitMessage', (given) => void write(ask, given).catch(showProblem));
}

async function write(ask: (text: string) => Promise<string | null>, given: unknown): Promise<void> {
  if (!mayRead()) return;
  const all = await repositories();
  const repository = all?.find(({ rootUri }) => rootUri.toString() === rootOf(given)) ?? all?.[0];
  if (repository === undefined)
    return void showInformation(vscode.l10n.t('Open a folder with a Git repository first.'));
  const answer = await ask(request);
  if (answer !== null) putInto(repository, messageIn(answer));
}

/** The view gives the command its source control. */
function rootOf(given: unknown): string {
  const root = (given as { readonly rootUri?: unknown } | undefined)?.rootUri;
  return root instanceof vscode.Uri ? root.toString() : '';
}

/** Adds the message below what the user has written. */
function putInto({ inputBox }: GitRepository, message: string): void {
  const written = inputBox.value.trim();
  inputBox.value = written === '' ? message : `${written}\n\n${message}`;
}

/** Models put it into a fence or quotes, or name it first. */
export function messageIn(answer: string): string {
  const fenced = /```[^\n]*\n([\s\S]*?)\n?```/.exec(answer)?.[1] ?? answer;
  return fenced
    .trim()
    .replace(/^(?:commit message|subject):\s*/i, '')
    .replace(/^(["'`])([\s\S]*)\1$/, '$2')
    .trim();
}
