// Puts what was chosen in the Explorer, on an editor's tab or in a terminal beside the next message, as a mention.
import * as vscode from 'vscode';
import { register, showProblem } from '../handlers/receive.ts';
import { showInformation } from '../system/toast.ts';
import type { AskingView } from './editorCommands.ts';
import { mentionOf } from './editorMessages.ts';

export function registerAddToChat(asking: AskingView): readonly vscode.Disposable[] {
  const add = async (words: string) => {
    asking.draft(`${words} `);
    await vscode.commands.executeCommand('tidemark.chat.focus');
  };
  return [
    // The editor hands over what was clicked, and with it all that is selected.
    register('addToChat', (clicked, selected) => void addFiles(add, filesIn(clicked, selected)).catch(showProblem)),
    register('addTerminal', () => void add('@terminal').catch(showProblem)),
  ];
}

/** From the palette nothing is given: the file of the editor in front is meant. */
function filesIn(clicked: unknown, selected: unknown): readonly vscode.Uri[] {
  const all = Array.isArray(selected) ? selected.filter((one) => one instanceof vscode.Uri) : [];
  if (all.length > 0) return all;
  const one = clicked instanceof vscode.Uri ? clicked : vscode.window.activeTextEditor?.document.uri;
  return one === undefined ? [] : [one];
}

async function addFiles(add: (words: string) => Promise<void>, uris: readonly vscode.Uri[]): Promise<void> {
  const inside = uris.filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined);
  if (inside.length === 0) {
    showInformation(vscode.l10n.t('Choose a file or folder of the workspace.'));
    return;
  }
  await add((await Promise.all(inside.map(wordOf))).join(' '));
}

async function wordOf(uri: vscode.Uri): Promise<string> {
  const { type } = await vscode.workspace.fs.stat(uri);
  const place = { path: vscode.workspace.asRelativePath(uri), lines: null };
  return (type & vscode.FileType.Directory) === 0 ? mentionOf(place) : mentionOf(place).replace('@file:', '@folder:');
}
