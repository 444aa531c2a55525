// Shows the menu of the status bar item, and the log, which that menu and the command palette have.
import * as vscode from 'vscode';
import { register, showProblem } from '../handlers/receive.ts';

/** `log`: the output channel. Closed with the window. */
export function registerStatusMenu(log: vscode.OutputChannel): vscode.Disposable {
  return vscode.Disposable.from(
    register('showMenu', () => void showMenu().catch(showProblem)),
    register('showLog', () => log.show()),
  );
}

async function showMenu(): Promise<void> {
  const run =
    (command: string, ...given: readonly unknown[]) =>
    async () => {
      await vscode.commands.executeCommand(command, ...given);
    };
  const rows = [
    { label: `$(comment-discussion) ${vscode.l10n.t('Open Chat')}`, act: run('tidemark.chat.focus') },
    { label: `$(add) ${vscode.l10n.t('New Conversation')}`, act: run('tidemark.newSession') },
    { label: `$(server-process) ${vscode.l10n.t('Get or Choose a Model')}`, act: run('tidemark.getModel') },
    { label: `$(layers) ${vscode.l10n.t('Show Context')}`, act: run('tidemark.showContext') },
    { label: `$(debug-restart) ${vscode.l10n.t('Restart Model')}`, act: run('tidemark.restartModel') },
    {
      label: `$(gear) ${vscode.l10n.t('Settings')}`,
      act: run('workbench.action.openSettings', '@ext:tidemark.tidemark'),
    },
    { label: `$(output) ${vscode.l10n.t('Show Log')}`, act: run('tidemark.showLog') },
  ];
  const row = await vscode.window.showQuickPick(rows, { title: 'Tidemark' });
  await row?.act();
}
