// The panel: its two views, and what they ask for.

import * as vscode from 'vscode';
import type { Chat } from '../../app/conversation/chat.ts';
import type { ModelLife } from '../../app/model/modelLife.ts';
import type { Session } from '../../app/session/session.ts';
import type { OpenConversation } from '../../app/viewApi/openConversation.ts';
import type { OpenPlaces } from '../../app/viewApi/sessionList.ts';
import { filesNamed } from '../../core/dialog/filesNamed.ts';
import type { ReviewRequest } from '../../protocol/reviewView.ts';
import type { CodeAct, OpenEditor } from '../../protocol/view.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { registerCodeActions } from '../editor/codeActions.ts';
import { registerCommitMessage } from '../editor/commitMessage.ts';
import { type AskingView, registerEditorCommands } from '../editor/editorCommands.ts';
import { mentionOf } from '../editor/editorMessages.ts';
import { followOpenEditor } from '../editor/openEditor.ts';
import { openPlace } from '../editor/openPlace.ts';
import { changesIn } from '../edits/changes.ts';
import { runCodeAct } from '../edits/codeActs.ts';
import { createReceiver, register, registerCommands, showProblem } from '../handlers/receive.ts';
import type { LastEditor } from '../mentions/mentionSelection.ts';
import type { EditorMentions } from '../mentions/mentions.ts';
import type { ModelActions } from '../models/models.ts';
import { showChanges } from '../review/changeLenses.ts';
import type { EditorReview } from '../review/editorReview.ts';
import { doReview, registerChanges } from '../review/reviewDeeds.ts';
import { beforeScheme } from '../review/virtualTexts.ts';
import type { ServerAccess } from '../servers/serverAccess.ts';
import { type ModeOf, pickAgent } from '../settings/pickAgent.ts';
import { readServers } from '../settings/readSettings.ts';
import { showInformation } from '../system/toast.ts';
import { LeftWords } from '../views/unsaid.ts';
import { fillView, registerView, type ViewPorts } from '../views/views.ts';
import { conversationName, type Focus } from './focus.ts';

export interface PanelParts {
  readonly main: OpenConversation;
  readonly focus: Focus;
  /** Another chat of this window. */
  readonly create: () => OpenConversation;
  readonly importFile: (into: Chat) => void;
}

/** The open folders, as the panel acts on them. */
export interface PanelFiles {
  readonly workspace: Workspace;
  readonly mentions: Pick<EditorMentions, 'editor' | 'placed'>;
  readonly review: EditorReview;
}

/** The models that the panel shows and offers. */
export interface PanelModels {
  readonly life: ModelLife;
  readonly models: Pick<ModelActions, 'pick' | 'chooseFile' | 'pause' | 'progress'>;
  readonly access: ServerAccess;
}

/** The two views, the place beside, and the commands that do what their buttons do. */
export function createPanel(
  extension: vscode.ExtensionContext,
  { main, focus, create, importFile }: PanelParts,
  { workspace, mentions, review }: PanelFiles,
  { life, models, access }: PanelModels,
): { readonly side: Side; readonly disposables: readonly vscode.Disposable[] } {
  const { chat } = main;
  const setAll: Chat['view']['set'] = (values) => {
    for (const { view } of [chat, ...side.chats]) view.set(values);
  };
  const context = new ContextView(extension.globalState, (contextShown) => setAll({ contextShown }));
  const toggleContext = () => void context.toggle().catch(showProblem);
  const restarted = () => openAll([chat, ...side.chats]);
  const changing = changingFiles(workspace, mentions.editor, review);
  const outside = { open: openIn(workspace), restarted, toggleContext, ...changing };
  const receiverFor = (conversation: OpenConversation) => {
    const focused = (on: boolean) => {
      if (on) focus.turn(conversation);
      // The editor's own key for the view in focus does not hear of a webview's.
      if (conversation === main) void vscode.commands.executeCommand('setContext', 'tidemark.chatFocused', on);
    };
    const chooseAgent = () =>
      void pickAgent({ ...modeOf(conversation.chat, life), keeps: review.keepsEdits }).catch(showProblem);
    const own = { importFile: () => importFile(conversation.chat), focused };
    return createReceiver(conversation.chat, { ...outside, ...own }, { ...choosing(models), chooseAgent });
  };
  const receive = receiverFor(main);
  const side = new Side({ extension, main, focus, create, receiverFor });
  const shared = seenBy(chat, life);
  const chatPorts: ViewPorts = { ...shared, receive, answer: (asked) => main.questions.answer(asked) };
  const toFocused: ViewPorts['receive'] = (request) => receiverFor(focus.current)(request);
  const several = () => side.chats.length > 0;
  const contextPorts = portsOfContext({ shared, receive: toFocused, focus, context, several });
  const pass: ViewPorts['receive'] = (one) => (ofFocused.has(one.type) ? toFocused : receive)(one);
  const open = followOpenEditor(mentions, tellingEditor(chat, setAll));
  const disposables: readonly vscode.Disposable[] = [
    ...reviewParts(review, focus),
    registerView('chat', extension, chat.view, chatPorts),
    registerView('context', extension, focus, contextPorts),
    ...registerCommands(pass, (line) => void focus.current.chat.sending.command(line)),
    register('openToSide', () => side.open()),
    registerServers(access),
    ...registerEntryPoints(chat, open.choose),
    vscode.Disposable.from(models.progress.subscribe((download) => setAll({ download }))),
    register('showContext', (...[tab]) => {
      setAll({ contextTab: tab === 'suggestions' ? { id: tab } : null });
      void context.show().catch(showProblem);
    }),
    open.disposable,
  ];
  return { side, disposables };
}

/** The editor's commands lead to the conversation in the side bar: no other one has what the user chose by them. */
function tellingEditor(chat: Chat, setAll: Chat['view']['set']) {
  return (editor: OpenEditor | null) => {
    setAll({ editor: editor === null ? null : { ...editor, chosen: 0 } });
    chat.view.set({ editor });
  };
}

function openIn(workspace: Workspace) {
  return (path: string, line: number) => void openPlace(workspace, path, line).catch(showProblem);
}

function modeOf(chat: Chat, life: ModelLife): Omit<ModeOf, 'keeps'> {
  const { state } = chat.sessions.session;
  const begun = state.dialog.turns > 0;
  return {
    choices: state.choices,
    model: life.loaded?.name,
    tokens: begun ? (chat.view.snapshot.stack?.total ?? 0) : 0,
    choose: (choices) => chat.sessions.choose(choices),
  };
}

function choosing({ pick, chooseFile, pause }: PanelModels['models']) {
  return { chooseModel: pick, chooseFile, pauseDownload: pause };
}

type SharedPorts = Pick<ViewPorts, 'shown' | 'shownAgain' | 'hidden'>;

/** A view that is seen has the model loaded; one that goes has the cache kept. */
function seenBy(chat: Chat, life: ModelLife): SharedPorts {
  return {
    shown: () => {
      void chat.ready.open();
      return { dispose: () => undefined };
    },
    shownAgain: () => void (life.waits || chat.view.snapshot.resting ? chat.ready.open() : undefined),
    hidden: () => void chat.sessions.keepSlots(),
  };
}

interface ContextPorts {
  readonly shared: SharedPorts;
  readonly receive: ViewPorts['receive'];
  readonly focus: Focus;
  readonly context: ContextView;
  readonly several: () => boolean;
}

/** The Context view is about the conversation in focus, and names it where there are several. */
function portsOfContext({ shared, receive, focus, context, several }: ContextPorts): ViewPorts {
  return {
    receive,
    answer: (asked) => focus.current.questions.answer(asked),
    shownAgain: () => {
      context.visible(true);
      shared.shownAgain();
    },
    hidden: () => {
      context.visible(false);
      shared.hidden();
    },
    shown: (view) => {
      const shown = shared.shown(view);
      context.visible(true);
      const named = focus.named(() => {
        view.description = several() ? conversationName(focus.snapshot) : '';
      });
      return vscode.Disposable.from(shown, named, { dispose: () => context.visible(false) });
    },
  };
}

function openAll(chats: readonly Chat[]): void {
  for (const { ready } of chats) void ready.open();
}

/** Commands of the editor that are about the conversation which the user turned to; the others lead to the side bar. */
const ofFocused: ReadonlySet<string> = new Set([
  'stop',
  'refreshWorkspace',
  'keepChanges',
  'undoChanges',
  'openChanges',
]);

// The command about servers.
function registerServers(access: ServerAccess): vscode.Disposable {
  return register('setServerKey', () => void access.setKey(readServers()).catch(showProblem));
}

// Acts on the code blocks of a conversation and on the files that it changed: what its view asks for, and what the editor shows of them.

/** The acts that the view of a conversation asks for, in its session. */
function changingFiles(workspace: Workspace, last: LastEditor, review: EditorReview) {
  return {
    code: (act: CodeAct, { sessions, sending }: Chat) => {
      const { id, state } = sessions.session;
      const filesOf = (message: string) => filesNamed(state.dialog.path, message);
      runCodeAct(act, {
        workspace,
        changes: changesIn(review.reviews, id),
        last,
        filesOf,
        run: (command) => sending.runBlock(command),
      });
    },
    review: (request: ReviewRequest, session: Session) => void doReview(review, request, session).catch(showProblem),
  };
}

/** Lenses, bars and commands for changes; the commands are about the conversation in focus. */
function reviewParts(review: EditorReview, focus: Focus): readonly vscode.Disposable[] {
  const session = () => focus.current.chat.sessions.session.id;
  return [review, showChanges(review), showBars(review), registerChanges(review, session)];
}

// Bars beside the lines that changed, in the editor's own way, which shows those that went as well, as long as changes wait in an open file.
function showBars(review: EditorReview): vscode.Disposable {
  let control: vscode.SourceControl | null = null;
  const follow = () => {
    const waits = vscode.window.visibleTextEditors.some(({ document }) => review.hunks(document.uri).length > 0);
    if (waits === (control !== null)) return;
    control?.dispose();
    control = waits ? createControl(review) : null;
  };
  return vscode.Disposable.from(review.onDidChange(follow), { dispose: () => control?.dispose() });
}

function createControl(review: EditorReview): vscode.SourceControl {
  const control = vscode.scm.createSourceControl('tidemark', 'Tidemark');
  control.inputBox.visible = false;
  control.quickDiffProvider = {
    provideOriginalResource: (uri) => (review.hunks(uri).length > 0 ? uri.with({ scheme: beforeScheme }) : undefined),
  };
  return control;
}

// Shows and hides the Context view. It is hidden until somebody asks for it: a view that appears gets the share of the side bar that
// package.json gives it, while one that is opened from its title gets the editor's minimum height.
const shownKey = 'tidemark.contextShown';

/** `seen` hears whether the view is in sight. The user's choice is kept for all folders. */
class ContextView {
  readonly #memento: vscode.Memento;
  readonly #seen: (shown: boolean) => void;
  #visible = false;

  constructor(memento: vscode.Memento, seen: (shown: boolean) => void) {
    this.#memento = memento;
    this.#seen = seen;
    if (memento.get<boolean>(shownKey) === true) void this.#place(true);
  }

  async show(): Promise<void> {
    await this.#choose(true);
    await vscode.commands.executeCommand('tidemark.context.focus');
  }

  toggle(): Promise<void> {
    return this.#visible ? this.#choose(false) : this.show();
  }

  /** The view was filled, came back, or went: the editor closes and moves views, too. */
  visible(now: boolean): void {
    this.#visible = now;
    this.#seen(now);
  }

  async #choose(shown: boolean): Promise<void> {
    await this.#memento.update(shownKey, shown);
    await this.#place(shown);
  }

  async #place(shown: boolean): Promise<void> {
    await vscode.commands.executeCommand('setContext', shownKey, shown);
  }
}

// The ways that lead from the editor to a conversation: its commands, its menus, its quick fixes and the commit message.
function registerEntryPoints(chat: Chat, point: () => void): readonly vscode.Disposable[] {
  const asking = askingIn(chat, point);
  return [
    ...registerEditorCommands(asking),
    ...registerAddToChat(asking),
    registerCommitMessage(asking.ask),
    registerCodeActions(),
  ];
}

function askingIn(chat: Chat, point: () => void): AskingView {
  return {
    point: () => {
      chat.sessions.list(false);
      point();
    },
    draft: (text) => {
      chat.sessions.list(false);
      chat.draft.giveBack(text);
    },
    send: (text) => {
      chat.sessions.list(false);
      void chat.sending.send(text);
    },
    ask: async (text) => {
      if (chat.view.snapshot.running) {
        showInformation(vscode.l10n.t('Wait for the running answer, or stop it.'));
        return null;
      }
      chat.sessions.list(false);
      await vscode.commands.executeCommand('tidemark.chat.focus');
      await chat.sending.send(text);
      const last = chat.view.snapshot.entries.at(-1);
      return last?.kind === 'answer' && last.end === 'done' ? last.text : null;
    },
  };
}

// Puts what was chosen in the Explorer, on an editor's tab or in a terminal beside the next message, as a mention.
function registerAddToChat(asking: AskingView): readonly vscode.Disposable[] {
  const add = async (words: string) => {
    asking.draft(`${words} `);
    await vscode.commands.executeCommand('tidemark.chat.focus');
  };
  return [
    // The editor hands over what was clicked, and with it all that is selected.
    register('addToChat', (clicked, selected) => void addFiles(add, filesIn(clicked, selected)).catch(showProblem)),
    register('addTerminal', () => void add('@terminal').catch(showProblem)),
  ];
}

/** From the palette nothing is given: the file of the editor in front is meant. */
function filesIn(clicked: unknown, selected: unknown): readonly vscode.Uri[] {
  const all = Array.isArray(selected) ? selected.filter((one) => one instanceof vscode.Uri) : [];
  if (all.length > 0) return all;
  const one = clicked instanceof vscode.Uri ? clicked : vscode.window.activeTextEditor?.document.uri;
  return one === undefined ? [] : [one];
}

async function addFiles(add: (words: string) => Promise<void>, uris: readonly vscode.Uri[]): Promise<void> {
  const inside = uris.filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined);
  if (inside.length === 0) {
    showInformation(vscode.l10n.t('Choose a file or folder of the workspace.'));
    return;
  }
  await add((await Promise.all(inside.map(wordOf))).join(' '));
}

async function wordOf(uri: vscode.Uri): Promise<string> {
  const { type } = await vscode.workspace.fs.stat(uri);
  const place = { path: vscode.workspace.asRelativePath(uri), lines: null };
  return (type & vscode.FileType.Directory) === 0 ? mentionOf(place) : mentionOf(place).replace('@file:', '@folder:');
}

// A second conversation in an editor beside: the panel it stands in, from when it is opened until it is closed.

interface SideParts {
  readonly extension: vscode.ExtensionContext;
  readonly main: OpenConversation;
  readonly focus: Focus;
  /** Another chat of this window. */
  readonly create: () => OpenConversation;
  readonly receiverFor: (conversation: OpenConversation) => ViewPorts['receive'];
}

interface Opened {
  readonly conversation: OpenConversation;
  readonly panel: vscode.WebviewPanel;
}

class Side implements OpenPlaces {
  private readonly parts: SideParts;
  private opened: Opened | null = null;
  private readonly words: LeftWords;

  constructor(parts: SideParts) {
    this.parts = parts;
    this.words = new LeftWords(parts.extension.workspaceState);
    const { chat } = parts.main;
    chat.view.subscribe(({ type }) => {
      if (type === 'begin' && chat.sessions.session.state.dialog.head !== null) this.words.giveBack(chat);
    });
  }

  get chats(): readonly Chat[] {
    return this.opened === null ? [] : [this.opened.conversation.chat];
  }

  has(id: string): boolean {
    return this.chats.some(({ sessions }) => sessions.session.id === id);
  }

  show(id: string): boolean {
    if (this.parts.main.chat.sessions.session.id === id) {
      void vscode.commands.executeCommand('tidemark.chat.focus');
      return true;
    }
    if (!this.has(id)) return false;
    this.reveal();
    return true;
  }

  beside(id: string): string {
    if (this.show(id)) return '';
    const conversation = this.opened?.conversation ?? this.created();
    const problem = conversation.chat.sessions.openSession(id);
    if (problem === null) this.place(conversation);
    else if (this.opened === null) {
      conversation.ended();
      conversation.chat.sessions.dispose();
    }
    return problem ?? '';
  }

  /** A new conversation, or the one that is there. */
  open(): void {
    if (this.reveal()) return;
    const conversation = this.created();
    conversation.chat.sessions.newSession();
    this.place(conversation);
    void conversation.chat.ready.open();
  }

  /** False where there is none. */
  private reveal(): boolean {
    if (this.opened === null) return false;
    this.opened.panel.reveal();
    this.parts.focus.turn(this.opened.conversation);
    return true;
  }

  private created(): OpenConversation {
    const conversation = this.parts.create();
    const { editor, contextShown } = this.parts.main.chat.view.snapshot;
    conversation.chat.ready.showModels();
    conversation.chat.view.set({ editor, contextShown });
    return conversation;
  }

  private place(conversation: OpenConversation): void {
    if (this.reveal()) return;
    const { extension, focus, receiverFor } = this.parts;
    const { chat, questions } = conversation;
    const panel = vscode.window.createWebviewPanel(
      'tidemark.side',
      conversationName(chat.view.snapshot),
      vscode.ViewColumn.Beside,
    );
    panel.iconPath = new vscode.ThemeIcon('comment-discussion');
    this.opened = { conversation, panel };
    const ports = { receive: receiverFor(conversation), answer: questions.answer.bind(questions) };
    const keeping = this.words.follow(chat);
    const { sendSnapshot, dispose } = fillView('chat', panel.webview, extension, chat.view, ports);
    const named = chat.view.subscribe(() => {
      panel.title = conversationName(chat.view.snapshot);
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible) sendSnapshot();
      if (panel.active) focus.turn(conversation);
    });
    panel.onDidDispose(() => {
      this.opened = null;
      dispose();
      named.dispose();
      this.closed(conversation);
      keeping.dispose();
    });
    focus.turn(conversation);
    focus.rename();
  }

  private closed({ chat, ended }: OpenConversation): void {
    const { focus, main } = this.parts;
    focus.turn(main);
    focus.rename();
    // Messages that were sent and are not yet said come back with what was being written.
    ended();
    void chat.sessions.close();
  }
}
