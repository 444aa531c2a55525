// Reads the settings: checks each value against the table, and works out what the values mean together.

import { t } from '@vscode/l10n';
import type { ChatSettings } from '../app/ports/chatSettings.ts';
import { type Agent, defaultAgent, engineOf } from '../core/agent/agent.ts';
import type { GraphNode } from '../core/agent/graph.ts';
import { leastAuto } from '../core/machine/autoWindow.ts';
import type { Policy } from '../core/prompt/budget.ts';
import { isRecord } from '../core/record.ts';
import { publishedSampling } from '../models/published.ts';
import type { LoadParams, ServerParams } from '../protocol/engine.ts';
import { cutEnd } from '../tools/files/result.ts';
import { defaultMapTokens } from '../workspace/bundle.ts';
import type { CacheSettings } from '../workspace/cache.ts';
import { enginesIn, mayBeChosen, nodesOn, withOwnEngines } from './agentEngines.ts';
import { chooseAgent, soundAgents } from './agents.ts';
import { type AgentSettings, policySettings } from './agentsSchema.ts';
import { type Configuration, formerValue } from './removed.ts';
import { localEngine, type Servers, serverNamed } from './servers.ts';
import {
  type GetSetting,
  partPrefix,
  type SettingKey,
  type SettingValue,
  settingProblem,
  settingTable,
} from './settingTable.ts';

export interface WorkspaceContextSettings extends CacheSettings {
  readonly files: readonly string[];
  readonly overview: boolean;
  /** Tokens of the map of the folder; 0 is none. */
  readonly mapTokens: number;
}

/** Shifted parts of a prompt that take longer stay approximate. */
const recomputeMilliseconds = 60_000;

/** Days that snapshots of files are kept. */
const snapshotDays = 30;

export interface Settings {
  readonly chat: ChatSettings;
  /** Parameters of the engine that serves all agents that name none. */
  readonly load: LoadParams;
  readonly engines: EngineSettings;
  /** Path of the model that writes summaries; '' for the chat's own. */
  readonly summariser: string;
  readonly workspaceContext: WorkspaceContextSettings;
  readonly tokenCounter: {
    readonly enabled: boolean;
    readonly cacheCapacity: number;
    readonly source: 'auto' | 'exact' | 'estimate';
  };
  readonly models: ModelsSettings;
  readonly finding: { readonly enabled: boolean; readonly model: string };
  readonly completion: CompletionSettings;
  readonly commands: CommandSettings;
  readonly onePerMachine: boolean;
  /** 0 for never. */
  readonly unloadAfterMinutes: number;
  /** Limits for snapshots of changed files. */
  readonly snapshots: { readonly bytes: number; readonly days: number };
}

export interface EngineSettings {
  /** Name of the engine that is there for all agents that name none. */
  readonly main: string;
  /** Names of those that agents name. */
  readonly named: readonly string[];
  /** Parameters of the engines that agents name besides the main one, by engine name. */
  readonly loads: Readonly<Record<string, LoadParams>>;
}

export interface ModelsSettings {
  /** '' for Tidemark's own storage. */
  readonly folder: string;
  readonly offline: boolean;
  readonly huggingFace: string;
}

type Agents = Readonly<Record<string, AgentSettings>>;

/** All that the editor's configuration says, each value sound. */
export interface SettingValues {
  readonly get: GetSetting;
  readonly agents: Agents;
  /** The agent is named by the workspace, not by the user. */
  readonly isAgentForeign: boolean;
}

/** UTF-16 units of a wrong value in a message. */
const mostShown = 80;

/** Reads a configuration whole. An invalid value counts as its default and is reported by `complain`. */
export function valuesIn(configuration: Configuration, complain: (message: string) => void): SettingValues {
  // Agents, and parts of the advanced setting, are looked at one by one.
  const keys = (Object.keys(settingTable) as SettingKey[]).filter((key) => key !== 'agents' && key !== 'advanced');
  const advanced = configuration.get('advanced');
  if (advanced !== undefined && !isRecord(advanced))
    complain(t('tidemark.advanced must be an object. None of it is used.'));
  for (const part of Object.keys(partsIn(configuration)))
    if (!Object.hasOwn(settingTable, partPrefix + part))
      complain(t('tidemark.advanced has no "{0}"; it is left out.', part));
  const values = Object.fromEntries(keys.map((key) => [key, readSetting(configuration, key, complain)]));
  const get: GetSetting = (key) => values[key] as SettingValue<typeof key>;
  const said = configuration.inspect('agent');
  const isAgentForeign = (said?.workspaceValue ?? said?.workspaceFolderValue) !== undefined;
  return { get, agents: agentsIn(configuration, get, complain), isAgentForeign };
}

/** Works out what values mean, with the agent of that name. Reads nothing; a name that leads nowhere is reported by `complain`. */
export function settingsOf(values: SettingValues, chosen: string | null, complain: (words: string) => void): Settings {
  const { get, agents } = values;
  const { main, server } = readServer(get, complain);
  const global = { policy: readPolicy(get), switches: readSwitches(get) };
  const agent = chooseAgent(chosen ?? agentOf(values, main, complain), agents, global, complain);
  const { switches } = agent;
  const named = [...new Set(Object.values(agents).flatMap(enginesIn))];
  const load = { ...readLoad(get, slotsOf(agent, agents, main)), ...server };
  return {
    load,
    engines: { main, named, loads: readLoads(get, agents, main) },
    chat: readChat(get, agent, load.contextSize ?? leastAuto),
    summariser: get('compaction.model').trim(),
    workspaceContext: {
      files: get('workspace.files'),
      overview: get('workspace.overview'),
      mapTokens: defaultMapTokens,
      enabled: switches.workspaceCache,
      debounceMilliseconds: get('advanced.workspaceDebounceMilliseconds'),
      maxAgeSeconds: get('advanced.workspaceMaxAgeSeconds'),
    },
    tokenCounter: {
      enabled: switches.tokenCounter,
      cacheCapacity: get('advanced.tokenCountsKept'),
      source: get('advanced.tokenCountSource'),
    },
    models: {
      folder: get('models.folder').trim(),
      offline: get('network.offline'),
      huggingFace: get('network.huggingFace'),
    },
    finding: { enabled: get('finding.enabled'), model: get('finding.model').trim() },
    completion: readCompletion(get),
    commands: readCommands(get),
    onePerMachine: get('model.onePerMachine'),
    unloadAfterMinutes: get('model.unloadAfterMinutes'),
    snapshots: { bytes: get('edits.snapshotMegabytes') * 1024 ** 2, days: snapshotDays },
  };
}

function readChat(get: GetSetting, agent: Agent, wantedWindow: number): ChatSettings {
  const thoughts = get('model.thinkingTokens');
  return {
    agent,
    wantedWindow,
    sampling: readSampling(get),
    thinking: get('model.thinking'),
    thinkingTokens: thoughts === 'auto' ? null : thoughts,
    warm: get('cache.warm'),
    reuse: get('advanced.cacheReuse'),
    settleMilliseconds: recomputeMilliseconds,
    snapshotBytes: get('cache.persistMaxMegabytes') * 1024 ** 2,
    leaseMilliseconds: get('advanced.leaseSeconds') * 1000,
    summaryTries: get('advanced.summaryTries'),
    memory: get('memory.enabled'),
    toolsOff: get('tools.off'),
  };
}

/** Reads agents one by one: one that is wrong must not take the others with it. */
function agentsIn(configuration: Configuration, get: GetSetting, complain: (message: string) => void): Agents {
  // Problems of the user's own agents are reported with those of all agents.
  const own = soundAgents(configuration.inspect('agents')?.globalValue ?? {}, () => undefined);
  return withOwnEngines(
    soundAgents(configuration.get('agents') ?? settingTable.agents.default, complain),
    own,
    engineNames(get),
    complain,
  );
}

function engineNames(get: GetSetting): readonly string[] {
  return [localEngine, ...Object.keys(get('servers'))];
}

/** The name of the agent that answers, where nothing else was chosen for a conversation. */
function agentOf(
  { get, agents, isAgentForeign }: SettingValues,
  main: string,
  complain: (message: string) => void,
): string {
  const name = get('agent');
  if (!isAgentForeign || mayBeChosen(Object.hasOwn(agents, name) ? agents[name] : undefined, main)) return name;
  complain(
    t(
      'tidemark.agent: this workspace may not choose "{0}", which runs on a server. Choose it below the message box. "default" is used.',
      name,
    ),
  );
  return defaultAgent.name;
}

/** Slots of the engine that is there for all: for the agent that answers, and each one that puts a part of itself there. */
function slotsOf(agent: Agent, agents: Agents, main: string): number {
  const isHere = (node: GraphNode | null) => [null, main].includes(engineOf(agent, node));
  const nodes = (agent.graph?.nodes ?? []).filter(isHere).length;
  const writes = agent.summariser === main && !isHere(null) ? 1 : 0;
  const naming = Object.values(agents).filter((said) => enginesIn(said).length > 0);
  return Math.max(1, nodes + writes, ...naming.map((said) => nodesOn(main, said, main)));
}

/** Reads the parameters of the engines that agents name besides the main one. */
function readLoads(get: GetSetting, agents: Agents, main: string): Readonly<Record<string, LoadParams>> {
  const loads = engineNames(get).map((name) => {
    const server = serverNamed(name, get('servers') as unknown as Servers, () => undefined);
    const slots = Math.max(1, ...Object.values(agents).map((said) => nodesOn(name, said, main)));
    return [name, { ...readLoad(get, slots), ...onServer(server, get) }] as const;
  });
  return Object.fromEntries(loads);
}

function onServer(server: ServerParams | null, get: GetSetting): Pick<LoadParams, 'server'> {
  return server === null ? {} : { server: { ...server, offline: get('network.offline') } };
}

/** A server that there is not is this machine. */
function readServer(get: GetSetting, complain: (message: string) => void) {
  const name = get('engine').trim();
  const server = serverNamed(name, get('servers') as unknown as Servers, complain);
  return { main: server === null ? localEngine : name, server: onServer(server, get) };
}

/** Reads the sampling; a value below zero is left to the model. */
function readSampling(get: GetSetting): ChatSettings['sampling'] {
  const said = (value: number) => (value < 0 ? null : value);
  return {
    temperature: said(get('generation.temperature')),
    topK: null,
    topP: null,
    minP: null,
    // Below 1 it would reward repetition.
    repeatPenalty: get('generation.repeatPenalty') < 1 ? null : get('generation.repeatPenalty'),
    seed: null,
  };
}

function readPolicy(get: GetSetting): Policy {
  const parts = Object.entries(policySettings).map(([part, key]) => [part, get(key)]);
  return Object.fromEntries(parts) as unknown as Policy;
}

function readSwitches(get: GetSetting) {
  return {
    promptCache: get('advanced.promptCache'),
    tokenCounter: get('advanced.tokenCounter'),
    workspaceCache: get('advanced.workspaceCache'),
    compaction: get('compaction.enabled'),
  };
}

function readSetting<K extends SettingKey>(
  configuration: Configuration,
  key: K,
  complain: (message: string) => void,
): SettingValue<K> {
  const setting = settingTable[key];
  const value = givenValue(configuration, key);
  if (value === undefined) return setting.default as unknown as SettingValue<K>;
  const problem = settingProblem(setting, value);
  if (problem === null) return value as SettingValue<K>;
  const given = cutEnd(JSON.stringify(value), mostShown);
  const used = JSON.stringify(setting.default);
  complain(t('tidemark.{0} is {1}, but {2}. {3} is used.', key, given, problem, used));
  return setting.default as unknown as SettingValue<K>;
}

function partsIn(configuration: Configuration): Readonly<Record<string, unknown>> {
  const said = configuration.get('advanced');
  return isRecord(said) ? said : {};
}

/** Returns the value that is set, also under a former name. */
function givenValue(configuration: Configuration, key: SettingKey): unknown {
  const former = formerValue(configuration, key);
  if (key.startsWith(partPrefix)) {
    const [parts, part] = [partsIn(configuration), key.slice(partPrefix.length)];
    return Object.hasOwn(parts, part) ? parts[part] : former;
  }
  if (former === undefined) return configuration.get(key);
  const { globalValue, workspaceValue, workspaceFolderValue } = configuration.inspect(key) ?? {};
  const isSet = [globalValue, workspaceValue, workspaceFolderValue].some((value) => value !== undefined);
  return isSet ? configuration.get(key) : former;
}

// Tells what the settings have loaded on this machine: for conversations, and for inline suggestions beside them.

interface CompletionSettings {
  readonly enabled: boolean;
  /** Languages by the editor's identifiers. */
  readonly languagesOff: readonly string[];
  /** The model that is loaded for it beside the model of the chat; null where that one serves. */
  readonly load: LoadParams | null;
}

function readLoad(get: GetSetting, slots: number): LoadParams {
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
interface CommandSettings {
  /** Beginnings of commands that are refused, word by word. */
  readonly denied: readonly (readonly string[])[];
  /** Names of variables that are handed on besides. */
  readonly variables: readonly string[];
  readonly timeoutSeconds: number;
}

function readCommands(get: GetSetting): CommandSettings {
  const denied = get('commands.denied').map((words) => words.split(/\s+/).filter((word) => word !== ''));
  return {
    denied: denied.filter((words) => words.length > 0),
    variables: get('commands.variables'),
    timeoutSeconds: get('commands.timeoutSeconds'),
  };
}

/** Tokens: suggestions need no slot of a conversation's size. */
const leastSlot = 512;

function readCompletion(get: GetSetting): CompletionSettings {
  const modelPath = get('completion.model').trim();
  const { sampling: _, plainSampling: __, ...load } = readLoad(get, 1);
  const own = { ...load, modelPath, contextSize: leastSlot, conversations: 1, askers: ['completion'] } as const;
  return {
    enabled: get('completion.enabled'),
    languagesOff: get('completion.languagesOff'),
    load: modelPath === '' ? null : own,
  };
}
