// Every setting, in the groups and the order in which the editor shows them. package.json, package.nls.json and docs/settings.md are made of this:
// `npm run settings`.

import { t } from '@vscode/l10n';
import type { AgentSettings } from './agentsSchema.ts';
import { agents, commands, edits, engine, model, network, performance, suggestions } from './machineSettings.ts';
import { advanced, chat, compaction, context } from './promptSettings.ts';
import { problemIn } from './schemaProblem.ts';
import { type Schema, type Setting, type SettingRow, settingOf } from './settingRow.ts';

/** A key of `tidemark.advanced` is a setting of its own in all but the editor. */
export const partPrefix = 'advanced.';

const whole = {
  advanced: [
    {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries<SettingRow>(advanced).map(([key, row]) => {
          const { scope: _, ...range } = settingOf(row);
          return [key.slice(partPrefix.length), { ...range, description: row[1] }];
        }),
      ),
      scope: 'window',
      tags: ['advanced'],
    },
    'Parts of the context and the caches that rarely need a change, such as `{"pruneAt": 0.3}`. The guide *From the sources* says what other agents choose.',
  ],
} as const;

export const settingGroups: Readonly<
  Record<string, readonly [title: string, rows: Readonly<Record<string, SettingRow>>]>
> = {
  model: ['Model', model],
  engine: ['Engine', engine],
  chat: ['Chat', { ...agents, ...chat }],
  edits: ['Edits', edits],
  suggestions: ['Inline Suggestions', suggestions],
  commands: ['Commands', commands],
  context: ['Context', context],
  compaction: ['Summaries', compaction],
  performance: ['Performance', performance],
  network: ['Privacy and Network', network],
  advanced: ['Advanced', whole],
};

const rows = {
  ...model,
  ...engine,
  ...agents,
  ...chat,
  ...edits,
  ...suggestions,
  ...commands,
  ...context,
  ...compaction,
  ...performance,
  ...network,
  ...whole,
  ...advanced,
};

export type SettingKey = keyof typeof rows;

export const settingTable = Object.fromEntries(
  Object.entries<SettingRow>(rows).map(([key, row]) => [key, settingOf(row)]),
) as Readonly<Record<SettingKey, Setting>>;

interface Types extends Record<Schema['type'], unknown> {
  array: readonly string[];
  object: Readonly<Record<string, AgentSettings>>;
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
}

export type SettingValue<K extends SettingKey> = (typeof rows)[K] extends readonly [Schema, string, infer Choices]
  ? keyof Choices
  : Types[(typeof rows)[K][0]['type']] | ((typeof rows)[K][0] extends { readonly or: infer Word } ? Word : never);

/** Gives the value that counts. */
export type GetSetting = <K extends SettingKey>(key: K) => SettingValue<K>;

/** Says what is wrong with a value; null where nothing is. */
export function settingProblem(setting: Setting, value: unknown): string | null {
  const { type, minimum = -Infinity, maximum = Infinity, or } = setting;
  if (or !== undefined && value === or) return null;
  if (type === 'array' || type === 'object') {
    // To compile a schema takes longer than all else at the editor's start.
    return JSON.stringify(value) === JSON.stringify(setting.default) ? null : problemIn(setting, value);
  }
  if (type === 'integer' && !Number.isInteger(value))
    return or === undefined ? t('it must be a whole number') : t('it must be a whole number or "{0}"', or);
  if (type === 'number' && !(typeof value === 'number' && Number.isFinite(value))) return t('it must be a number');
  if (type === 'boolean' && typeof value !== 'boolean') return t('it must be true or false');
  if (type === 'string' && typeof value !== 'string') return t('it must be text');
  if (Number(value) < minimum || Number(value) > maximum) return t('it must be from {0} to {1}', minimum, maximum);
  if (setting.enum?.some((one) => one === value) === false) return t('it must be one of {0}', setting.enum.join(', '));
  return null;
}
