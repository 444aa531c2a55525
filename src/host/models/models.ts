// Gets models and lists them, for the editor: all but the choice of a file. Everything that asks or tells goes through here.
import * as vscode from 'vscode';
import { reasonOf } from '../../core/faults/faults.ts';
import { leastAuto } from '../../core/machine/autoWindow.ts';
import type { MemoryPlan } from '../../core/machine/memoryPlan.ts';
import { DiskModels } from '../../models/disk/find.ts';
import type { Machine } from '../../models/estimate.ts';
import { createDownloadPorts } from '../../models/ports.ts';
import type { EngineRequests, LoadParams } from '../../protocol/engine.ts';
import type { Settings } from '../../settings/settings.ts';
import { register, showProblem } from '../handlers/receive.ts';
import { readServers } from '../settings/readSettings.ts';
import { Downloads } from './downloads.ts';
import type { FetchParts } from './fetchSource.ts';
import { findByMeaning, type MeaningParts } from './findByMeaning.ts';
import { resumeModel } from './getModel.ts';
import type { HereParts } from './hereRows.ts';
import { pickModel } from './modelPicker.ts';
import { planWords } from './modelWords.ts';
import { usedModels } from './usedModels.ts';
import { chooseFile, useModel } from './useModel.ts';

/** The machine and files, looked at without loading anything. */
export interface ModelLook {
  machine(gpu: LoadParams['gpu']): Promise<EngineRequests['machine']['result']>;
  /** Plans the memory of each file; a fault where its header cannot be read. */
  estimate(all: readonly LoadParams[]): Promise<readonly (MemoryPlan | { readonly fault: Error })[]>;
}

export interface ModelActions {
  /** Shows the list of models. */
  readonly pick: () => void;
  /** Lets the user choose a GGUF file. */
  readonly chooseFile: () => void;
  /** How far a download is; null when none runs. */
  readonly progress: Pick<Downloads['progress'], 'subscribe'>;
  readonly pause: () => void;
  readonly dispose: () => void;
}

function paramsFor(modelPath: string, settings: () => Settings): LoadParams {
  // A limit that the user set is kept to when it loads; here it must not be a fault.
  const { memoryBytes: _, server: _elsewhere, ...load } = settings().load;
  return { ...load, modelPath };
}

async function lookAt(look: ModelLook, params: LoadParams): Promise<string> {
  const [found] = await look.estimate([params]);
  if (found === undefined || 'fault' in found) throw found?.fault ?? new Error('nothing was found');
  return planWords(found);
}

/** Says of each file what it would take of the memory, or why it cannot be loaded. */
async function lookAtAll(
  look: ModelLook,
  paths: readonly string[],
  settings: () => Settings,
): Promise<readonly string[]> {
  const found = paths.length === 0 ? [] : await look.estimate(paths.map((path) => paramsFor(path, settings)));
  return found.map((one) => ('fault' in one ? reasonOf(one.fault) : planWords(one)));
}

function createParts({ own, look, engineBytes, log, settings }: ModelsParts) {
  const modelsOf = () => {
    const { folder, ...rest } = settings().models;
    return { ...rest, folder: folder === '' ? own : folder };
  };
  const ports = createDownloadPorts(() => settings().models.offline);
  const hasModel = () => settings().load.modelPath !== '' || settings().load.server !== undefined;
  const downloads = new Downloads(ports, {
    hasModel,
    look: (path) => lookAt(look, paramsFor(path, settings)),
    use: useModel,
    log,
  });
  const current = () => ({ chat: settings().load.modelPath, embedding: settings().finding.model });
  const fetching: FetchParts = { settings: modelsOf, downloads, ports, use: useModel };
  const meaning: MeaningParts = { current, enabled: () => settings().finding.enabled };
  const machine = async (): Promise<Machine> => {
    const { free, ...machine } = await look.machine(settings().load.gpu);
    return { ...machine, ram: free.ram + engineBytes(), gpu: free.gpu };
  };
  const rankRequest = () => {
    const { contextSize, slots, memoryBytes = null } = settings().load;
    return { window: contextSize ?? leastAuto, slots, allowed: memoryBytes };
  };
  const looks = (paths: readonly string[]) => lookAtAll(look, paths, settings);
  return { fetching, meaning, ranking: { rankRequest, machine, look: looks } };
}

interface ModelsParts {
  /** The folder for models if the user sets none. */
  readonly own: string;
  readonly state: vscode.Memento;
  readonly settings: () => Settings;
  readonly look: ModelLook;
  /** Bytes that the loaded model would give back if another took its place. */
  readonly engineBytes: () => number;
  /** Logs downloads: begun, here, paused, failed. */
  readonly log: (words: string) => void;
}

export function createModels(given: ModelsParts): ModelActions {
  const { state, settings } = given;
  const { fetching, meaning, ranking } = createParts(given);
  const disk = new DiskModels();
  const { downloads } = fetching;
  const here: HereParts = {
    downloads,
    use: fetching.use,
    used: () => usedModels(state),
    folder: () => fetching.settings().folder,
    servers: () => ({ servers: readServers(), engine: settings().engines.main }),
    current: (purpose) => meaning.current()[purpose],
    found: () => disk.find(),
    resume: (name, url) => resumeModel(fetching, name, url),
  };
  const pick = () => void pickModel(fetching, ranking, here, (to) => update('models.folder', to)).catch(showProblem);
  const choose = () => void chooseFile('chat').catch(showProblem);
  const commands = [
    register('getModel', pick),
    // The name of a former list.
    register('showModels', pick),
    register('chooseModel', choose),
    register('findByMeaning', () => void findByMeaning(fetching, meaning).catch(showProblem)),
  ];
  return {
    pick,
    progress: downloads.progress,
    pause: () => downloads.pauseAll(),
    chooseFile: choose,
    dispose: () => {
      for (const command of commands) command.dispose();
      downloads.dispose();
    },
  };
}

async function update(key: string, value: string): Promise<void> {
  await vscode.workspace.getConfiguration('tidemark').update(key, value, vscode.ConfigurationTarget.Global);
}
