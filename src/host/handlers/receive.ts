// Does what the user asks for in a view or by a command of the editor.
import * as vscode from 'vscode';
import type { Chat } from '../../app/conversation/chat.ts';
import type { ModelLife } from '../../app/model/modelLife.ts';
import type { Session } from '../../app/session/session.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { ReviewRequest } from '../../protocol/reviewView.ts';
import type { CodeAct } from '../../protocol/view.ts';
import { editAgent } from '../../settings/agents.ts';
import { type SettingKey, settingTable } from '../../settings/settingTable.ts';
import { switchTool } from '../settings/switchTool.ts';
import { showError } from '../system/toast.ts';
import type { Receive } from '../views/views.ts';
import { openLink } from './openLink.ts';

export interface Outside {
  /** The user turns to this conversation, or away. */
  readonly focused: (on: boolean) => void;
  /** The model was loaded anew: nothing is ready for the next message, in any conversation. */
  readonly restarted: () => void;
  readonly open: (path: string, line: number) => void;
  readonly importFile: () => void;
  readonly toggleContext: () => void;
  readonly code: (act: CodeAct, chat: Chat) => void;
  readonly review: (request: ReviewRequest, session: Session) => void;
}

/** Lists in which the user chooses a model or an agent, and downloads. */
export interface ModelDoors {
  readonly chooseModel: () => void;
  readonly chooseAgent: () => void;
  readonly chooseFile: () => void;
  readonly pauseDownload: () => void;
}

type ViewRequest = Parameters<Receive>[0];
type ChangeType = ReviewRequest['type'] | CodeAct['type'];
type Deeds = { readonly [T in ViewRequest['type']]: (request: Extract<ViewRequest, { type: T }>) => unknown };

/** Deeds that return a promise say themselves when they fail. */
export function createReceiver(chat: Chat, outside: Outside, doors: ModelDoors): Receive {
  const deeds: Deeds = { ...talkDeeds(chat), ...editorDeeds(chat, outside), ...doors };
  return (request) => void (deeds[request.type] as (one: ViewRequest) => unknown)(request);
}

type TalkType =
  | 'send'
  | 'sendAlone'
  | 'edit'
  | 'answerInstead'
  | 'continue'
  | 'regenerate'
  | 'fix'
  | 'runWithNetwork'
  | 'letRun'
  | 'stopProgram'
  | 'openPort'
  | 'showPrograms'
  | 'openBranch'
  | 'unqueue'
  | 'stop'
  | 'approve'
  | 'approveLasting'
  | 'written'
  | 'chooseIntent'
  | 'chooseFound'
  | 'remember'
  | 'answerProposal';

function talkDeeds(chat: Chat): Pick<Deeds, TalkType> {
  const { programs } = chat.turns.context.project;
  return {
    send: ({ text }) => chat.sending.send(text),
    sendAlone: ({ text }) => chat.sending.sendAlone(text),
    edit: ({ item, text }) => chat.sending.edit(item, text),
    answerInstead: ({ item, text }) => chat.sending.answerInstead(item, text),
    continue: ({ words }) => chat.sending.continueAnswer(words),
    regenerate: () => chat.sending.regenerate(),
    fix: ({ command }) => fix(chat, command).catch(showProblem),
    runWithNetwork: ({ command }) => chat.sending.runBlock(command, true).catch(showProblem),
    letRun: () => programs?.letRun(chat.sessions.session.id),
    stopProgram: ({ run }) => programs?.stop(run),
    openPort: ({ run, port }) => programs?.open(run, port),
    showPrograms: () => programs?.showOutput(),
    openBranch: ({ item, at }) => chat.sessions.openBranch(item, at),
    unqueue: ({ id }) => chat.sending.unqueue(id),
    stop: () => chat.sending.cancel(),
    approve: ({ call, allowed }) => chat.sending.approvals.answer(call, allowed),
    approveLasting: ({ call, lasting }) => chat.sending.approvals.answer(call, lasting),
    written: ({ text }) => chat.draft.written(text),
    chooseIntent: ({ act, command, without }) => chat.draft.decide(act, command, without),
    chooseFound: ({ place, as }) => chat.draft.choose(place, as),
    remember: ({ item }) => chat.sending.remember(item),
    answerProposal: (answer) => chat.commands.answerProposal(chat.sessions.session, chat.view.transcript, answer),
  };
}

/** Who asks for a fix wants files changed. It does not wait for the warm-up that another mode begins: it ends that. */
async function fix({ sessions, sending }: Chat, command: string): Promise<void> {
  const { choices } = sessions.session.state;
  const chosen = choices.agent === editAgent ? null : sessions.choose({ ...choices, agent: editAgent });
  await sending.fix(command);
  await chosen;
}

function editorDeeds(chat: Chat, outside: Outside): Omit<Deeds, TalkType | keyof ModelDoors> {
  const { open, importFile, focused } = outside;
  const begin = () => {
    chat.sessions.newSession();
    chat.sessions.list(false);
    return chat.ready.open();
  };
  // A failure is published by the model's life.
  const all = (load: (life: ModelLife) => Promise<unknown>) =>
    Promise.all(chat.turns.context.engines.all.map(({ life }) => load(life))).then(outside.restarted, () => undefined);
  return {
    focused: ({ on }) => focused(on),
    refreshWorkspace: () => chat.ready.refreshWorkspace(),
    switchTool: ({ name, on }) => switchTool(name, on).catch(showProblem),
    think: ({ on }) => chat.sessions.think(on),
    newSession: begin,
    listSessions: ({ shown }) => chat.sessions.list(shown),
    importSession: importFile,
    restartModel: () => all((life) => life.restart()),
    loadHere: () => all((life) => life.loadHere()).then(() => chat.sending.resend()),
    openSetting: ({ key }) => openSetting(key).catch(showProblem),
    openFolder: () => vscode.commands.executeCommand('workbench.action.files.openFolder'),
    toggleContext: () => outside.toggleContext(),
    manageTrust: () => vscode.commands.executeCommand('workbench.trust.manage'),
    open: ({ path, line }) => open(path, line),
    openLink: ({ href }) => openLink(href).catch(showProblem),
    ...changeDeeds(chat, outside),
  };
}

/** Hands on what is to be done with the code of answers, and with changes. */
function changeDeeds(chat: Chat, outside: Outside): Pick<Deeds, ChangeType> {
  const code = (act: CodeAct) => outside.code(act, chat);
  const review = (request: ReviewRequest) => outside.review(request, chat.sessions.session);
  return {
    copyCode: code,
    insertCode: code,
    applyCode: code,
    runCode: code,
    typeCode: code,
    keepChanges: review,
    undoChanges: review,
    openChanges: review,
    keepChange: review,
    undoChange: review,
    compareChange: review,
    redoChange: review,
    undoTurn: review,
    redoTurn: review,
    createFile: code,
  };
}

/** For what the user asked for by a click and the editor refused. */
export function showProblem(error: unknown): void {
  showError(`Tidemark: ${reasonOf(error)}`);
}

/** `run` is given what the editor has for a command of a menu. */
export function register(name: string, run: (...given: readonly unknown[]) => void): vscode.Disposable {
  return vscode.commands.registerCommand(`tidemark.${name}`, run);
}

export async function openSetting(key: string): Promise<void> {
  if (!(key in settingTable)) return;
  const { scope } = settingTable[key as SettingKey];
  // A setting of a machine is found among those of the machine that the extension runs on.
  const place = scope === 'machine' && vscode.env.remoteName !== undefined ? 'openRemoteSettings' : 'openSettings';
  await vscode.commands.executeCommand(`workbench.action.${place}`, { query: `@id:tidemark.${key}` });
}

/** The list lies in the Chat view. */
async function showSessions(receive: Receive): Promise<void> {
  receive({ type: 'listSessions', shown: true });
  await vscode.commands.executeCommand('tidemark.chat.focus');
}

export function registerCommands(receive: Receive, ask: (line: string) => void): readonly vscode.Disposable[] {
  const types = [
    'newSession',
    'importSession',
    'stop',
    'restartModel',
    'chooseAgent',
    'refreshWorkspace',
    'keepChanges',
    'undoChanges',
    'openChanges',
  ] as const;
  return [
    ...types.map((type) => register(type, () => receive({ type }))),
    register('showSessions', () => void showSessions(receive).catch(showProblem)),
    register('exportReport', () => ask('/context export markdown')),
    register('exportReportJson', () => ask('/context export json')),
    register('compact', () => ask('/compact')),
    register('testModel', () => ask('/probe')),
    register('showMemory', () => ask('/memory')),
    register('showWork', () => ask('/work')),
    register('showMetrics', () => ask('/context metrics')),
  ];
}
