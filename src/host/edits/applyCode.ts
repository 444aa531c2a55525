// Proposes a code block as a change: of the editor's selection, of the file that the answer names, or of one the user chooses.
import * as vscode from 'vscode';
import type { CodeAct } from '../../protocol/view.ts';
import { findRoots, type Resolved, resolvePath } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { showWarning } from '../system/toast.ts';
import { applyToFile } from './applyToFile.ts';
import type { Changes } from './changes.ts';
import { createFile, gitWords, isOfGit } from './createFile.ts';
import { changeOf } from './placeChange.ts';

/** Files that are offered where none is named. */
const most = 5000;

/** `editor`: the one that was used last, since a view that has the focus leaves none active. */
export async function applyCode(
  workspace: Workspace,
  changes: Changes,
  act: CodeAct,
  editor: vscode.TextEditor | undefined,
): Promise<void> {
  const named = act.path === null ? null : await resolvePath(workspace, act.path);
  if (named?.ok === true && isOfGit(await findRoots(workspace), named.place.real))
    return void showWarning(gitWords(act.path ?? ''));
  const file = named?.ok === true && named.place.kind === 'file' ? vscode.Uri.file(named.place.path) : null;
  if (await applyToSelection(workspace, changes, { code: act.code, named: file, editor })) return;
  if (file !== null) return applyToFile(changes, file, act.code);
  if (act.path !== null && named !== null) return offer(workspace, changes, act, named, editor);
  return choose(changes, act.code, editor);
}

interface Selected {
  readonly code: string;
  readonly named: vscode.Uri | null;
  readonly editor: vscode.TextEditor | undefined;
}

/** A selection counts, but not one in another file than the one that is named. */
async function applyToSelection(
  workspace: Workspace,
  changes: Changes,
  { code, named, editor }: Selected,
): Promise<boolean> {
  if (editor === undefined || editor.selection.isEmpty || editor.document.uri.scheme !== 'file') return false;
  const { document, selection } = editor;
  if (named !== null && named.fsPath !== document.uri.fsPath) return false;
  if (!(await resolvePath(workspace, document.uri.fsPath)).ok) return false;
  const base = document.getText();
  const [from, to] = [document.offsetAt(selection.start), document.offsetAt(selection.end)];
  const change = changeOf(base, from, to, code, vscode.l10n.t('replaces the selection'));
  await changes.show({ file: document.uri, base, change, again: null });
  return true;
}

/** The answer names a file that is not there, or none that could be changed. */
async function offer(
  workspace: Workspace,
  changes: Changes,
  act: CodeAct,
  named: Resolved,
  editor: vscode.TextEditor | undefined,
): Promise<void> {
  const missing = !named.ok && named.reason === 'missing';
  const words = named.ok ? vscode.l10n.t('"{0}" is not a file.', act.path ?? '') : named.head;
  const [create, other] = [vscode.l10n.t('Create it'), vscode.l10n.t('Choose a file')];
  const answers = missing ? [create, other] : [other];
  const answer = await showWarning(`Tidemark: ${words}`, ...answers);
  if (answer === create) await createFile(workspace, changes, act);
  if (answer === other) await choose(changes, act.code, editor);
}

async function choose(changes: Changes, code: string, editor: vscode.TextEditor | undefined): Promise<void> {
  const open = editor?.document.uri.fsPath;
  const files = vscode.workspace.findFiles('**/*', '**/node_modules/**', most);
  const rows = files.then((found) =>
    found
      .map((uri) => {
        const description = uri.fsPath === open ? vscode.l10n.t('in the editor') : '';
        return { label: vscode.workspace.asRelativePath(uri), description, uri };
      })
      // The file that is looked at comes first: it is the likeliest, and Enter takes the first.
      .toSorted((a, b) => b.description.length - a.description.length || a.label.localeCompare(b.label)),
  );
  const chosen = await vscode.window.showQuickPick(rows, {
    placeHolder: vscode.l10n.t('The file that this code changes'),
  });
  if (chosen !== undefined) await applyToFile(changes, chosen.uri, code);
}
