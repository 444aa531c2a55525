// The composition root: builds the parts, wires them together, and registers everything that must be disposed.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Chat } from './app/conversation/chat.ts';
import { Unloading } from './app/idle/unloading.ts';
import { isPocket, ModelLife } from './app/model/modelLife.ts';
import { OneModel } from './app/model/oneModel.ts';
import { TestedModels } from './app/model/testedModels.ts';
import type { ConversationPorts, Importing, WorkspaceContext } from './app/ports/conversationPorts.ts';
import { createEditorWindow } from './app/slots/editorWindow.ts';
import { exampleMessages } from './app/viewApi/examples.ts';
import { openConversation } from './app/viewApi/openConversation.ts';
import { FaultError, wordFault } from './core/faults/faults.ts';
import { EngineClient } from './engine/client.ts';
import { forkEngine } from './engine/fork.ts';
import { createLook } from './engine/look.ts';
import { startSummariser } from './engine/summariser.ts';
import { editorWorkspace } from './host/editor/editorWorkspace.ts';
import { importSession } from './host/editor/importSession.ts';
import { openText } from './host/editor/openText.ts';
import { reportFiles } from './host/editor/reportFile.ts';
import type { LoadedEmbedding } from './host/finding/embedding.ts';
import type { EditorFinding } from './host/finding/finding.ts';
import { createFinding, showIndex } from './host/finding/findingParts.ts';
import { showProblem } from './host/handlers/receive.ts';
import { createMentions, type EditorMentions } from './host/mentions/mentions.ts';
import { createWorkspaceContext } from './host/mentions/workspaceContext.ts';
import { rememberModel } from './host/models/modelPicker.ts';
import { createModels } from './host/models/models.ts';
import { Focus } from './host/panel/focus.ts';
import { createPanel } from './host/panel/panel.ts';
import type { Side } from './host/panel/sidePanel.ts';
import { sayIgnored } from './host/settings/ignored.ts';
import { complainOnce, readSettings, type Settings } from './host/settings/settings.ts';
import { ending } from './host/system/ending.ts';
import { learnLanguage } from './host/system/language.ts';
import { readPower } from './host/system/power.ts';
import { createSnapshotFiles } from './host/system/snapshotFiles.ts';
import { createStatusBar } from './host/views/statusBar.ts';
import { keepUnsaid } from './host/views/unsaid.ts';
import type { EngineView } from './protocol/view.ts';
import { openIn } from './store/openIn.ts';
import type { Store } from './store/store.ts';
import { CascadeCounter } from './tokens/counter.ts';
import { createEstimator, type LazyEstimator } from './tokens/estimate.ts';
import { learnFrom } from './tokens/learnFrom.ts';
import type { Workspace } from './tools/files/workspace.ts';
import { createTools } from './tools/index.ts';
import { mainEntities } from './workspace/entities.ts';

export async function activate(extension: vscode.ExtensionContext): Promise<void> {
  learnLanguage();
  const log = vscode.window.createOutputChannel('Tidemark');
  const { store, words } = await openIn(extension.globalStorageUri.fsPath);
  if (words !== '') log.appendLine(words);
  const parts = createParts(extension, log, store);
  const { main, chats, engine, workspaceContext, mentions, place, storage, unloading } = parts;
  const { chat } = main;
  const models = startModels(extension, parts.life);
  const { side, disposables } = createPanel(extension, { ...parts, models });
  parts.beside = side;
  if (words !== '') chat.publish({ type: 'set', values: { notice: words } });
  if (storage?.readOnly === true) chat.publish({ type: 'set', values: { notice: readOnlyWords() } });
  chat.resume();
  const each = (run: (one: Chat) => void) => chats().forEach(run);
  workspaceContext.subscribe(() => each((one) => one.showStale()));
  const ignored = () => void tellIgnored(parts.workspace, extension, log);
  ignored();
  const below = [() => place.release(), () => unloading.dispose(), () => storage?.close()];
  end = ending({ chats, snapshots: chat.snapshots, engine, below });
  extension.subscriptions.push(
    log,
    workspaceContext,
    mentions,
    parts.finding,
    parts.embedding,
    showIndex(parts),
    // The editor disposes of all of these at once and waits only for `deactivate`, which is the same end.
    { dispose: () => void end() },
    models,
    ...disposables,
    createStatusBar(chat),
    followSettings(chats),
    keepUnsaid(chat, extension.workspaceState),
    vscode.workspace.onDidGrantWorkspaceTrust(ignored),
  );
}

function tellIgnored(
  workspace: Workspace,
  extension: vscode.ExtensionContext,
  log: vscode.OutputChannel,
): Promise<void> {
  const { files } = readSettings(complainOnce(log)).workspaceContext;
  return sayIgnored(workspace, files, extension.workspaceState, log).catch(showProblem);
}

/** The chat and what it is made of, not yet begun. */
function createParts(extension: vscode.ExtensionContext, log: vscode.OutputChannel, storage: Store | null) {
  const settings = () => readSettings(complainOnce(log));
  const workspace = editorWorkspace();
  const engine = createEngine(extension);
  const publish = (view: EngineView) => {
    log.appendLine(`model: ${view.state}: ${view.message} ${view.advice}`);
    for (const chat of chats()) chat.showModel(view);
    if (view.state === 'ready')
      rememberModel(extension.globalState, { path: settings().load.modelPath, memory: view.memory });
  };
  const place = new OneModel(storage?.leases ?? null, thisWindow, () => settings().onePerMachine);
  const abilities = new TestedModels(storage?.abilities ?? null);
  const life = new ModelLife({ engine, wait, publish, abilities, place }, () => settings().load);
  const estimator = createEstimator();
  const counter = createCounter(engine, life, estimator, () => settings().tokenCounter);
  const fingerprint = () => life.loaded?.fingerprint ?? null;
  const { finding, embedding } = createFinding(extension, log, { workspace, engine, life, settings });
  // The pocket model was trained without.
  const mapped = async () => (life.loaded !== null && isPocket(life.loaded) ? null : finding.map());
  const workspaceContext = createWorkspaceContext(
    workspace,
    counter,
    () => settings().workspaceContext,
    fingerprint,
    mapped,
  );
  const importFile = (into: Importing) => importInto(into, storage);
  const mentions = createMentions(workspace);
  const asides = { summariser: () => summarise(extension, settings()), snapshotFiles: filesOf(extension) };
  const elsewhere = (id: string) => parts.beside?.show(id) === true;
  const given = {
    workspaceContext,
    finding,
    counter,
    estimator,
    importFile,
    elsewhere,
    mentions,
    abilities,
    ...asides,
  };
  const ports = surroundings(workspace, settings, given);
  const together = createEditorWindow(engine, life, storage, ports);
  const minutes = () => settings().unloadAfterMinutes;
  const unloading = new Unloading(together.snapshots, life, place, { ...thisWindow, busy: () => engine.busy, minutes });
  const asked = { places: () => parts.beside, examples: () => examplesOf(workspace), reports: reportFiles };
  const shared = { engine, life, storage, together, ...asked };
  const create = () => {
    const conversation = openConversation({ ...shared, ports: { ...ports, holder: newHolder() } });
    const watching = unloading.watch(conversation.chat);
    return { ...conversation, ended: () => watching.dispose() };
  };
  const main = create();
  const chats = (): [Chat, ...Chat[]] => [main.chat, ...(parts.beside?.chats ?? [])];
  hearEngine({ engine, chats, life, finding, embedding }, log);
  const made = { main, focus: new Focus(main), create, chats, together };
  const kept = { life, place, unloading, engine, storage };
  const base = { ...made, ...kept, workspace, workspaceContext, finding, embedding, mentions, importFile };
  const parts: typeof base & { beside: Side | null } = { ...base, beside: null };
  return parts;
}

function filesOf(extension: vscode.ExtensionContext): ConversationPorts['snapshotFiles'] {
  return createSnapshotFiles(join(extension.globalStorageUri.fsPath, 'snapshots'));
}

function importInto(chat: Importing, storage: Store | null): void {
  if (storage === null) void chat.command('/sessions');
  else void importSession(storage.sessions, chat, randomUUID);
}

const newHolder = () => `${process.pid}:${randomUUID()}`;

/** A folder that is not trusted puts no words in the user's mouth. */
async function examplesOf(workspace: Workspace): Promise<readonly string[]> {
  const entities = vscode.workspace.isTrusted ? await mainEntities(workspace, new AbortController().signal, 8) : [];
  return exampleMessages(entities, workspace.folders.length > 0);
}

/** The editor waits for it some seconds; what is registered it disposes of meanwhile. */
export function deactivate(): Promise<void> {
  return end();
}
let end: () => Promise<void> = async () => undefined;

const thisWindow: Pick<ConversationPorts, 'holder' | 'now' | 'every'> = {
  holder: `${process.pid}:${randomUUID()}`,
  now: () => new Date(),
  every: (milliseconds, run) => {
    const timer = setInterval(run, milliseconds);
    return () => clearInterval(timer);
  },
};
const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

function followSettings(chats: () => readonly Chat[]): vscode.Disposable {
  const tidy = () => void chats()[0]?.snapshots.tidy();
  tidy();
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('tidemark.cache')) tidy();
    // A running answer is not cut off: the end of its turn picks the change up.
    const names = ['tidemark.model', 'tidemark.cache.conversations', 'tidemark.tools'];
    const anew = names.some((name) => change.affectsConfiguration(name));
    for (const chat of anew ? chats() : []) {
      const { engine: model, running } = chat.snapshot;
      if (model.state !== 'off' && !running) void chat.open();
    }
  });
}

interface Around
  extends Pick<ConversationPorts, 'importFile' | 'elsewhere' | 'abilities' | 'summariser' | 'snapshotFiles'> {
  readonly workspaceContext: WorkspaceContext;
  readonly finding: EditorFinding;
  readonly counter: CascadeCounter;
  readonly estimator: LazyEstimator;
  readonly mentions: EditorMentions;
}

function surroundings(workspace: Workspace, settings: () => Settings, parts: Around): ConversationPorts {
  const { workspaceContext, finding, counter, estimator, mentions } = parts;
  return {
    mentions,
    finding,
    promptFiles: mentions.promptFiles,
    importFile: parts.importFile,
    elsewhere: parts.elsewhere,
    summariser: parts.summariser,
    abilities: parts.abilities,
    snapshotFiles: parts.snapshotFiles,
    // Its rules are loaded when something is to be remembered, not when the editor starts.
    secretIn: async (text) => (await import('./secrets/secrets.ts')).secretIn(text),
    counter,
    ...thisWindow,
    wait,
    power: readPower,
    folders: () => workspace.folders,
    tools: () => createTools(workspace),
    settings: () => settings().chat,
    workspaceContext,
    tokenCounter: () => ({ ...counter.metrics(), breaker: counter.metrics().breaker.state }),
    measured: (info, prompt, measure) => learnFrom(counter, info.fingerprint, prompt, measure),
    estimate: async (prompt) => (await estimator()).prompt(prompt),
    wantedWindow: () => settings().load.contextSize,
    openText: (language, content) => void openText(language, content).catch(showProblem),
    newId: randomUUID,
  };
}

function createEngine(extension: vscode.ExtensionContext): EngineClient {
  return new EngineClient(() => forkEngine(join(extension.extensionPath, 'dist', 'engine.mjs')));
}

interface Hearing {
  readonly engine: EngineClient;
  readonly chats: () => readonly Chat[];
  readonly life: ModelLife;
  readonly finding: EditorFinding;
  readonly embedding: LoadedEmbedding;
}

/** What the engine tells besides its answers, to those whom it concerns. */
function hearEngine({ engine, chats, life, finding, embedding }: Hearing, log: vscode.OutputChannel): void {
  engine.planned.subscribe((memory) => life.planned(memory));
  engine.loading.subscribe((progress) => life.progress(progress));
  engine.working.subscribe((busy) => {
    finding.hold(busy);
    embedding.busy(busy);
  });
  engine.crashed.subscribe((fault) => {
    embedding.forget();
    log.appendLine(wordFault(fault).message);
    void life.crashed(fault).then(() => {
      for (const chat of chats()) if (chat.snapshot.engine.state === 'ready') void chat.open();
    });
  });
}

async function summarise(extension: vscode.ExtensionContext, { summariser, load }: Settings) {
  const script = join(extension.extensionPath, 'dist', 'engine.mjs');
  return summariser === '' ? null : startSummariser(() => forkEngine(script), summariser, load);
}

function startModels(extension: vscode.ExtensionContext, life: ModelLife): ReturnType<typeof createModels> {
  const script = join(extension.extensionPath, 'dist', 'engine.mjs');
  const folder = join(extension.globalStorageUri.fsPath, 'models');
  return createModels(
    folder,
    createLook(() => forkEngine(script)),
    () => {
      const memory = life.loaded?.memory;
      return memory == null ? 0 : memory.repacked + memory.kv + memory.compute;
    },
  );
}

function createCounter(
  engine: EngineClient,
  life: ModelLife,
  estimator: LazyEstimator,
  settings: () => { readonly enabled: boolean; readonly cacheCapacity: number },
): CascadeCounter {
  const exact = (texts: readonly string[]) => engine.count(texts);
  const fingerprint = () => life.loaded?.fingerprint ?? null;
  return new CascadeCounter({ exact, fingerprint, now: () => performance.now(), estimator }, settings);
}

function readOnlyWords(): string {
  return new FaultError({ kind: 'storeUnavailable', reason: 'the storage is read-only' }).message;
}
