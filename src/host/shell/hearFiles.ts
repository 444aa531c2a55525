// Files that are changed on the disk while a command runs, as far as the editor hears of them.
import * as vscode from 'vscode';

/** Milliseconds after which the editor has told of a change. */
const settles = 400;
const mostHeard = 500;

/** From now on; gives their absolute paths when it is called. */
export function hearFiles(): () => Promise<readonly string[]> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return async () => [];
  const heard = new Set<string>();
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**'));
  const note = ({ fsPath }: vscode.Uri) => {
    if (heard.size < mostHeard) heard.add(fsPath);
  };
  const listeners = [watcher.onDidChange(note), watcher.onDidCreate(note), watcher.onDidDelete(note)];
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, settles));
    vscode.Disposable.from(watcher, ...listeners).dispose();
    return [...heard];
  };
}
