// Does what the user asks for in a view or by a command of the editor.
import * as vscode from 'vscode';
import type { Chat } from '../app/chat.ts';
import type { ModelLife } from '../app/modelLife.ts';
import { reasonOf } from '../core/faults.ts';
import { chooseModel } from './chooseModel.ts';
import { switchTool } from './switchTool.ts';
import type { Receive } from './views.ts';

export function createReceiver(chat: Chat, life: ModelLife, open: (path: string, line: number) => void): Receive {
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
      case 'restartModel':
        // A failure is published by the model's life.
        return void life.restart().then(
          () => chat.open(),
          () => undefined,
        );
      case 'chooseModel':
        return void chooseModel().catch(showProblem);
      case 'open':
        return open(message.path, message.line);
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

export function registerCommands(receive: Receive, ask: (line: string) => void): readonly vscode.Disposable[] {
  const types = ['newSession', 'stop', 'restartModel', 'chooseModel', 'refreshWorkspace'] as const;
  return [
    ...types.map((type) => register(type, () => receive({ type }))),
    register('exportReport', () => ask('/context export markdown')),
    register('exportReportJson', () => ask('/context export json')),
    register('compact', () => ask('/compact')),
    register('showMemory', () => ask('/memory')),
    register('showWork', () => ask('/work')),
    register('showMetrics', () => ask('/context metrics')),
  ];
}
