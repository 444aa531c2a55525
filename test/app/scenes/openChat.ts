// A chat over a scripted engine and a journal in memory, for tests.

import { Chat } from '../../../src/app/conversation/chat.ts';
import { ModelLife } from '../../../src/app/model/modelLife.ts';
import { OneModel } from '../../../src/app/model/oneModel.ts';
import type { ConversationPorts, Mentions, WorkspaceContext } from '../../../src/app/ports/conversationPorts.ts';
import type { SnapshotFiles } from '../../../src/app/ports/snapshotFiles.ts';
import type { Storage } from '../../../src/app/ports/storage.ts';
import { createEditorWindow } from '../../../src/app/slots/editorWindow.ts';
import { type Agent, defaultAgent } from '../../../src/core/agent/agent.ts';
import type { CompactionRow } from '../../../src/core/compaction/compactionRow.ts';
import { type ConversationChoices, noChoices } from '../../../src/core/conversation/conversation.ts';
import { dialogOf, type Item, type ItemId } from '../../../src/core/dialog/dialog.ts';
import { type Marks, noMarks } from '../../../src/core/dialog/marks.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import type { MemoryStore } from '../../../src/core/memory/memory.ts';
import type { CacheReuse } from '../../../src/core/model/model.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { type Bundle, emptyBundle } from '../../../src/core/prompt/bundle.ts';
import { type Found, nothingFound } from '../../../src/core/prompt/found.ts';
import type { Report } from '../../../src/core/report/report.ts';
import type {
  Archive,
  Journal,
  Leases,
  StoredPruneState,
  StoredSession,
  UnfinishedAnswer,
} from '../../../src/core/stored/storedSession.ts';
import type { ViewDelta } from '../../../src/protocol/view.ts';
import { measure } from './measure.ts';
import { ableModels, createScriptedEngine, type Say } from './scriptedModel.ts';

const echo: Tool = {
  schema: { name: 'echo', description: 'Echo.', parameters: { type: 'object', properties: {}, required: [] } },
  effect: 'read',
  run: async (args) => ({ ok: true, head: 'echo:', body: JSON.stringify(args) }),
};

export interface Stored {
  readonly items: Item[];
  readonly sessions: string[];
  marks?: Marks;
  held?: readonly StoredPruneState[];
  folds?: CompactionRow[];
  reports?: readonly Report[];
  unfinished?: UnfinishedAnswer;
  head?: ItemId;
  choices?: ConversationChoices;
  restored?: StoredSession['restored'];
}

/** A workspace without anything to mention. */
export const noMentions: Mentions = {
  names: async () => [],
  resolve: async () => ({ ok: false, head: 'there is nothing', body: '' }),
  placed: async () => null,
};

const noArchive: Archive = {
  sessions: () => [],
  rename: () => undefined,
  delete: () => undefined,
  exportJson: () => '{}',
  importJson: () => '',
  systemOf: () => '',
  search: () => [],
};

/** Leases in memory. */
export function memoryLeases(): Leases & { readonly held: Map<string, string> } {
  const held = new Map<string, string>();
  return {
    held,
    acquire: (name, holder) => {
      if ((held.get(name) ?? holder) !== holder) return false;
      held.set(name, holder);
      return true;
    },
    release: (name, holder) => void (held.get(name) === holder && held.delete(name)),
  };
}

const noShelves: MemoryStore = {
  memories: () => [],
  work: () => [],
  decisions: () => [],
  putMemory: () => undefined,
  putWork: () => undefined,
  putDecision: () => undefined,
  forget: () => undefined,
  audit: () => [],
};

export function memoryStorage(journal: Journal, leases: Leases = memoryLeases()): Storage {
  return { sessions: { ...noArchive, ...journal }, shelves: noShelves, leases };
}

export function memoryJournal(stored: Stored, events: string[] = []): Journal {
  return {
    createSession: ({ id }) => void stored.sessions.push(id),
    appendItem: (_session, item) => {
      events.push(`stored ${item.origin}`);
      stored.items.push(item);
      stored.head = item.id;
    },
    addReport: (_session, report) => {
      stored.reports = [...(stored.reports ?? []), report];
    },
    reports: () => stored.reports ?? [],
    setHead: (_session, head) => {
      stored.head = head;
    },
    setUnfinished: (_session, unfinished) => {
      stored.unfinished = unfinished;
    },
    setMarks: (_session, marks) => {
      stored.marks = marks;
    },
    setChoices: (_session, choices) => {
      stored.choices = choices;
    },
    setRestored: (_session, restored) => {
      stored.restored = restored;
    },
    setHeld: (_session, held) => {
      stored.held = held;
    },
    putFold: (_session, fold, held) => {
      stored.held = held;
      stored.folds = [...(stored.folds ?? []).filter(({ id }) => id !== fold.id), fold];
    },
    session: (id) => (id === (stored.sessions.at(-1) ?? '') ? storedSession(stored, '/a') : null),
    latestSession: (workspace) => storedSession(stored, workspace),
  };
}

function storedSession(stored: Stored, workspace: string): StoredSession | null {
  if (stored.items.length === 0) return null;
  return {
    id: stored.sessions.at(-1) ?? '',
    workspace,
    system: 'sys',
    created: 1,
    title: '',
    dialog: dialogOf(stored.items, stored.head ?? stored.items.at(-1)?.id ?? null),
    marks: stored.marks ?? noMarks,
    choices: stored.choices ?? noChoices,
    restored: stored.restored ?? [],
    held: stored.held ?? [],
    unfinished: stored.unfinished ?? null,
    folds: stored.folds ?? [],
  };
}

export function openChat(
  script: Say[],
  journal: Journal | Storage | null = null,
  folders = [{ name: 'a', path: '/a' }],
  window = '',
) {
  const storage = journal === null || 'shelves' in journal ? journal : memoryStorage(journal);
  const engine = createScriptedEngine(script);
  const waits: number[] = [];
  const wait = async (milliseconds: number) => void waits.push(milliseconds);
  const load = { modelPath: 'm.gguf', contextSize: 2048, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
  const wanted = { load, onePerMachine: false };
  let ids = 0;
  const timers = new Set<NodeJS.Timeout>();
  const switches = { ...defaultAgent.switches, compaction: 'off' as const };
  const agent: Agent = { ...defaultAgent, switches, policy: { ...defaultPolicy, reserve: 256 } };
  const settings: ReturnType<ConversationPorts['settings']> & {
    agent: Agent;
    leaseMilliseconds: number;
    summaryTries: number;
    reuse: CacheReuse;
    snapshotBytes: number;
    toolsOff: readonly string[];
  } = {
    agent,
    sampling: { temperature: 0, seed: 1 },
    warm: true,
    reuse: 'auto',
    settleMilliseconds: 60_000,
    snapshotBytes: 1_000_000,
    leaseMilliseconds: 300_000,
    summaryTries: 3,
    memory: true,
    toolsOff: [],
  };
  const opened: { readonly language: string; readonly text: string }[] = [];
  const bundles: Bundle[] = [emptyBundle];
  const workspaceContext: WorkspaceContext = {
    bundle: async () => bundles.at(-1) ?? emptyBundle,
    stale: (bundle) => bundle.key !== bundles.at(-1)?.key,
    renew: () => undefined,
    counts: () => ({ hits: 1, misses: 2, invalidations: 0 }),
  };
  const ports: ConversationPorts & {
    snapshotFiles: SnapshotFiles | null;
    mentions: Mentions;
    promptFiles: ConversationPorts['promptFiles'];
    abilities: ConversationPorts['abilities'];
    elsewhere: ConversationPorts['elsewhere'];
  } = {
    snapshotFiles: null,
    changedFiles: null,
    mentions: noMentions,
    promptFiles: async () => [],
    folders: () => folders,
    tools: () => [echo],
    settings: () => settings,
    workspaceContext,
    abilities: ableModels,
    finding: {
      embeds: false,
      find: async ({ text }) => (text.includes('`') ? foundIn('src/a.ts', 'known') : nothingFound),
    },
    tokenCounter: () => null,
    measured: () => undefined,
    estimate: async (prompt) => ({ ...measure(prompt), exact: false }),
    wantedWindow: () => load.contextSize,
    openText: (language, text) => void opened.push({ language, text }),
    summariser: async () => null,
    holder: `1:test${window}`,
    wait,
    every: (milliseconds, run) => {
      const timer = setInterval(run, milliseconds).unref();
      timers.add(timer);
      return () => {
        clearInterval(timer);
        timers.delete(timer);
      };
    },
    importFile: () => undefined,
    elsewhere: () => false,
    secretIn: async (text) => (text.includes('hunter2') ? 'a password' : null),
    counter: { count: async (texts) => ({ tokens: texts.map((text) => Math.ceil(text.length / 4)), exact: true }) },
    power: async () => 'free',
    newId: () => `${window}id${++ids}`,
    now: () => new Date(0),
  };
  // What a chat leaves running is counted, and this is the window's.
  const still = { holder: ports.holder, now: ports.now, every: () => () => undefined };
  const place = new OneModel(storage?.leases ?? null, still, () => wanted.onePerMachine);
  const publish = () => chat.showModels();
  const life = new ModelLife(
    { engine, wait, publish, abilities: ports.abilities, place, fitsBeside: async () => false },
    () => wanted.load,
  );
  const chat: Chat = new Chat(createEditorWindow(engine, life, storage, ports), storage, ports);
  const deltas: ViewDelta[] = [];
  chat.subscribe((delta) => deltas.push(delta));
  chat.resume();
  return {
    chat,
    script,
    life,
    place,
    storage,
    engine,
    deltas,
    waits,
    wanted,
    ports,
    settings,
    opened,
    bundles,
    timers,
  };
}

/** One line of a file that was found. */
export function foundIn(path: string, line: string): Found {
  return { passages: [{ kind: 'file', path, why: 'declares it', stretches: [{ from: 1, lines: [line] }] }], weak: '' };
}

export const kinds = (chat: Chat) => chat.snapshot.entries.map((entry) => entry.kind);

/** A promise and the function that settles it. */
export function gate() {
  let open: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open };
}
