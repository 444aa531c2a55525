// Settings that there are no more, by their names.
import { t } from '@vscode/l10n';
import { type SettingKey, settingTable } from './settingTable.ts';

export interface Removed {
  /**
   * The setting that takes the removed one's value for a version, where it is not set itself; null after that. No agent: it may name a
   * server, and a folder must not choose that.
   */
  readonly successor: Exclude<SettingKey, 'agent' | 'agents'> | null;
  /** Words about what to do instead. */
  readonly words: () => string;
}

/** A source of settings: an editor, or files. */
export interface Configuration {
  readonly isTrusted: boolean;
  /** Returns the value in force; undefined, or the editor's default for its type, where nobody set it. */
  get(key: string): unknown;
  inspect(key: string): SaidOf | undefined;
}

interface SaidOf {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

export type Removals = Readonly<Record<string, Removed>>;

export const removedSettings: Removals = {
  'context.lowWater': { successor: null, words: () => replacedBy('context.trimTarget') },
  'context.stubAt': { successor: null, words: () => replacedBy('context.pruneAt') },
  'context.trimEarly': { successor: null, words: () => t('it is always on') },
  'edits.snapshotDays': { successor: null, words: () => t('snapshots are kept for 30 days') },
  'cache.settleSeconds': { successor: null, words: () => replacedBy('cache.recomputeSeconds') },
};

const replacedBy = (key: SettingKey) => t('use tidemark.{0}', key);

/** Returns the value under the former name of a setting; undefined where none is set. */
export function formerValue(
  configuration: Configuration,
  key: SettingKey,
  removals: Removals = removedSettings,
): unknown {
  const former = Object.keys(removals).find((name) => removals[name]?.successor === key);
  return former === undefined ? undefined : setBy(configuration, former, removals);
}

/** Whether a folder may set it. The editor knows a removed setting no more, so it does not see to that. */
export function isOfMachine(name: string, removals: Removals = removedSettings): boolean {
  return settingTable[removals[name]?.successor ?? (name as SettingKey)]?.scope === 'machine';
}

/** Returns the value of a removed setting; undefined where none is set. */
export function setBy(configuration: Configuration, name: string, removals: Removals): unknown {
  const said = configuration.inspect(name);
  const isOwn = isOfMachine(name, removals) || !configuration.isTrusted;
  const foreign = isOwn ? undefined : (said?.workspaceFolderValue ?? said?.workspaceValue);
  return foreign ?? said?.globalValue;
}
