// Reads the settings from the editor, and says what is wrong with them or is there no more.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentSettings } from '../../settings/agentsSchema.ts';
import { type Configuration, type Removals, removedSettings, setBy } from '../../settings/removed.ts';
import type { Servers } from '../../settings/servers.ts';
import { type Settings, type SettingValues, settingsOf, valuesIn } from '../../settings/settings.ts';
import { settingProblem, settingTable } from '../../settings/settingTable.ts';
import { showWarning } from '../system/toast.ts';

export function editorConfiguration(): Configuration {
  const all = vscode.workspace.getConfiguration('tidemark');
  return {
    isTrusted: vscode.workspace.isTrusted,
    get: (key) => all.get(key),
    inspect: (key) => all.inspect(key),
  };
}

/** Reads the editor's configuration whole. An invalid value counts as its default and is reported by `complain`. */
export function readValues(complain: (message: string) => void): SettingValues {
  return valuesIn(editorConfiguration(), complain);
}

/** The settings of now, with the agent of that name. */
export function readSettings(complain: (message: string) => void, chosen: string | null = null): Settings {
  return settingsOf(readValues(complain), chosen, complain);
}

/** The user's agents that can be chosen, by name. */
export const usableAgents = (): Readonly<Record<string, AgentSettings>> => readValues(() => undefined).agents;

/** Returns the servers of the settings; none where they cannot be used. */
export function readServers(): Servers {
  const said = editorConfiguration().get('servers') ?? settingTable.servers.default;
  return settingProblem(settingTable.servers, said) === null ? (said as Servers) : {};
}

const complained = new Set<string>();

/** Shows each complaint about a setting once per value, and logs it. */
export function complainOnce(log: Pick<vscode.OutputChannel, 'appendLine'>): (message: string) => void {
  return (message) => {
    if (complained.has(message)) return;
    complained.add(message);
    log.appendLine(message);
    void showWarning(message);
  };
}

const told = 'tidemark.removed';

/** Says in the log which of them are set, and in a message those that it has not named yet, with all others. */
export async function sayRemoved(
  memento: vscode.Memento,
  log: Pick<vscode.OutputChannel, 'appendLine'>,
  removals: Removals = removedSettings,
): Promise<void> {
  const found = Object.entries(removals).filter(([name]) => setBy(editorConfiguration(), name, removals) !== undefined);
  if (found.length === 0) return;
  const list = found.map(([name, { words }]) => `tidemark.${name} (${words()})`).join(', ');
  const notice = t('These settings no longer exist: {0}.', list);
  log.appendLine(notice);
  const names = found.map(([name]) => name);
  const before = memento.get<readonly string[]>(told, []);
  if (names.every((name) => before.includes(name))) return;
  await memento.update(told, [...new Set([...before, ...names])]);
  void showWarning(notice);
}
