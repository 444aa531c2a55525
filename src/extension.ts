// The composition root: builds the parts, wires them together, and registers everything that must be disposed.

import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Chat } from './app/conversation/chat.ts';
import { Unloading } from './app/idle/unloading.ts';
import { isPocket } from './app/model/engineViews.ts';
import { createEditorWindow } from './app/slots/editorWindow.ts';
import { exampleMessages } from './app/viewApi/examples.ts';
import { openConversation, type ViewParts } from './app/viewApi/openConversation.ts';
import { FaultError } from './core/faults/faults.ts';
import type { EngineClient } from './engine/client.ts';
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
import { readPower } from './host/system/power.ts';
import { createStatusBar } from './host/views/statusBar.ts';
import { keepUnsaid } from './host/views/unsaid.ts';
import { openIn } from './store/rescue/openIn.ts';
import type { Store } from './store/store.ts';
import type { Workspace } from './tools/files/workspace.ts';
import { WindowConversations } from './window/conversations.ts';
import { createModel, filesOf, hearEngine, otherEngines, ownSummariser, startModels } from './window/model.ts';
import { clock, conversationPorts, editorActs, newHolder, storageOf } from './window/ports.ts';
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
  const { side, disposables } = createPanel(extension, parts, parts, { ...parts, models });
  open.openBeside(side);
  const say = (notice: string) => chat.view.set({ notice });
  if (words !== '') say(words);
  void salvaged?.then((found) => {
    log.appendLine(found);
    if (found !== '') say(found);
    void chat.sessions.resumeUnlessBegun();
  });
  if (storage?.readOnly === true) say(readOnlyWords());
  chat.sessions.resume();
  workspaceContext.subscribe(() => {
    for (const { ready } of open.chats) ready.showStale();
  });
  const ignored = () => void tellIgnored(parts, extension, log);
  ignored();
  const below = [() => place.release(), () => unloading.dispose(), () => storage?.close()];
  end = ending({ chats: () => open.chats, snapshots: parts.slots, engine: parts.all, below });
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
    actOnSettings(open, parts),
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
  const stored = storageOf(storage);
  const editor = editorActs(storage?.sessions ?? null, (id) => open.beside?.show(id) === true);
  const ports = conversationPorts(workspace, settings, { ...sources, review, editor });
  const begun: Parameters<typeof otherEngines>[2] = (other) => hearEngine({ ...hearers, ...other, isMain: false }, log);
  const others = otherEngines(model, settings, begun, sources.estimator);
  const together = createEditorWindow(
    { engine, life },
    { others, abilities, summariser: () => ownSummariser(extension, settings()) },
    stored,
    { settings: () => settings().chat, clock, snapshotFiles: filesOf(extension), power: readPower },
  );
  const minutes = () => settings().unloadAfterMinutes;
  const busy = () => model.all.busy;
  const unloading = new Unloading(() => together.engines.all, place, { every: clock.every, busy, minutes });
  const examples = () => examplesOf(workspace, life.loaded !== null && isPocket(life.loaded));
  const { editor: last } = sources.mentions;
  const blockOf: ViewParts['blockChange'] = (block, filesOf) => blockChange(block, { workspace, last, filesOf });
  const views = { places: () => open.beside, examples, reports: reportFiles, blockChange: blockOf };
  const create = () => {
    const conversation = openConversation(together, stored, { ...ports, holder: newHolder() }, views);
    const { view, draft } = conversation.chat;
    const watching = unloading.watch(view, draft.used);
    return { ...conversation, ended: () => watching.dispose() };
  };
  const main = create();
  open.begin(main.chat);
  const importFile = (into: Chat) =>
    storage === null ? void into.sending.command('/conversations') : editor.importFile(into.sessions);
  const slots = together.engines;
  const parts = { main, focus: new Focus(main), create, open, unloading, storage, importFile, review, slots };
  return { ...model, ...sources, ...parts, settings };
}

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

function actOnSettings(
  open: WindowConversations,
  { recheck, slots }: Pick<ReturnType<typeof createParts>, 'recheck' | 'slots'>,
): vscode.Disposable {
  const tidy = () => void slots.tidy();
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
    for (const { view, ready } of anew ? open.chats : []) {
      const { engine: model, running } = view.snapshot;
      if (model.state !== 'off' && !running) void ready.open();
    }
  });
}

function readOnlyWords(): string {
  return new FaultError({ kind: 'storeUnavailable', reason: 'the storage is read-only' }).message;
}
