// Takes an exported conversation in: the user chooses its file.
import * as vscode from 'vscode';
import type { OpensSessions } from '../../app/ports/editorActs.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import { namesFoldersOnly } from '../../core/prompt/systemText.ts';
import type { Archive } from '../../core/stored/storedSession.ts';
import { chooses, showError, showInformation } from '../system/toast.ts';

/** Takes an exported session into this folder and opens it. */
export async function importSession(
  archive: Archive,
  chat: Pick<OpensSessions, 'workspace' | 'openSession' | 'list'>,
  newId: () => string,
): Promise<void> {
  const filters = { [vscode.l10n.t('Tidemark conversation')]: ['json'] };
  const [file] = (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Import Conversation'), filters })) ?? [];
  if (file === undefined) return;
  try {
    const document = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    const keepSystem = await asksToKeep(archive.systemOf(document));
    if (keepSystem === null) return;
    const problem = chat.openSession(archive.importJson(document, chat.workspace, newId, keepSystem));
    if (problem === null) chat.list(false);
    else showInformation(problem);
  } catch (error) {
    showError(vscode.l10n.t("Couldn't import the conversation: {0}", reasonOf(error)));
  }
}

/** Characters of a system text that are shown before it is taken over. */
const most = 1500;

/** Whether the system text of a document is taken over: it guides the model, so the user sees it first. Null where nothing is to be imported. */
async function asksToKeep(system: string): Promise<boolean | null> {
  if (namesFoldersOnly(system)) return true;
  const message = vscode.l10n.t('This conversation contains its own instructions for the model. Use them?');
  const detail = system.length > most ? `${system.slice(0, most).toWellFormed()}…` : system;
  const [use, leave] = [vscode.l10n.t('Use It'), vscode.l10n.t('Leave It Out')];
  const chosen = await chooses(message, detail, use, leave);
  return chosen === undefined ? null : chosen === use;
}
