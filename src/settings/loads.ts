// Tells what the settings have loaded on this machine: for conversations, and for inline suggestions beside them.
import { publishedSampling } from '../models/published.ts';
import type { LoadParams } from '../protocol/engine.ts';
import type { GetSetting } from './settingTable.ts';

export interface CompletionSettings {
  readonly enabled: boolean;
  /** Languages by the editor's identifiers. */
  readonly languagesOff: readonly string[];
  /** The model that is loaded for it beside the model of the chat; null where that one serves. */
  readonly load: LoadParams | null;
  /** Milliseconds; null for the user's own pace. */
  readonly delay: number | null;
}

export function readLoad(get: GetSetting, slots: number): LoadParams {
  const size = get('model.contextSize');
  const layers = get('model.gpuLayers');
  const threads = get('model.threads');
  const memory = get('model.memoryMegabytes');
  const modelPath = get('model.path').trim();
  const [sampling, plainSampling] = [publishedSampling(modelPath), publishedSampling(modelPath, false)];
  return {
    modelPath,
    contextSize: size === 'auto' ? null : size,
    gpu: get('model.gpu'),
    packs: get('model.packsFolder').trim(),
    gpuLayers: layers < 0 ? null : layers,
    threads: threads === 0 ? null : threads,
    slots,
    conversations: get('cache.conversations'),
    ...(sampling === undefined ? {} : { sampling }),
    ...(plainSampling === undefined ? {} : { plainSampling }),
    ...(memory === 0 ? {} : { memoryBytes: memory * 1e6 }),
  };
}

/** Commands that a model runs. */
export interface CommandSettings {
  /** Beginnings of commands that are refused, word by word. */
  readonly denied: readonly (readonly string[])[];
  /** Names of variables that are handed on besides. */
  readonly variables: readonly string[];
  readonly timeoutSeconds: number;
}

export function readCommands(get: GetSetting): CommandSettings {
  const denied = get('commands.denied').map((words) => words.split(/\s+/).filter((word) => word !== ''));
  return {
    denied: denied.filter((words) => words.length > 0),
    variables: get('commands.variables'),
    timeoutSeconds: get('commands.timeoutSeconds'),
  };
}

/** Tokens: suggestions need no slot of a conversation's size. */
const leastSlot = 512;

export function readCompletion(get: GetSetting): CompletionSettings {
  const [modelPath, delay] = [get('completion.model').trim(), get('completion.delay')];
  const { sampling: _, plainSampling: __, ...load } = readLoad(get, 1);
  const own = { ...load, modelPath, contextSize: leastSlot, conversations: 1, askers: ['completion'] } as const;
  return {
    enabled: get('completion.enabled'),
    languagesOff: get('completion.languagesOff'),
    load: modelPath === '' ? null : own,
    delay: delay === 'auto' ? null : delay,
  };
}
