// Switches a tool off or on for this workspace, or for the user where no folder is open.
import * as vscode from 'vscode';

let last: Promise<void> = Promise.resolve();

/** Writes in turn: each switch begins with what the one before left. */
export function switchTool(name: string, on: boolean): Promise<void> {
  const done = last.then(() => write(name, on));
  last = done.catch(() => undefined);
  return done;
}

async function write(name: string, on: boolean): Promise<void> {
  const settings = vscode.workspace.getConfiguration('tidemark');
  const off: unknown = settings.get('tools.off');
  // The user may have written anything there.
  const others = Array.isArray(off) ? off.filter((one) => one !== name) : [];
  const { Workspace, Global } = vscode.ConfigurationTarget;
  const target = vscode.workspace.workspaceFolders === undefined ? Global : Workspace;
  await settings.update('tools.off', on ? others : [...others, name].toSorted(), target);
}
