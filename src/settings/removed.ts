// Settings that there are no more, by their names.
import { t } from '@vscode/l10n';
import { defaultMapTokens } from '../workspace/bundle.ts';
import { partPrefix, type SettingKey, settingTable } from './settingTable.ts';

export interface Removed {
  /**
   * The setting that takes the removed one's value for a version, where it is not set itself; null after that. No agent: it may name a
   * server, and a folder must not choose that.
   */
  readonly successor: Successor | null;
  /** The successor's value for that of the removed one, where it is not the same; undefined for none. */
  readonly value?: (former: unknown) => unknown;
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

type Successor = Exclude<SettingKey, 'agent' | 'agents'>;

function replacedBy(key: Successor): string {
  const part = key.startsWith(partPrefix) ? key.slice(partPrefix.length) : null;
  return part === null ? t('use tidemark.{0}', key) : t('use "{0}" in tidemark.advanced', part);
}

const movedTo = (name: string, key: Successor): Removals => ({
  [name]: { successor: key, words: () => replacedBy(key) },
});

export const removedSettings: Removals = {
  ...movedTo('context.workspaceMaxShare', 'advanced.workspaceMaxShare'),
  ...movedTo('context.knowledge', 'advanced.knowledge'),
  ...movedTo('context.toolResultMaxShare', 'advanced.toolResultMaxShare'),
  ...movedTo('context.maxToolRounds', 'advanced.maxToolRounds'),
  ...movedTo('context.messageCap', 'advanced.messageCap'),
  ...movedTo('context.trimTarget', 'advanced.trimTarget'),
  ...movedTo('context.pruneAt', 'advanced.pruneAt'),
  ...movedTo('context.keepRecentToolResults', 'advanced.keepRecentToolResults'),
  ...movedTo('context.trimMustPay', 'advanced.trimMustPay'),
  ...movedTo('context.compactAt', 'advanced.compactAt'),
  ...movedTo('compaction.tailShare', 'advanced.tailShare'),
  ...movedTo('compaction.tries', 'advanced.summaryTries'),
  ...movedTo('compaction.leaseSeconds', 'advanced.leaseSeconds'),
  ...movedTo('cache.reuse', 'advanced.cacheReuse'),
  ...movedTo('promptCache.enabled', 'advanced.promptCache'),
  ...movedTo('workspaceCache.enabled', 'advanced.workspaceCache'),
  ...movedTo('workspaceCache.debounceMilliseconds', 'advanced.workspaceDebounceMilliseconds'),
  ...movedTo('workspaceCache.maxAgeSeconds', 'advanced.workspaceMaxAgeSeconds'),
  ...movedTo('tokenCounter.enabled', 'advanced.tokenCounter'),
  ...movedTo('tokenCounter.cacheCapacity', 'advanced.tokenCountsKept'),
  ...movedTo('tokenCounter.source', 'advanced.tokenCountSource'),
  'cache.persist': {
    successor: 'cache.persistMaxMegabytes',
    value: (isOn) => (isOn === false ? 0 : undefined),
    words: () => replacedBy('cache.persistMaxMegabytes'),
  },
  'workspace.mapTokens': { successor: null, words: () => t('it is {0} tokens', defaultMapTokens) },
  'generation.topK': { successor: null, words: () => t('the model’s own value is used') },
  'generation.topP': { successor: null, words: () => t('the model’s own value is used') },
  'generation.minP': { successor: null, words: () => t('the model’s own value is used') },
  'cache.recomputeSeconds': { successor: null, words: () => t('it is one minute') },
  'completion.delay': { successor: null, words: () => t('it follows how fast you type') },
  'context.lowWater': { successor: null, words: () => replacedBy('advanced.trimTarget') },
  'context.stubAt': { successor: null, words: () => replacedBy('advanced.pruneAt') },
  'context.trimEarly': { successor: null, words: () => t('it is always on') },
  'edits.snapshotDays': { successor: null, words: () => t('snapshots are kept for 30 days') },
  'cache.settleSeconds': { successor: null, words: () => t('it is one minute') },
};

/** Returns the value under the former name of a setting; undefined where none is set. */
export function formerValue(
  configuration: Configuration,
  key: SettingKey,
  removals: Removals = removedSettings,
): unknown {
  const former = Object.keys(removals).find((name) => removals[name]?.successor === key);
  const said = former === undefined ? undefined : setBy(configuration, former, removals);
  const value = removals[former ?? '']?.value;
  return value === undefined || said === undefined ? said : value(said);
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
