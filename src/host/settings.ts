// Reads the settings from the editor and checks each value against the table.
import * as vscode from 'vscode';
import type { ChatSettings } from '../app/chat.ts';
import type { LoadParams } from '../protocol/engine.ts';
import { problemOf, type SettingKey, type SettingValue, settingTable } from './settingTable.ts';

export interface Settings {
  readonly chat: ChatSettings;
  readonly load: LoadParams;
}

/** Reads all settings. An invalid value counts as its default and is reported once by `complain`. */
export function readSettings(complain: (message: string) => void): Settings {
  const get = <K extends SettingKey>(key: K): SettingValue<K> => readSetting(key, complain);
  const layers = get('model.gpuLayers');
  const threads = get('model.threads');
  return {
    load: {
      modelPath: get('model.path').trim(),
      contextSize: get('model.contextSize'),
      gpu: get('model.gpu') as LoadParams['gpu'],
      gpuLayers: layers < 0 ? null : layers,
      threads: threads === 0 ? null : threads,
      slots: 1,
    },
    chat: {
      policy: {
        reserve: get('generation.reserve'),
        lowWater: get('context.lowWater'),
        stubAt: get('context.stubAt'),
        keepRecentToolResults: get('context.keepRecentToolResults'),
        toolResultMaxShare: get('context.toolResultMaxShare'),
        maxToolRounds: get('context.maxToolRounds'),
      },
      sampling: { temperature: get('generation.temperature'), seed: null },
      warm: get('cache.warm'),
    },
  };
}

function readSetting<K extends SettingKey>(key: K, complain: (message: string) => void): SettingValue<K> {
  const setting = settingTable[key];
  const value: unknown = vscode.workspace.getConfiguration('tidemark').get(key);
  if (value === undefined) return setting.default as SettingValue<K>;
  const problem = problemOf(setting, value);
  if (problem === null) return value as SettingValue<K>;
  complain(`tidemark.${key} is ${JSON.stringify(value)}, but ${problem}. ${JSON.stringify(setting.default)} is used.`);
  return setting.default as SettingValue<K>;
}
