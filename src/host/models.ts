// What the editor does with models beyond choosing a file: gets them, lists them. Everything that asks or tells goes through here.
import * as vscode from 'vscode';
import { reasonOf } from '../core/faults.ts';
import type { MemoryPlan } from '../core/memoryPlan.ts';
import { createDownloadPorts } from '../models/ports.ts';
import type { Machine } from '../models/rank.ts';
import type { EngineRequests, LoadParams } from '../protocol/engine.ts';
import { Downloads } from './downloads.ts';
import { type GetModelParts, getModel, resumeModel } from './getModel.ts';
import { showModels } from './modelList.ts';
import { setModel } from './modelPicker.ts';
import { planWords } from './modelWords.ts';
import { register, showProblem } from './receive.ts';
import { readSettings } from './settings.ts';

/** The machine and files, looked at without loading anything. */
export interface Look {
  machine(gpu: LoadParams['gpu']): Promise<EngineRequests['machine']['result']>;
  /** Of each file; a fault where its header cannot be read. */
  estimate(all: readonly LoadParams[]): Promise<readonly (MemoryPlan | { readonly fault: Error })[]>;
}

export interface ModelDeeds {
  readonly get: () => void;
  /** Where downloaded models lie. */
  readonly folder: () => string;
  readonly dispose: () => void;
}

/** `own`: where models go if no folder is set. `held`: what the loaded model would give back if another took its place. Bytes. */
export function createModels(own: string, look: Look, held: () => number): ModelDeeds {
  const settings = () => readSettings(() => undefined);
  const modelsOf = () => {
    const { folder, ...rest } = settings().models;
    return { ...rest, folder: folder === '' ? own : folder };
  };
  const params = (modelPath: string): LoadParams => {
    // A limit that the user set is kept to when it loads; here it must not be a fault.
    const { memoryBytes: _, ...load } = settings().load;
    return { ...load, modelPath };
  };
  const lookAt = async (path: string) => {
    const [found] = await look.estimate([params(path)]);
    if (found === undefined || 'fault' in found) throw found?.fault ?? new Error('nothing was found');
    return planWords(found);
  };
  const ports = createDownloadPorts(() => settings().models.offline);
  const downloads = new Downloads(ports, { look: lookAt, use: setModel });
  const machine = async (): Promise<Machine> => {
    const { free, shared, copies } = await look.machine(settings().load.gpu);
    return { ram: free.ram + held(), gpu: free.gpu, shared, copies };
  };
  const wish = () => {
    const { contextSize: window, slots, memoryBytes = null } = settings().load;
    return { window, slots, allowed: memoryBytes };
  };
  const getting: GetModelParts = { settings: modelsOf, wish, machine, downloads, ports, use: setModel };
  const get = () => getModel(getting);
  const list = () =>
    showModels({
      folder: () => modelsOf().folder,
      current: () => settings().load.modelPath,
      downloads,
      look: async (paths) => {
        const found = paths.length === 0 ? [] : await look.estimate(paths.map(params));
        return found.map((one) => ('fault' in one ? reasonOf(one.fault) : planWords(one)));
      },
      use: setModel,
      resume: (name, url) => resumeModel(getting, name, url),
      get,
      setFolder: (folder) => update('models.folder', folder),
    });
  const command = register('showModels', () => void list().catch(showProblem));
  return {
    get: () => void get().catch(showProblem),
    folder: () => modelsOf().folder,
    dispose: () => {
      command.dispose();
      downloads.dispose();
    },
  };
}

async function update(key: string, value: string): Promise<void> {
  await vscode.workspace.getConfiguration('tidemark').update(key, value, vscode.ConfigurationTarget.Global);
}
