// A window with a chat over scripted engines and a storage in memory: what a scene drives, and what other folders' tests stand on.
import { type Chat, createChat } from '../../../src/app/conversation/chat.ts';
import { ModelLife } from '../../../src/app/model/modelLife.ts';
import { OneModel } from '../../../src/app/model/oneModel.ts';
import type { ChatSettings } from '../../../src/app/ports/chatSettings.ts';
import type { CheckedStorage, Storage } from '../../../src/app/ports/storage.ts';
import { createEditorWindow } from '../../../src/app/slots/editorWindow.ts';
import { type Agent, defaultAgent } from '../../../src/core/agent/agent.ts';
import { compose, type NodeSettings } from '../../../src/core/agent/compose.ts';
import type { LoadSnapshotParams, SaveSnapshotParams } from '../../../src/core/engine/slotState.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import type { LoadParams } from '../../../src/protocol/engine.ts';
import type { ViewDelta } from '../../../src/protocol/view.ts';
import { createEditor, type Editor, modelsOf, portsOf } from './editor.ts';
import { type Folder, type MemoryStorage, memoryStorage } from './memory.ts';
import {
  createScriptedEngine,
  goodSummary,
  modelInfo,
  type Say,
  type ScriptedEngine,
  server,
} from './scriptedModel.ts';

export interface WindowOptions {
  /** A storage of an earlier window; a new one where it is left out. */
  readonly memory?: MemoryStorage;
  /** Another storage in its place; null where nothing can be stored. */
  readonly storage?: Storage | null;
  readonly folders?: readonly { readonly name: string; readonly path: string }[];
  /** Ids and the holder of leases begin with it. */
  readonly name?: string;
  /** A window of 4,096 tokens, in which a few turns are compacted by a summariser that does its work. */
  readonly compacts?: boolean;
  /** Whether the summariser is asked at all; else rules alone make the summary. */
  readonly chooses?: boolean;
  readonly slots?: number;
  /** A folder for the states of slots. The window's timers then run when a test lets time pass. */
  readonly folder?: Folder;
  /** The agent's nodes, which may name the engine "small", with a window of 2,048 tokens; the one for all is "desk" then. */
  readonly nodes?: readonly NodeSettings[];
  /** Texts and calls of the small engine. */
  readonly small?: Say[];
}

type Settings = { -readonly [K in keyof ChatSettings]: ChatSettings[K] };

function settingsFor({ compacts = false, chooses = true, nodes }: WindowOptions): Settings {
  const switches = { ...defaultAgent.switches, compaction: compacts ? ('on' as const) : ('off' as const) };
  const { graph, summariser } = nodes === undefined ? defaultAgent : compose(nodes);
  const summarises = chooses && compacts;
  const policy = { ...defaultPolicy, reserve: compacts ? 1024 : 256 };
  const agent: Agent = { ...defaultAgent, graph, summarises, summariser, switches, policy };
  return {
    agent,
    sampling: { temperature: 0, seed: 1 },
    wantedWindow: 2048,
    warm: true,
    reuse: 'auto',
    settleMilliseconds: 60_000,
    snapshotBytes: 1_000_000,
    leaseMilliseconds: 300_000,
    summaryTries: 3,
    memory: true,
    toolsOff: [],
    thinking: 'auto',
    thinkingTokens: null,
  };
}

/** The settings as a window has them: a value, which is another one once a test changed something. */
function asValue(own: Settings): () => ChatSettings {
  let last: { readonly text: string; readonly value: ChatSettings } | null = null;
  return () => {
    const value = { ...own };
    const text = JSON.stringify(value);
    if (text !== last?.text) last = { text, value };
    return last.value;
  };
}

let clock = 0;

/** The engine stores and loads the states of slots in the folder; what it was asked is returned. */
function storing(engine: ScriptedEngine, { kept }: Folder) {
  const saves: SaveSnapshotParams[] = [];
  const loads: LoadSnapshotParams[] = [];
  engine.answer('saveSnapshot', (params) => {
    saves.push(params);
    const { path, session } = params;
    kept.set(path, { session, path, bytes: 1000, used: ++clock });
    return { saved: true, tokens: 6012, bytes: 1000, milliseconds: 30, slotMilliseconds: 10 };
  });
  engine.answer('loadSnapshot', (params) => {
    loads.push(params);
    const pace = { tokens: 6012, milliseconds: 20_000 };
    return kept.has(params.path)
      ? { loaded: true, from: 'disk', tokens: 6012, bytes: 1000, milliseconds: 210, pace }
      : { loaded: false, reason: 'there is none', deleted: false };
  });
  return { saves, loads };
}

interface Timer {
  readonly milliseconds: number;
  readonly run: () => void;
}

/** Timers that count what a chat leaves running; by hand they run when a test says so. */
function timersOf(byHand: boolean) {
  const timers = new Set<Timer>();
  const every = (milliseconds: number, run: () => void) => {
    const timer = { milliseconds, run };
    timers.add(timer);
    const running = byHand ? undefined : setInterval(run, milliseconds).unref();
    return () => {
      clearInterval(running);
      timers.delete(timer);
    };
  };
  return { timers, every };
}

/** A chat with all that stands around it. */
export type OpenedChat = ReturnType<typeof openChat>;

/** The storage, in which the editor says what may be remembered. */
function checked({ sessions, memory, leases }: Storage, editor: Editor): CheckedStorage {
  return { sessions, memory, leases, noteProblem: (text) => editor.noteProblem(text) };
}

let windows = 0;

export function openChat(script: Say[] = [], options: WindowOptions = {}) {
  const { memory = memoryStorage(), compacts = false, slots = 1, folder = null, nodes } = options;
  const given = options.storage === undefined ? memory : options.storage;
  // Windows of a real store have ids of their own, like those of an editor.
  const name = options.name ?? (options.storage ? `w${++windows}-` : '');
  const contextSize = compacts ? 4096 : 2048;
  const engine = createScriptedEngine(script);
  engine.info = { ...modelInfo, contextSize, trainContext: contextSize, slots };
  if (compacts) engine.summarise = goodSummary;
  const wanted: { load: LoadParams; onePerMachine: boolean } = {
    load: { modelPath: 'm.gguf', contextSize: 2048, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 },
    onePerMachine: false,
  };
  const settings = settingsFor(options);
  const editor = createEditor(name);
  const storage = given === null ? null : checked(given, editor);
  const { timers, every } = timersOf(folder !== null);
  const holder = `1:test${name}`;
  const folders = () => options.folders ?? [{ name: 'a', path: '/a' }];
  const settingsNow = asValue(settings);
  const ports = portsOf(editor, { settings: settingsNow, holder, folders, every });
  // The window's own timer is left out, because the timers count what a chat leaves running.
  const still = { holder, now: () => ports.clock.now(), every: () => () => undefined };
  const place = new OneModel(storage?.leases ?? null, still, () => wanted.onePerMachine);
  const chats: Chat[] = [];
  const lifeOf = (of: ScriptedEngine, load: () => LoadParams) => {
    const publish = () => {
      for (const { ready } of chats) ready.showModels();
    };
    const [{ abilities }, { wait }] = [editor, ports.clock];
    return new ModelLife({ engine: of, wait, publish, abilities, place, fitsBeside: async () => false }, load);
  };
  const life = lifeOf(engine, () => wanted.load);
  const small = createScriptedEngine(options.small ?? []);
  small.info = { ...modelInfo, name: 'small', fingerprint: 's' };
  const engines = { main: 'desk', named: new Set(['small']) };
  const others = {
    main: () => engines.main,
    isNamed: (one: string) => engines.named.has(one),
    ended: async () => undefined,
    start: () => ({
      engine: small,
      // Its counter takes each character for a token.
      counter: {
        count: async (texts: readonly string[]) => ({ tokens: texts.map(({ length }) => length), exact: true }),
      },
      life: lifeOf(small, () => ({ ...wanted.load, modelPath: 'small.gguf' })),
    }),
  };
  if (nodes !== undefined) engine.info = { ...engine.info, name: 'large', fingerprint: 'l', server };
  const machine = { settings: settingsNow, clock: ports.clock, snapshotFiles: folder, power: () => editor.power() };
  const models = modelsOf(editor, nodes === undefined ? null : others);
  const together = createEditorWindow({ engine, life }, models, storage, machine);
  const opened = (own: Settings, given: typeof ports) => {
    const chat = createChat(together, storage, given);
    const deltas: ViewDelta[] = [];
    chat.view.subscribe((delta) => deltas.push(delta));
    chats.push(chat);
    return { chat, deltas, settings: own };
  };
  /** Another conversation of the window, with settings of its own. */
  const beside = (as: string) => {
    const own = { ...settings };
    const other = opened(own, portsOf(editor, { settings: asValue(own), holder: `1:${as}`, folders, every }));
    other.chat.sessions.newSession();
    return other;
  };
  const first = opened(settings, ports);
  first.chat.sessions.resume();
  const stores = folder === null ? { saves: [], loads: [] } : storing(engine, folder);
  return {
    ...first,
    ...{ beside, script, life, place, storage, memory, engine, small, engines, together, ports, editor },
    ...{ wanted, timers, ...stores },
  };
}
