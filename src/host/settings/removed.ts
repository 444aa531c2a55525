// Settings that there are no more, by their names. Whoever still has some is told of them, all at once and only once; the log says it each time.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { showWarning } from '../system/toast.ts';
import { type SettingKey, settingTable } from './settingTable.ts';

export interface Removed {
  /** What it counts as for one version, where that is not set; then null. No agent: it may name a server, and a folder must not choose that. */
  readonly successor: Exclude<SettingKey, 'agent' | 'agents'> | null;
  /** What to do instead. */
  readonly words: () => string;
}

type Removals = Readonly<Record<string, Removed>>;

export const removedSettings: Removals = {
  'context.lowWater': { successor: null, words: () => replacedBy('context.trimTarget') },
  'context.stubAt': { successor: null, words: () => replacedBy('context.pruneAt') },
  'cache.settleSeconds': { successor: null, words: () => replacedBy('cache.recomputeSeconds') },
};

const replacedBy = (key: SettingKey) => t('use tidemark.{0}', key);

/** What is set by the former name of a setting; undefined where nothing is. */
export function formerValue(key: SettingKey, removals: Removals = removedSettings): unknown {
  const former = Object.keys(removals).find((name) => removals[name]?.successor === key);
  return former === undefined ? undefined : setBy(former, removals);
}

/** Whether a folder may set it. The editor knows a removed setting no more, so it does not see to that. */
export function isOfMachine(name: string, removals: Removals = removedSettings): boolean {
  return settingTable[removals[name]?.successor ?? (name as SettingKey)]?.scope === 'machine';
}

function setBy(name: string, removals: Removals): unknown {
  const said = vscode.workspace.getConfiguration('tidemark').inspect(name);
  const isOwn = isOfMachine(name, removals) || !vscode.workspace.isTrusted;
  const foreign = isOwn ? undefined : (said?.workspaceFolderValue ?? said?.workspaceValue);
  return foreign ?? said?.globalValue;
}

const told = 'tidemark.removed';

/** Says in the log which of them are set, and in a message those that it has not named yet, with all others. */
export async function sayRemoved(
  memento: vscode.Memento,
  log: Pick<vscode.OutputChannel, 'appendLine'>,
  removals: Removals = removedSettings,
): Promise<void> {
  const found = Object.entries(removals).filter(([name]) => setBy(name, removals) !== undefined);
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
