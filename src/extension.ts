// The composition root: builds the parts, wires them together, and registers everything that must be disposed.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Unloading } from './app/idle/unloading.ts';
import { isPocket } from './app/model/engineViews.ts';
import type { Importing } from './app/ports/conversationPorts.ts';
import { createEditorWindow } from './app/slots/editorWindow.ts';
import { exampleMessages } from './app/viewApi/examples.ts';
import { type ConversationParts, openConversation } from './app/viewApi/openConversation.ts';
import { FaultError } from './core/faults/faults.ts';
import type { EngineClient } from './engine/client.ts';
import { importSession } from './host/editor/importSession.ts';
import { reportFiles } from './host/editor/reportFile.ts';
import { blockChange } from './host/edits/blockChange.ts';
import { showIndex } from './host/finding/findingParts.ts';
import { showProblem } from './host/handlers/receive.ts';
import { Focus } from './host/panel/focus.ts';
import { createPanel } from './host/panel/panel.ts';
import { registerStatusMenu } from './host/panel/statusMenu.ts';
import { sayIgnored } from './host/settings/ignored.ts';
import { complainOnce, sayRemoved } from './host/settings/readSettings.ts';
import { ending } from './host/system/ending.ts';
import { learnLanguage } from './host/system/language.ts';
import { createStatusBar } from './host/views/statusBar.ts';
import { keepUnsaid } from './host/views/unsaid.ts';
import { openIn } from './store/rescue/openIn.ts';
import type { Store } from './store/store.ts';
import type { Workspace } from './tools/files/workspace.ts';
import { WindowConversations } from './window/conversations.ts';
import { createModel, filesOf, hearEngine, otherEngines, ownSummariser, startModels } from './window/model.ts';
import { conversationPorts, thisWindow } from './window/ports.ts';
import { createReview } from './window/review.ts';
import { followSettings } from './window/settings.ts';
import { createSources } from './window/sources.ts';
import { mainEntities } from './workspace/entities.ts';

export async function activate(extension: vscode.ExtensionContext): Promise<void> {
  learnLanguage();
  const log = vscode.window.createOutputChannel('Tidemark');
  const { store, words, salvaged } = await openStorage(extension);
  if (words !== '') log.appendLine(words);
  const parts = createParts(extension, log, store);
  const { main, open, workspaceContext, mentions, place, storage, unloading } = parts;
  const { chat } = main;
  const models = startModels(extension, parts, log);
  const { side, disposables } = createPanel(extension, { ...parts, models });
  open.openBeside(side);
  const say = (notice: string) => chat.publish({ type: 'set', values: { notice } });
  if (words !== '') say(words);
  void salvaged?.then((found) => {
    log.appendLine(found);
    if (found !== '') say(found);
    void chat.resumeUnlessBegun();
  });
  if (storage?.readOnly === true) say(readOnlyWords());
  chat.resume();
  workspaceContext.subscribe(() => {
    for (const one of open.chats) one.showStale();
  });
  const ignored = () => void tellIgnored(parts, extension, log);
  ignored();
  const below = [() => place.release(), () => unloading.dispose(), () => storage?.close()];
  end = ending({ chats: () => open.chats, snapshots: chat.snapshots, engine: parts.all, below });
  extension.subscriptions.push(
    log,
    workspaceContext,
    mentions,
    parts.finding,
    parts.embedding,
    showIndex({ ...parts, chats: () => open.chats }),
    // The editor disposes of all of these at once and waits only for `deactivate`, which is the same end.
    { dispose: () => void end() },
    models,
    ...disposables,
    createStatusBar(parts.focus),
    registerStatusMenu(log),
    actOnSettings(open, parts.recheck),
    keepUnsaid(chat, extension.workspaceState),
    vscode.workspace.onDidGrantWorkspaceTrust(ignored),
  );
}

function openStorage({ extensionPath, globalStorageUri }: vscode.ExtensionContext) {
  const thread = (name: string) => join(extensionPath, 'dist', name);
  return openIn(globalStorageUri.fsPath, thread('salvage.cjs'), thread('search.cjs'));
}

function tellIgnored(
  { workspace, settings }: Pick<ReturnType<typeof createParts>, 'workspace' | 'settings'>,
  extension: vscode.ExtensionContext,
  log: vscode.OutputChannel,
): Promise<unknown> {
  const ignored = sayIgnored(workspace, settings().workspaceContext.files, extension.workspaceState, log);
  return Promise.all([ignored, sayRemoved(extension.globalState, log)]).catch(showProblem);
}

/** All of the window in the order of dependence: engine and model, what is known of the folders, conversations. None has begun. */
function createParts(extension: vscode.ExtensionContext, log: vscode.OutputChannel, storage: Store | null) {
  const settings = followSettings(complainOnce(log), extension.subscriptions);
  const open = new WindowConversations();
  const model = createModel(extension, log, { storage, settings, open });
  const { engine, life, place, abilities } = model;
  const sources = createSources(extension, log, { engine, life, anyLoaded: model.anyLoaded, settings });
  const { workspace, finding, embedding } = sources;
  const hearers = { open, finding, embedding, working: new Set<EngineClient>() };
  hearEngine({ ...hearers, engine, life, isMain: true }, log);
  const review = createReview(storage, settings);
  const importFile = (into: Importing) => importInto(into, storage);
  const elsewhere = (id: string) => open.beside?.show(id) === true;
  const asides = { summariser: () => ownSummariser(extension, settings()), snapshotFiles: filesOf(extension) };
  const ports = conversationPorts(workspace, settings, {
    ...sources,
    ...asides,
    review,
    importFile,
    elsewhere,
    abilities,
  });
  const begun: Parameters<typeof otherEngines>[2] = (other) => hearEngine({ ...hearers, ...other, isMain: false }, log);
  const others = otherEngines(model, settings, begun, sources.estimator);
  const together = createEditorWindow(engine, life, storage, ports, others);
  const minutes = () => settings().unloadAfterMinutes;
  const busy = () => model.all.busy;
  const unloading = new Unloading(() => together.engines.all, place, { ...thisWindow, busy, minutes });
  const examples = () => examplesOf(workspace, life.loaded !== null && isPocket(life.loaded));
  const { editor: last } = sources.mentions;
  const blockOf: ConversationParts['blockChange'] = (block, filesOf) =>
    blockChange(block, { workspace, last, filesOf });
  const views = { places: () => open.beside, examples, reports: reportFiles, blockChange: blockOf };
  const create = () => {
    const own = { ...ports, holder: newHolder() };
    const conversation = openConversation({ storage, together, ...views, ports: own });
    const watching = unloading.watch(conversation.chat);
    return { ...conversation, ended: () => watching.dispose() };
  };
  const main = create();
  open.begin(main.chat);
  const parts = { main, focus: new Focus(main), create, open, unloading, storage, importFile, review };
  return { ...model, ...sources, ...parts, settings };
}

function importInto(chat: Importing, storage: Store | null): void {
  if (storage === null) void chat.command('/conversations');
  else void importSession(storage.sessions, chat, randomUUID);
}

const newHolder = () => `${process.pid}:${randomUUID()}`;

/** Nothing of a folder that is not trusted can be looked up. */
async function examplesOf(workspace: Workspace, pocket: boolean): Promise<readonly string[]> {
  if (!vscode.workspace.isTrusted) return [];
  const entities = await mainEntities(workspace, new AbortController().signal, 8);
  const problems = vscode.languages.getDiagnostics().flatMap(([, all]) => all.filter(({ severity }) => severity <= 1));
  return exampleMessages(entities, { hasFolder: workspace.folders.length > 0, problems: problems.length, pocket });
}

/** The editor waits for it some seconds; what is registered it disposes of meanwhile. */
export function deactivate(): Promise<void> {
  return end();
}
let end: () => Promise<void> = async () => undefined;

function actOnSettings(open: WindowConversations, recheck: () => void): vscode.Disposable {
  const tidy = () => void open.chats[0]?.snapshots.tidy();
  tidy();
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('tidemark.cache')) tidy();
    // A running answer is not cut off: the end of its turn picks the change up.
    const names = [
      'tidemark.model',
      'tidemark.engine',
      'tidemark.servers',
      'tidemark.network.offline',
      'tidemark.cache.conversations',
      'tidemark.tools',
      'tidemark.agent',
      'tidemark.agents',
    ];
    // What runs on a server is cut off at once.
    if (change.affectsConfiguration('tidemark.network.offline')) recheck();
    const anew = names.some((name) => change.affectsConfiguration(name));
    for (const chat of anew ? open.chats : []) {
      const { engine: model, running } = chat.snapshot;
      if (model.state !== 'off' && !running) void chat.open();
    }
  });
}

function readOnlyWords(): string {
  return new FaultError({ kind: 'storeUnavailable', reason: 'the storage is read-only' }).message;
}
