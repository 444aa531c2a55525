// Puts a code block into files: those that the answer names, the one among the message's that declares the same, or one the user chooses.
import * as vscode from 'vscode';
import { certain, fitCode } from '../../edits/blocks/fitCode.ts';
import { type Change, changedText } from '../../edits/blocks/placeChange.ts';
import { type Editing, notOpen } from '../../edits/blocks/places.ts';
import { type AnswerEdit, editsOf } from '../../edits/blocks/readBlocks.ts';
import { blockCall } from '../../edits/calls/arguments.ts';
import { homeOf } from '../../edits/calls/blockCalls.ts';
import { applied } from '../../edits/calls/steps.ts';
import { type FilePlace, filePlace } from '../../edits/files/filePlace.ts';
import { blockKey } from '../../protocol/reviewView.ts';
import type { CodeAct } from '../../protocol/view.ts';
import { findRoots } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import type { LastEditor } from '../mentions/mentionSelection.ts';
import { showWarning } from '../system/toast.ts';
import type { Changes, FileEdit } from './changes.ts';
import { createFile, gitWords, isOfGit } from './createFile.ts';
import { editorFiles } from './editorFiles.ts';

/** Files that are offered where none is named. */
const most = 5000;

export interface Applying {
  readonly workspace: Workspace;
  readonly changes: Changes;
  /** The editor that was used last, since a view that has the focus leaves none active. */
  readonly last: LastEditor;
  /** Paths that a message names, or that stood beside it. */
  readonly filesOf: (message: string) => readonly string[];
}

/** All changes of the block, or none. Rejects with words where one cannot be made. */
export async function applyCode(act: CodeAct, applying: Applying): Promise<void> {
  const edits: FileEdit[] = [];
  const all = editsOf(act);
  if (all.length === 0) throw new Error(vscode.l10n.t('There is nothing in this block to put into a file.'));
  for (const edit of all) {
    const place = await placeOf(edit, act, applying);
    if (place === null) return;
    const text = await textIn(place, edit, applying);
    if (text === undefined) return;
    edits.push({ file: vscode.Uri.file(place.real), text, block: blockKey(act.path, act.code) });
  }
  await applying.changes.apply(edits);
}

/** Null where the user left, or went another way. */
async function placeOf(edit: AnswerEdit, act: CodeAct, applying: Applying): Promise<FilePlace | null> {
  const { workspace, last, filesOf } = applying;
  const path =
    edit.path ?? (await homeOf(edit, filesOf(act.message), { workspace, files: editorFiles })) ?? sentPath(last);
  if (path === null) return chosenPlace(workspace, last);
  const found = await filePlace(workspace, path);
  if (found.ok && isOfGit(await findRoots(workspace), found.place.real)) throw new Error(gitWords(path));
  if (found.ok && (found.place.is === 'file' || edit.is === 'new')) return found.place;
  return offered(path, found.ok ? null : found.why, act, applying);
}

/** The file of the selection that the message brought. */
function sentPath({ editor, isAskedAbout }: LastEditor): string | null {
  const isSent = editor !== undefined && editor.document.uri.scheme === 'file' && !editor.selection.isEmpty;
  return isSent && isAskedAbout(editor) ? editor.document.uri.fsPath : null;
}

/** The answer names a file that is not there, or none that could be changed; `why` says it of the latter. */
async function offered(path: string, why: string | null, act: CodeAct, applying: Applying): Promise<FilePlace | null> {
  const { workspace, changes, last } = applying;
  const [create, other] = [vscode.l10n.t('Create'), vscode.l10n.t('Choose a file')];
  const words = why ?? vscode.l10n.t('There is no "{0}" in the workspace.', path);
  const answer = await showWarning(`Tidemark: ${words}`, ...(why === null ? [create, other] : [other]));
  if (answer === create) await createFile(workspace, changes, { ...act, path });
  return answer === other ? chosenPlace(workspace, last) : null;
}

async function chosenPlace(workspace: Workspace, { editor }: LastEditor): Promise<FilePlace | null> {
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
  const chosen = await vscode.window.showQuickPick(rows, { placeHolder: vscode.l10n.t('Apply to which file?') });
  const found = chosen === undefined ? null : await filePlace(workspace, chosen.uri.fsPath);
  if (found?.ok === false) throw new Error(found.why);
  return found?.place ?? null;
}

/** The file's text afterwards, null where it goes; undefined where the user left. */
async function textIn(
  { real, shown }: FilePlace,
  edit: AnswerEdit,
  { last }: Applying,
): Promise<string | null | undefined> {
  const read = await editorFiles.read(real);
  if (read.is === 'refused') throw new Error(vscode.l10n.t("{0} can't be changed: {1}.", shown, read.why));
  const base = read.is === 'text' ? read.text : null;
  if (edit.is === 'code' && base !== null) return codeIn(base, edit.code, shown, editingOf(real, last));
  const subject = { path: shown, text: base, seen: 'all', target: null } as const;
  const step = applied('', { name: blockCall, path: shown, edit }, subject);
  if (!step.ok) throw new Error(step.words);
  return step.doubt === '' || (await isMeant(step.doubt)) ? step.text : undefined;
}

async function codeIn(base: string, code: string, shown: string, editing: Editing): Promise<string | undefined> {
  const fit = fitCode(base, code, shown, editing);
  if (fit.is === 'refused') throw new Error(fit.words);
  const chosen = fit.is === 'change' ? fit.change : await chosenChange(base, fit.places, shown);
  if (chosen === undefined) return undefined;
  const { change, doubt } = fit.is === 'change' ? fit : certain(base, chosen, shown);
  return doubt === '' || (await isMeant(doubt)) ? changedText(base, change) : undefined;
}

async function isMeant(words: string): Promise<boolean> {
  const apply = vscode.l10n.t('Apply Anyway');
  return (await showWarning(`Tidemark: ${words}`, apply)) === apply;
}

/** Each place with the beginning of what stands there. */
async function chosenChange(base: string, places: readonly Change[], name: string): Promise<Change | undefined> {
  const rows = places.map((change) => ({
    label: change.words,
    description: base.slice(change.from, change.to).trimStart().split('\n', 1)[0]?.slice(0, 80) ?? '',
    change,
  }));
  const placeHolder = vscode.l10n.t('Where does the code go in {0}?', name);
  return (await vscode.window.showQuickPick(rows, { placeHolder }))?.change;
}

function editingOf(real: string, { editor, isAskedAbout }: LastEditor): Editing {
  if (editor === undefined || editor.document.uri.fsPath !== real) return notOpen;
  const { document, selection } = editor;
  const [from, to] = [document.offsetAt(selection.start), document.offsetAt(selection.end)];
  return { selected: selection.isEmpty ? null : { from, to }, wasSent: isAskedAbout(editor), cursor: to };
}
