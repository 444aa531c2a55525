// Stored conversations in a quick pick: opens, names, exports or deletes one, and takes an exported file in.
import * as vscode from 'vscode';
import type { Chat } from '../app/chat.ts';
import { reasonOf } from '../core/faults.ts';
import type { Archive, SessionSummary } from '../core/storedSession.ts';

interface Row extends vscode.QuickPickItem {
  readonly session: SessionSummary;
}

const rename = { iconPath: new vscode.ThemeIcon('edit'), tooltip: 'Rename' };
const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Delete with all its traces' };
const share = { iconPath: new vscode.ThemeIcon('export'), tooltip: 'Export as Markdown' };

/** `save` shows a session as a document. */
export function pickSession(archive: Archive, chat: Chat, save: (session: SessionSummary) => void): void {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = 'Tidemark sessions of this folder';
  pick.placeholder = 'Choose a conversation to go on with';
  const fill = () => {
    pick.items = archive.sessions(chat.workspace).map((session) => rowOf(session, session.id === chat.session.id));
  };
  // A question about a session hides the list, which then comes back.
  let asking = false;
  pick.onDidHide(() => {
    if (!asking) pick.dispose();
  });
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    pick.hide();
    const problem = chosen === undefined ? null : chat.openSession(chosen.session.id);
    if (problem !== null) void vscode.window.showInformationMessage(problem);
  });
  pick.onDidTriggerItemButton(({ button, item: { session } }) => {
    if (button === share) return void Promise.resolve(session).then(save).catch(showProblem);
    asking = true;
    const done = button === rename ? nameSession(archive, session) : deleteSession(session, chat);
    void done
      .catch(showProblem)
      .then(() => {
        asking = false;
        pick.show();
        fill();
      })
      .catch(showProblem);
  });
  fill();
  pick.show();
}

function rowOf(session: SessionSummary, open: boolean): Row {
  const turns = `${session.turns} ${session.turns === 1 ? 'turn' : 'turns'}`;
  const when = new Date(session.written).toLocaleString();
  return {
    session,
    label: session.title === '' ? '(empty)' : session.title,
    description: open ? 'open' : '',
    detail: `${turns}, ${when}`,
    buttons: [rename, share, remove],
  };
}

async function nameSession(archive: Archive, { id, title }: SessionSummary): Promise<void> {
  const name = await vscode.window.showInputBox({ title: 'Name of the conversation', value: title });
  if (name !== undefined) archive.rename(id, name.trim().slice(0, 120));
}

async function deleteSession({ id, title }: SessionSummary, chat: Chat): Promise<void> {
  const sure = 'Delete';
  const detail = 'Its messages, reports and folds are gone for good.';
  const answer = await vscode.window.showWarningMessage(`Delete “${title}”?`, { modal: true, detail }, sure);
  if (answer !== sure) return;
  const problem = chat.deleteSession(id);
  if (problem !== null) void vscode.window.showInformationMessage(problem);
}

/** Takes an exported session into this folder and opens it. */
export async function importSession(archive: Archive, chat: Chat, newId: () => string): Promise<void> {
  const filters = { 'Tidemark session': ['json'] };
  const [file] = (await vscode.window.showOpenDialog({ title: 'Import a session', filters })) ?? [];
  if (file === undefined) return;
  try {
    const document = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    const problem = chat.openSession(archive.importJson(document, chat.workspace, newId));
    if (problem !== null) void vscode.window.showInformationMessage(problem);
  } catch (error) {
    void vscode.window.showErrorMessage(`Tidemark: the session was not imported: ${reasonOf(error)}`);
  }
}

function showProblem(error: unknown): void {
  void vscode.window.showErrorMessage(`Tidemark: ${reasonOf(error)}`);
}
