// The settings of a window as a value, read when the editor says that they changed and by nobody meanwhile, and what is done about a change.
import * as vscode from 'vscode';
import type { WindowEngines } from '../app/slots/windowEngines.ts';
import { showProblem } from '../host/handlers/receive.ts';
import { sayIgnored } from '../host/settings/ignored.ts';
import { complainOnce, readValues, sayRemoved } from '../host/settings/readSettings.ts';
import { type Settings, settingsOf } from '../settings/settings.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import type { WindowConversations } from './conversations.ts';

/**
 * Gives the settings with the agent of a name, or with the one that they name: the same object until they change. Made before whatever else hears
 * of changed settings, so that all others hear of them with the new ones at hand.
 */
export function followSettings(
  log: Pick<vscode.OutputChannel, 'appendLine'>,
  subscriptions: vscode.Disposable[],
): (agent?: string | null) => Settings {
  const complain = complainOnce(log);
  let values = readValues(complain);
  const made = new Map<string | null, Settings>();
  const read = () => {
    values = readValues(complain);
    made.clear();
  };
  subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('tidemark') && read()),
    // Trust brings in settings that the editor left out until then; another folder has settings of its own.
    vscode.workspace.onDidGrantWorkspaceTrust(read),
    vscode.workspace.onDidChangeWorkspaceFolders(read),
  );
  return (agent = null) => {
    const settings = made.get(agent) ?? settingsOf(values, agent, complain);
    made.set(agent, settings);
    return settings;
  };
}

/** Does what settings of the cache, the model and the agents ask for, now and whenever they change. */
export function actOnSettings(
  open: WindowConversations,
  { recheck, slots }: { readonly recheck: () => void; readonly slots: Pick<WindowEngines, 'tidy'> },
): vscode.Disposable {
  const tidy = () => void slots.tidy();
  tidy();
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('tidemark.cache')) tidy();
    // A running answer is not cut off: the end of its turn picks the change up.
    const names = [
      'tidemark.model',
      'tidemark.engine',
      'tidemark.servers',
      'tidemark.network.offline',
      'tidemark.cache.conversations',
      'tidemark.tools',
      'tidemark.agent',
      'tidemark.agents',
    ];
    // An answer that a server writes is cut off at once.
    if (change.affectsConfiguration('tidemark.network.offline')) recheck();
    const anew = names.some((name) => change.affectsConfiguration(name));
    for (const { view, ready } of anew ? open.chats : []) {
      const { engine: model, running } = view.snapshot;
      if (model.state !== 'off' && !running) void ready.open();
    }
  });
}

/** Tells what a folder asks for and does not get (`files`: its workspace texts), and which settings are gone. */
export function tellIgnored(
  workspace: Workspace,
  files: readonly string[],
  { workspaceState, globalState }: Pick<vscode.ExtensionContext, 'workspaceState' | 'globalState'>,
  log: vscode.OutputChannel,
): Promise<unknown> {
  const ignored = sayIgnored(workspace, files, workspaceState, log);
  return Promise.all([ignored, sayRemoved(globalState, log)]).catch(showProblem);
}
