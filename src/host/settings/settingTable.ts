// Every setting with type, default, range, scope and what it does, in the groups in which the editor shows them. Scope `machine` keeps a
// repository from setting it.

import { t } from '@vscode/l10n';
import type { AgentSettings } from './agentsSchema.ts';
import { cacheSettings } from './cacheSettings.ts';
import { chatSettings } from './chatSettings.ts';
import { compactionSettings } from './compactionSettings.ts';
import { contextSettings } from './contextSettings.ts';
import { editSettings } from './editSettings.ts';
import { engineSettings } from './engineSettings.ts';
import { mechanismSettings } from './mechanismSettings.ts';
import { modelSettings } from './modelSettings.ts';
import { networkSettings } from './networkSettings.ts';
import { problemIn } from './schemaProblem.ts';

/** In the order of the settings editor. */
export const settingGroups = [
  { id: 'model', title: 'Model', settings: modelSettings },
  { id: 'engine', title: 'Engine', settings: engineSettings },
  { id: 'chat', title: 'Chat', settings: chatSettings },
  { id: 'edits', title: 'Edits', settings: editSettings },
  { id: 'context', title: 'Context', settings: contextSettings },
  { id: 'compaction', title: 'Summaries', settings: compactionSettings },
  { id: 'performance', title: 'Performance', settings: cacheSettings },
  { id: 'network', title: 'Privacy and Network', settings: networkSettings },
  { id: 'internal', title: 'Advanced', settings: mechanismSettings },
] as const;

export const settingTable = {
  ...modelSettings,
  ...engineSettings,
  ...chatSettings,
  ...editSettings,
  ...contextSettings,
  ...compactionSettings,
  ...cacheSettings,
  ...networkSettings,
  ...mechanismSettings,
} as const;

/** Former names, which count where the new one is not set. They go with the next version. */
export const formerNames: Readonly<Record<string, string>> = {
  'context.trimTarget': 'context.lowWater',
  'context.pruneAt': 'context.stubAt',
  'cache.recomputeSeconds': 'cache.settleSeconds',
};

export type SettingKey = keyof typeof settingTable;

interface Types {
  array: readonly string[];
  object: Readonly<Record<string, AgentSettings>>;
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
}

export type SettingValue<K extends SettingKey> = Types[(typeof settingTable)[K]['type']];

/** What is wrong with a value, or null. */
export function settingProblem(setting: (typeof settingTable)[SettingKey], value: unknown): string | null {
  if (setting.type === 'array' || setting.type === 'object') {
    // To compile a schema takes longer than all else at the editor's start.
    return JSON.stringify(value) === JSON.stringify(setting.default) ? null : problemIn(setting, value);
  }
  if (setting.type === 'integer' && !Number.isInteger(value)) return t('it must be a whole number');
  if (setting.type === 'number' && !(typeof value === 'number' && Number.isFinite(value)))
    return t('it must be a number');
  if (setting.type === 'boolean' && typeof value !== 'boolean') return t('it must be true or false');
  if (setting.type === 'string' && typeof value !== 'string') return t('it must be text');
  if ('minimum' in setting && (Number(value) < setting.minimum || Number(value) > setting.maximum)) {
    return t('it must be from {0} to {1}', setting.minimum, setting.maximum);
  }
  if ('enum' in setting && !setting.enum.some((one) => one === value))
    return t('it must be one of {0}', setting.enum.join(', '));
  return null;
}
