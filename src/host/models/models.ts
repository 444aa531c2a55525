// What the editor does with models beyond choosing a file: gets them, lists them. Everything that asks or tells goes through here.
import * as vscode from 'vscode';
import { reasonOf } from '../../core/faults/faults.ts';
import type { MemoryPlan } from '../../core/machine/memoryPlan.ts';
import { createDownloadPorts } from '../../models/ports.ts';
import type { Machine } from '../../models/rank.ts';
import type { EngineRequests, LoadParams } from '../../protocol/engine.ts';
import { register, showProblem } from '../handlers/receive.ts';
import { readSettings } from '../settings/settings.ts';
import { Downloads } from './downloads.ts';
import type { FetchParts } from './fetchSource.ts';
import { findByMeaning, type MeaningParts } from './findByMeaning.ts';
import { type GetModelParts, getEmbedding, getModel, resumeModel } from './getModel.ts';
import { showModels } from './modelList.ts';
import { planWords } from './modelWords.ts';
import { useModel } from './useModel.ts';

/** The machine and files, looked at without loading anything. */
export interface ModelLook {
  machine(gpu: LoadParams['gpu']): Promise<EngineRequests['machine']['result']>;
  /** Of each file; a fault where its header cannot be read. */
  estimate(all: readonly LoadParams[]): Promise<readonly (MemoryPlan | { readonly fault: Error })[]>;
}

export interface ModelActions {
  readonly get: () => void;
  /** The one that finds by meaning. */
  readonly getEmbedding: () => void;
  /** Where downloaded models lie. */
  readonly folder: () => string;
  readonly dispose: () => void;
}

const settings = () => readSettings(() => undefined);

function paramsFor(modelPath: string): LoadParams {
  // A limit that the user set is kept to when it loads; here it must not be a fault.
  const { memoryBytes: _, ...load } = settings().load;
  return { ...load, modelPath };
}

async function lookAt(look: ModelLook, path: string): Promise<string> {
  const [found] = await look.estimate([paramsFor(path)]);
  if (found === undefined || 'fault' in found) throw found?.fault ?? new Error('nothing was found');
  return planWords(found);
}

/** What asking, fetching and setting need. */
function createParts(own: string, look: ModelLook, held: () => number) {
  const modelsOf = () => {
    const { folder, ...rest } = settings().models;
    return { ...rest, folder: folder === '' ? own : folder };
  };
  const ports = createDownloadPorts(() => settings().models.offline);
  const downloads = new Downloads(ports, { look: (path) => lookAt(look, path), use: useModel });
  const current = () => ({ chat: settings().load.modelPath, embedding: settings().finding.model });
  const fetching: FetchParts = { settings: modelsOf, downloads, ports, use: useModel };
  const finding: MeaningParts = { ...fetching, current, enabled: () => settings().finding.enabled };
  const machine = async (): Promise<Machine> => {
    const { free, shared, copies } = await look.machine(settings().load.gpu);
    return { ram: free.ram + held(), gpu: free.gpu, shared, copies };
  };
  const wish = () => {
    const { contextSize: window, slots, memoryBytes = null } = settings().load;
    return { window, slots, allowed: memoryBytes };
  };
  const getting: GetModelParts = { ...fetching, wish, machine, embedding: () => current().embedding };
  return { finding, getting };
}

/** `own`: where models go if no folder is set. `held`: what the loaded model would give back if another took its place. Bytes. */
export function createModels(own: string, look: ModelLook, held: () => number): ModelActions {
  const { finding, getting } = createParts(own, look, held);
  const { downloads } = getting;
  const get = () => getModel(getting);
  const folder = () => getting.settings().folder;
  const list = () =>
    showModels({
      folder,
      current: (purpose) => finding.current()[purpose],
      downloads,
      look: async (paths) => {
        const found = paths.length === 0 ? [] : await look.estimate(paths.map(paramsFor));
        return found.map((one) => ('fault' in one ? reasonOf(one.fault) : planWords(one)));
      },
      use: useModel,
      resume: (name, url) => resumeModel(getting, name, url),
      get,
      setFolder: (to) => update('models.folder', to),
    });
  const commands = [
    register('showModels', () => void list().catch(showProblem)),
    register('findByMeaning', () => void findByMeaning(finding).catch(showProblem)),
  ];
  return {
    get: () => void get().catch(showProblem),
    getEmbedding: () => void getEmbedding(getting).catch(showProblem),
    folder,
    dispose: () => {
      for (const command of commands) command.dispose();
      downloads.dispose();
    },
  };
}

async function update(key: string, value: string): Promise<void> {
  await vscode.workspace.getConfiguration('tidemark').update(key, value, vscode.ConfigurationTarget.Global);
}
