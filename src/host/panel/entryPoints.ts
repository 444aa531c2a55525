// The ways that lead from the editor to a conversation: its commands, its menus, its quick fixes and the commit message.
import * as vscode from 'vscode';
import type { Chat } from '../../app/conversation/chat.ts';
import { registerAddToChat } from '../editor/addToChat.ts';
import { registerCodeActions } from '../editor/codeActions.ts';
import { registerCommitMessage } from '../editor/commitMessage.ts';
import { type AskingView, registerEditorCommands } from '../editor/editorCommands.ts';
import { showInformation } from '../system/toast.ts';

export function registerEntryPoints(chat: Chat, point: () => void): readonly vscode.Disposable[] {
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
