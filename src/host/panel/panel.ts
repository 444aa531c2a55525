// The panel: its two views, and what they ask for.
import * as vscode from 'vscode';
import type { Chat } from '../../app/conversation/chat.ts';
import type { ModelLife } from '../../app/model/modelLife.ts';
import type { OpenConversation } from '../../app/viewApi/openConversation.ts';
import type { OpenEditor } from '../../protocol/view.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { followOpenEditor } from '../editor/openEditor.ts';
import { openPlace } from '../editor/openPlace.ts';
import { createReceiver, register, registerCommands, showProblem } from '../handlers/receive.ts';
import type { EditorMentions } from '../mentions/mentions.ts';
import type { ModelActions } from '../models/models.ts';
import type { EditorReview } from '../review/editorReview.ts';
import { registerServers } from '../servers/registerServers.ts';
import type { ServerAccess } from '../servers/serverAccess.ts';
import { type ModeOf, pickAgent } from '../settings/pickAgent.ts';
import { registerView, type ViewPorts } from '../views/views.ts';
import { changingFiles, reviewParts } from './changedFiles.ts';
import { ContextView } from './contextView.ts';
import { registerEntryPoints } from './entryPoints.ts';
import { conversationName, type Focus } from './focus.ts';
import { Side } from './sidePanel.ts';

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
