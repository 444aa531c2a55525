// The panel: its two views, what they ask and wish, and the commands of the editor that lead there.
import type * as vscode from 'vscode';
import type { Desk } from '../app/answers.ts';
import type { Chat } from '../app/chat.ts';
import type { ModelLife } from '../app/modelLife.ts';
import type { Workspace } from '../tools/workspace.ts';
import { registerCodeActions } from './codeActions.ts';
import { createCodeActs } from './codeActs.ts';
import { type Asking, registerEditorCommands } from './editorCommands.ts';
import { chooseModel } from './modelPicker.ts';
import { openPlace } from './openPlace.ts';
import { createReceiver, registerCommands, showProblem } from './receive.ts';
import { readSettings } from './settings.ts';
import { registerView, type ViewPorts } from './views.ts';

export interface PanelParts {
  readonly chat: Chat;
  readonly life: ModelLife;
  readonly desk: Desk;
  readonly workspace: Workspace;
  readonly importFile: () => void;
}

/** The two views, and the commands that do what their buttons do. */
export function createPanel(
  extension: vscode.ExtensionContext,
  { chat, life, desk, workspace, importFile }: PanelParts,
): readonly vscode.Disposable[] {
  const open = (path: string, line: number) => void openPlace(workspace, path, line).catch(showProblem);
  const code = createCodeActs(workspace);
  const choose = () =>
    void chooseModel(extension.globalState, readSettings(() => undefined).load.modelPath).catch(showProblem);
  const receive = createReceiver(chat, life, { open, importFile, chooseModel: choose, code: code.run });
  const asking: Asking = {
    draft: (text) => {
      chat.set({ listing: false });
      chat.draft.giveBack(text);
    },
    send: (text) => {
      chat.set({ listing: false });
      void chat.send(text);
    },
  };
  const ports: ViewPorts = {
    receive,
    answer: (asked) => desk.answer(asked),
    shown: () => void chat.open(),
    hidden: () => void chat.snapshots.keep(),
  };
  return [
    code,
    registerView('chat', extension, chat, ports),
    registerView('context', extension, chat, ports),
    ...registerCommands(receive, (line) => void chat.command(line)),
    ...registerEditorCommands(asking),
    registerCodeActions(),
  ];
}
