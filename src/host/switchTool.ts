// Switches a tool off or on for this workspace, or for the user where no folder is open.
import * as vscode from 'vscode';

export async function switchTool(name: string, on: boolean): Promise<void> {
  const settings = vscode.workspace.getConfiguration('tidemark');
  const others = settings.get<readonly string[]>('tools.off', []).filter((one) => one !== name);
  const { Workspace, Global } = vscode.ConfigurationTarget;
  const target = vscode.workspace.workspaceFolders === undefined ? Global : Workspace;
  await settings.update('tools.off', on ? others : [...others, name].toSorted(), target);
}
