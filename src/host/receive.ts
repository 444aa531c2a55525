// Does what the user asks for in a view or by a command of the editor.
import * as vscode from 'vscode';
import type { Chat } from '../app/chat.ts';
import type { ModelLife } from '../app/modelLife.ts';
import { reasonOf } from '../core/faults.ts';
import type { CodeAct } from '../protocol/view.ts';
import { type SettingKey, settingTable } from './settingTable.ts';
import { switchTool } from './switchTool.ts';
import type { Receive } from './views.ts';

export interface Outside {
  readonly open: (path: string, line: number) => void;
  readonly importFile: () => void;
  readonly chooseModel: () => void;
  readonly code: (act: CodeAct) => void;
}

export function createReceiver(chat: Chat, life: ModelLife, { open, importFile, chooseModel, code }: Outside): Receive {
  return (message) => {
    switch (message.type) {
      case 'send':
        return void chat.send(message.text);
      case 'edit':
        return void chat.edit(message.item, message.text);
      case 'regenerate':
        return void chat.sending.regenerate();
      case 'unqueue':
        return chat.sending.unqueue(message.id);
      case 'stop':
        return chat.cancel();
      case 'written':
        return void chat.draft.written(message.text);
      case 'remember':
        return chat.remember(message.item);
      case 'answerProposal':
        return void chat.answerProposal(message.fold, message.proposal, message.keep);
      case 'refreshWorkspace':
        return void chat.refreshWorkspace();
      case 'switchTool':
        return void switchTool(message.name, message.on).catch(showProblem);
      case 'newSession':
        chat.newSession();
        return void chat.open();
      case 'listSessions':
        return chat.set({ listing: message.shown });
      case 'importSession':
        return importFile();
      case 'restartModel':
        // A failure is published by the model's life.
        return void life.restart().then(
          () => chat.open(),
          () => undefined,
        );
      case 'openSetting':
        return void openSetting(message.key).catch(showProblem);
      case 'chooseModel':
        return chooseModel();
      case 'open':
        return open(message.path, message.line);
      case 'copyCode':
      case 'insertCode':
      case 'applyCode':
      case 'createFile':
        return code(message);
      default:
        return message satisfies never;
    }
  };
}

/** For what the user asked for by a click and the editor refused. */
export function showProblem(error: unknown): void {
  void vscode.window.showErrorMessage(`Tidemark: ${reasonOf(error)}`);
}

export function register(name: string, run: () => void): vscode.Disposable {
  return vscode.commands.registerCommand(`tidemark.${name}`, run);
}

async function openSetting(key: string): Promise<void> {
  if (!(key in settingTable)) return;
  const { scope } = settingTable[key as SettingKey];
  // What belongs to a machine is found among the settings of the machine the extension runs on.
  const place = scope === 'machine' && vscode.env.remoteName !== undefined ? 'openRemoteSettings' : 'openSettings';
  await vscode.commands.executeCommand(`workbench.action.${place}`, { query: `@id:tidemark.${key}` });
}

/** The list lies in the Chat view. */
async function showSessions(receive: Receive): Promise<void> {
  receive({ type: 'listSessions', shown: true });
  await vscode.commands.executeCommand('tidemark.chat.focus');
}

export function registerCommands(receive: Receive, ask: (line: string) => void): readonly vscode.Disposable[] {
  const types = ['newSession', 'importSession', 'stop', 'restartModel', 'chooseModel', 'refreshWorkspace'] as const;
  return [
    ...types.map((type) => register(type, () => receive({ type }))),
    register('showSessions', () => void showSessions(receive).catch(showProblem)),
    register('exportReport', () => ask('/context export markdown')),
    register('exportReportJson', () => ask('/context export json')),
    register('compact', () => ask('/compact')),
    register('showMemory', () => ask('/memory')),
    register('showWork', () => ask('/work')),
    register('showMetrics', () => ask('/context metrics')),
  ];
}
