// Takes an exported conversation in: the user chooses its file.
import * as vscode from 'vscode';
import type { Importing } from '../../app/ports/conversationPorts.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { Archive } from '../../core/stored/storedSession.ts';
import { showError, showInformation } from '../system/toast.ts';

/** Takes an exported session into this folder and opens it. */
export async function importSession(archive: Archive, chat: Importing, newId: () => string): Promise<void> {
  const filters = { [vscode.l10n.t('Tidemark session')]: ['json'] };
  const [file] = (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Import a session'), filters })) ?? [];
  if (file === undefined) return;
  try {
    const document = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    const problem = chat.openSession(archive.importJson(document, chat.workspace, newId));
    if (problem === null) chat.set({ listing: false });
    else showInformation(problem);
  } catch (error) {
    showError(vscode.l10n.t('Tidemark: the session was not imported: {0}', reasonOf(error)));
  }
}
