// The settings of a window as a value: read when the editor says that they changed, and by nobody meanwhile.
import * as vscode from 'vscode';
import { readValues } from '../host/settings/readSettings.ts';
import { type Settings, settingsOf } from '../settings/settings.ts';

/**
 * Gives the settings with the agent of a name, or with the one that they name: the same object until they change. Made before whatever else hears
 * of changed settings, so that all others hear of them with the new ones at hand.
 */
export function followSettings(
  complain: (message: string) => void,
  subscriptions: vscode.Disposable[],
): (agent?: string | null) => Settings {
  let values = readValues(complain);
  const made = new Map<string | null, Settings>();
  const read = () => {
    values = readValues(complain);
    made.clear();
  };
  subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('tidemark') && read()),
    // What the editor leaves out of a folder that is not trusted, and what another folder says.
    vscode.workspace.onDidGrantWorkspaceTrust(read),
    vscode.workspace.onDidChangeWorkspaceFolders(read),
  );
  return (agent = null) => {
    const settings = made.get(agent) ?? settingsOf(values, agent, complain);
    made.set(agent, settings);
    return settings;
  };
}
