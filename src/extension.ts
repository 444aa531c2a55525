// The composition root: builds the parts, wires them together, and registers everything that must be disposed.

import * as vscode from 'vscode';
import type { Chat } from './app/conversation/chat.ts';
import { Unloading } from './app/idle/unloading.ts';
import { createEditorWindow } from './app/slots/editorWindow.ts';
import { openConversation } from './app/viewApi/openConversation.ts';
import { showIndex } from './host/finding/findingParts.ts';
import { Focus } from './host/panel/focus.ts';
import { createPanel } from './host/panel/panel.ts';
import { registerStatusMenu } from './host/panel/statusMenu.ts';
import { ending } from './host/system/ending.ts';
import { learnLanguage } from './host/system/language.ts';
import { createStatusBar } from './host/views/statusBar.ts';
import { keepUnsaid } from './host/views/unsaid.ts';
import { tickSteps } from './host/views/walkthrough.ts';
import type { Store } from './store/store.ts';
import { createSuggestions, registerSuggestions } from './window/completion.ts';
import { WindowConversations } from './window/conversations.ts';
import { hearEngines } from './window/hearEngines.ts';
import { logTurns, openLog } from './window/log.ts';
import { createModel, filesOf, otherEngines, ownSummariser, startModels } from './window/model.ts';
import { clock, conversationPorts, editorActs, newHolder, readPower, storageOf } from './window/ports.ts';
import { createReview, rewritesInPlace } from './window/review.ts';
import { actOnSettings, followSettings, tellIgnored } from './window/settings.ts';
import { createSources } from './window/sources.ts';
import { openStorage, readOnlyNotice } from './window/storage.ts';
import { viewParts } from './window/views.ts';

export async function activate(extension: vscode.ExtensionContext): Promise<void> {
  learnLanguage();
  const log = openLog(extension);
  const { store, words, salvaged } = await openStorage(extension);
  if (words !== '') log.appendLine(words);
  const parts = createParts(extension, log, store);
  const { main, open, workspaceContext, mentions, place, unloading } = parts;
  const { chat } = main;
  const models = startModels(extension, parts, log);
  const { side, disposables } = createPanel(extension, parts, parts, { ...parts, models });
  open.openBeside(side);
  sayOfStorage(chat, log, { words, salvaged, isReadOnly: store?.readOnly === true });
  chat.sessions.resume();
  workspaceContext.subscribe(() => {
    for (const { ready } of open.chats) ready.showStale();
  });
  const ignored = () => void tellIgnored(parts.workspace, parts.settings().workspaceContext.files, extension, log);
  ignored();
  const below = [() => place.release(), () => unloading.dispose(), () => store?.close()];
  end = ending({ chats: () => open.chats, snapshots: parts.slots, engine: parts.all, below });
  extension.subscriptions.push(
    log,
    workspaceContext,
    mentions,
    parts.finding,
    parts.embedding,
    parts.shell,
    showIndex({ ...parts, chats: () => open.chats }),
    // The editor disposes of all of these at once and waits only for `deactivate`, which is the same end.
    { dispose: () => void end() },
    models,
    ...disposables,
    createStatusBar(parts.focus),
    tickSteps(parts.focus),
    registerStatusMenu(log),
    rewritesInPlace(parts, log),
    registerSuggestions(parts.suggestions, open, extension.globalState),
    actOnSettings(open, parts),
    keepUnsaid(chat, extension.workspaceState),
    vscode.workspace.onDidGrantWorkspaceTrust(ignored),
  );
}

interface OpenedStorage extends Pick<Awaited<ReturnType<typeof openStorage>>, 'words' | 'salvaged'> {
  readonly isReadOnly: boolean;
}

/** The user is told where what is stored could not be opened as it was. */
function sayOfStorage(chat: Chat, log: vscode.OutputChannel, { words, salvaged, isReadOnly }: OpenedStorage): void {
  const say = (notice: string) => chat.view.set({ notice });
  if (words !== '') say(words);
  void salvaged?.then((found) => {
    log.appendLine(found);
    if (found !== '') say(found);
    void chat.sessions.resumeUnlessBegun();
  });
  if (isReadOnly) say(readOnlyNotice());
}

/** All of the window in the order of dependence: engine and model, what is known of the folders, conversations. None has begun. */
function createParts(extension: vscode.ExtensionContext, log: vscode.OutputChannel, storage: Store | null) {
  const settings = followSettings(log, extension.subscriptions);
  const open = new WindowConversations();
  const model = createModel(extension, log, { storage, settings, open });
  const { engine, life, place, abilities } = model;
  const sources = createSources(extension, log, { engine, life, anyLoaded: model.anyLoaded, settings });
  const { workspace, finding, embedding } = sources;
  const hear = hearEngines({ open, finding, embedding }, log);
  hear({ engine, life, isMain: true });
  const review = createReview(storage, settings);
  const stored = storageOf(storage);
  const editor = editorActs(storage?.sessions ?? null, (id) => open.beside?.show(id) === true);
  const ports = conversationPorts(workspace, settings, { ...sources, review, editor });
  const begun = (other: Pick<typeof model, 'engine' | 'life'>) => hear({ ...other, isMain: false });
  const others = otherEngines(model, settings, begun, sources.estimator);
  const together = createEditorWindow(
    { engine, life },
    { others, abilities, summariser: () => ownSummariser(extension, settings()) },
    stored,
    { settings: () => settings().chat, clock, snapshotFiles: filesOf(extension), power: readPower },
  );
  const resting = { every: clock.every, busy: () => model.all.busy, minutes: () => settings().unloadAfterMinutes };
  const unloading = new Unloading(() => together.engines.all, place, resting);
  const suggestions = createSuggestions({ ...model, finding, settings, begun, used: () => unloading.use() });
  const views = viewParts(open, { workspace, last: sources.mentions.editor }, life, suggestions.rows);
  const create = () => {
    const conversation = openConversation(together, stored, { ...ports, holder: newHolder() }, views);
    const { view, draft } = conversation.chat;
    const watching = vscode.Disposable.from(unloading.watch(view, draft.used), logTurns(view, log));
    return { ...conversation, ended: () => watching.dispose() };
  };
  const main = create();
  open.begin(main.chat);
  const importFile = (into: Chat) =>
    storage === null ? void into.sending.command('/conversations') : editor.importFile(into.sessions);
  const conversations = { main, focus: new Focus(main), create, open, importFile, slots: together.engines };
  return { ...model, ...sources, ...conversations, unloading, storage, review, suggestions, settings };
}

/** The editor waits for it some seconds; what is registered it disposes of meanwhile. */
export function deactivate(): Promise<void> {
  return end();
}
let end: () => Promise<void> = async () => undefined;
