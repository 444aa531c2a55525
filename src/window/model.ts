// The engines of an editor window with the models in them, what fetches models, and where slots are stored.

import { join } from 'node:path';
import type * as vscode from 'vscode';
import { ModelLife, type ModelLifePorts } from '../app/model/modelLife.ts';
import { OneModel } from '../app/model/oneModel.ts';
import { TestedModels } from '../app/model/testedModels.ts';
import type { SnapshotFiles } from '../app/ports/snapshotFiles.ts';
import type { OtherEngines } from '../app/slots/windowEngines.ts';
import { fitsComfortably } from '../core/machine/memoryPlan.ts';
import { EngineClient } from '../engine/client.ts';
import { forkEngine } from '../engine/fork.ts';
import { createLook, type MachineLook } from '../engine/look.ts';
import { startSummariser } from '../engine/summariser.ts';
import { createModels } from '../host/models/models.ts';
import { rememberModel } from '../host/models/usedModels.ts';
import { ServerAccess } from '../host/servers/serverAccess.ts';
import { createSnapshotFiles } from '../host/system/snapshotFiles.ts';
import type { LoadParams } from '../protocol/engine.ts';
import type { EngineView } from '../protocol/view.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import type { LazyEstimator } from '../tokens/estimate.ts';
import type { WindowConversations } from './conversations.ts';
import { createCounter } from './counter.ts';
import { clock, newHolder } from './ports.ts';

function createEngine(extension: vscode.ExtensionContext): EngineClient {
  return new EngineClient(() => forkEngine(join(extension.extensionPath, 'dist', 'engine.mjs')));
}

/** Paces are not part of what is wanted: a model that was tested meanwhile is not loaded again for them. */
function paced(engine: EngineClient, abilities: TestedModels): ModelLifePorts['engine'] {
  return { load: (params) => engine.load(abilities.withPaces(params)), dispose: () => engine.dispose() };
}

function loadedOf(started: ReadonlyMap<ModelLife, unknown>): Pick<ModelLife, 'loaded'> {
  return {
    get loaded() {
      return [...started.keys()].find((life) => life.loaded !== null)?.loaded ?? null;
    },
  };
}

interface ModelBase {
  readonly storage: Store | null;
  readonly settings: () => Settings;
  readonly open: WindowConversations;
}

/** The engines, and the lives of the models in them; nothing is loaded yet. `engine` and `life` are those that are there for all. */
export function createModel(
  extension: vscode.ExtensionContext,
  log: vscode.OutputChannel,
  { storage, settings, open }: ModelBase,
) {
  const look = createLook(() => forkEngine(join(extension.extensionPath, 'dist', 'engine.mjs')));
  const thisWindow = { ...clock, holder: newHolder() };
  const place = new OneModel(storage?.leases ?? null, thisWindow, () => settings().onePerMachine);
  const abilities = new TestedModels(storage?.abilities ?? null);
  const fitsBeside = async (params: LoadParams) => {
    const [plan] = await look.estimate([abilities.withPaces(params)]).catch(() => []);
    return plan !== undefined && !('fault' in plan) && fitsComfortably(plan);
  };
  const started = new Map<ModelLife, EngineClient>();
  const keyChanged = (origin: string) => {
    for (const life of started.keys()) life.reconnect(origin);
  };
  const access = new ServerAccess(extension, () => settings().models.offline, keyChanged);
  const start = (wanted: () => LoadParams) => {
    const engine = createEngine(extension);
    const publish = (view: EngineView) => {
      log.appendLine(`model: ${view.state}: ${view.message} ${view.advice}`);
      for (const { ready } of open.chats) ready.showModels();
      if (view.state === 'ready' && wanted().server === undefined)
        rememberModel(extension.globalState, { path: wanted().modelPath, memory: view.memory });
    };
    const prepare = (params: LoadParams) => access.prepared(params);
    const loads = paced(engine, abilities);
    const ports = { engine: loads, prepare, wait: clock.wait, publish, abilities, place, fitsBeside };
    const life = new ModelLife(ports, wanted);
    started.set(life, engine);
    return { engine, life };
  };
  const ended: OtherEngines['ended'] = async ({ life }) => {
    const engine = started.get(life);
    started.delete(life);
    await engine?.close();
  };
  const all: Pick<EngineClient, 'busy' | 'close'> = {
    get busy() {
      return [...started.values()].some(({ busy }) => busy);
    },
    close: async () => void (await Promise.all([...started.values()].map((engine) => engine.close()))),
  };
  const recheck = () => {
    for (const life of started.keys()) life.recheck();
  };
  const anyLoaded = loadedOf(started);
  return { ...start(() => settings().load), start, ended, all, recheck, anyLoaded, place, abilities, look, access };
}

/** Stands in for a server that the settings no longer have: nothing is sent anywhere. */
const gone: NonNullable<LoadParams['server']> = {
  url: '',
  kind: 'auto',
  model: '',
  slot: null,
  key: '',
  caFile: '',
  insecure: false,
  offline: false,
};

export type WindowModel = ReturnType<typeof createModel>;
export type StartedEngine = ReturnType<WindowModel['start']>;

/** Starts the engines that agents name. `begun` is told of each when it is asked for first. */
export function otherEngines(
  { start, ended }: Pick<WindowModel, 'start' | 'ended'>,
  settings: () => Settings,
  begun: (engine: StartedEngine) => void,
  estimator: LazyEstimator,
): OtherEngines {
  return {
    main: () => settings().engines.main,
    isNamed: (name) => settings().engines.named.includes(name),
    ended,
    start: (name) => {
      const other = start(() => {
        const { engines, load } = settings();
        return engines.loads[name] ?? { ...load, server: gone };
      });
      begun(other);
      return { ...other, counter: createCounter(other.engine, other.life, estimator, () => settings().tokenCounter) };
    },
  };
}

export async function ownSummariser(extension: vscode.ExtensionContext, { summariser, load }: Settings) {
  const script = join(extension.extensionPath, 'dist', 'engine.mjs');
  return summariser === '' ? null : startSummariser(() => forkEngine(script), summariser, load);
}

export function startModels(
  extension: vscode.ExtensionContext,
  { life, look, settings }: { readonly life: ModelLife; readonly look: MachineLook; readonly settings: () => Settings },
  log: vscode.OutputChannel,
): ReturnType<typeof createModels> {
  const folder = join(extension.globalStorageUri.fsPath, 'models');
  const engineBytes = () => {
    const memory = life.loaded?.memory;
    return memory == null ? 0 : memory.repacked + memory.kv + memory.compute;
  };
  const own = { own: folder, state: extension.globalState, settings };
  return createModels({ ...own, look, engineBytes, log: (words) => log.appendLine(words) });
}

export function filesOf(extension: vscode.ExtensionContext): SnapshotFiles {
  return createSnapshotFiles(join(extension.globalStorageUri.fsPath, 'snapshots'));
}
