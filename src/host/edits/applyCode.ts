// Puts a code block into a file: the one that the answer names, the one something is selected in, or one the user chooses.
import * as vscode from 'vscode';
import { type Editing, notOpen } from '../../edits/blocks/places.ts';
import { blockKey } from '../../protocol/reviewView.ts';
import type { CodeAct } from '../../protocol/view.ts';
import { findRoots, type Resolved, resolvePath } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import type { LastEditor } from '../mentions/mentionSelection.ts';
import { showWarning } from '../system/toast.ts';
import { type Applied, applyToFile } from './applyToFile.ts';
import type { Changes } from './changes.ts';
import { createFile, gitWords, isOfGit } from './createFile.ts';

/** Files that are offered where none is named. */
const most = 5000;

/** `last`: the editor that was used last, since a view that has the focus leaves none active. */
export async function applyCode(workspace: Workspace, changes: Changes, act: CodeAct, last: LastEditor): Promise<void> {
  const named = act.path === null ? null : await resolvePath(workspace, act.path);
  if (named?.ok === true && isOfGit(await findRoots(workspace), named.place.real))
    return void showWarning(gitWords(act.path ?? ''));
  const applied = {
    code: act.code,
    block: blockKey(act.path, act.code),
    editing: (file: vscode.Uri) => editingOf(file, last),
  };
  if (named?.ok === true && named.place.kind === 'file')
    return applyToFile(changes, vscode.Uri.file(named.place.path), { ...applied, named: true });
  if (act.path !== null && named !== null) return offer(workspace, changes, act, named, last);
  const open = await selectedFile(workspace, last);
  return open === null
    ? choose(changes, { ...applied, named: false }, last)
    : applyToFile(changes, open, { ...applied, named: false });
}

function editingOf(file: vscode.Uri, last: LastEditor): Editing {
  const { editor } = last;
  if (editor === undefined || editor.document.uri.fsPath !== file.fsPath) return notOpen;
  const { document, selection } = editor;
  const [from, to] = [document.offsetAt(selection.start), document.offsetAt(selection.end)];
  const selected = selection.isEmpty ? null : { from, to };
  return { selected, wasSent: last.isAskedAbout(editor), cursor: to };
}

/** Where a block names no file, one that something is selected in. */
async function selectedFile(workspace: Workspace, { editor }: LastEditor): Promise<vscode.Uri | null> {
  if (editor === undefined || editor.selection.isEmpty || editor.document.uri.scheme !== 'file') return null;
  const { uri } = editor.document;
  return (await resolvePath(workspace, uri.fsPath)).ok ? uri : null;
}

/** The answer names a file that is not there, or none that could be changed. */
async function offer(
  workspace: Workspace,
  changes: Changes,
  act: CodeAct,
  named: Resolved,
  last: LastEditor,
): Promise<void> {
  const missing = !named.ok && named.reason === 'missing';
  const words = named.ok ? vscode.l10n.t('"{0}" is not a file.', act.path ?? '') : named.head;
  const [create, other] = [vscode.l10n.t('Create'), vscode.l10n.t('Choose a file')];
  const answers = missing ? [create, other] : [other];
  const answer = await showWarning(`Tidemark: ${words}`, ...answers);
  if (answer === create) await createFile(workspace, changes, act);
  const editing = (file: vscode.Uri) => editingOf(file, last);
  if (answer === other)
    await choose(changes, { code: act.code, block: blockKey(act.path, act.code), named: false, editing }, last);
}

async function choose(changes: Changes, applied: Applied, { editor }: LastEditor): Promise<void> {
  const open = editor?.document.uri.fsPath;
  const files = vscode.workspace.findFiles('**/*', '**/node_modules/**', most);
  const rows = files.then((found) =>
    found
      .map((uri) => {
        const description = uri.fsPath === open ? vscode.l10n.t('open in the editor') : '';
        return { label: vscode.workspace.asRelativePath(uri), description, uri };
      })
      // The file that is looked at comes first: it is the likeliest, and Enter takes the first.
      .toSorted((a, b) => b.description.length - a.description.length || a.label.localeCompare(b.label)),
  );
  const chosen = await vscode.window.showQuickPick(rows, {
    placeHolder: vscode.l10n.t('Apply to which file?'),
  });
  if (chosen !== undefined) await applyToFile(changes, chosen.uri, applied);
}
