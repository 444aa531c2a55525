// Puts a code block into files: those that the answer names, the one among the message's that declares the same, or one the user chooses.
import * as vscode from 'vscode';
import { certain } from '../../edits/blocks/fitCode.ts';
import type { Change } from '../../edits/blocks/placeChange.ts';
import { type AnswerEdit, editsOf } from '../../edits/blocks/readBlocks.ts';
import { type FilePlace, filePlace } from '../../edits/files/filePlace.ts';
import { refusePath } from '../../finding/text/accept.ts';
import { type BlockOfAnswer, blockKey } from '../../protocol/reviewView.ts';
import { FileNames } from '../../workspace/mentionFiles.ts';
import { showWarning } from '../system/toast.ts';
import { type BlockPorts, type FileAfter, fileAfter, fittedIn, type MeantFile, meantPlace } from './blockPlace.ts';
import type { Changes, FileEdit } from './changes.ts';
import { createFile } from './createFile.ts';

export interface Applying extends BlockPorts {
  readonly changes: Changes;
}

/** All changes of the block, or none. Rejects with words where one cannot be made. */
export async function applyCode(act: BlockOfAnswer, applying: Applying): Promise<void> {
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

/** Returns the file that is meant, or that the user chooses; null where the user left, or went another way. */
async function placeOf(edit: AnswerEdit, act: BlockOfAnswer, applying: Applying): Promise<FilePlace | null> {
  const meant = await meantPlace(edit, act, applying);
  if (meant.is === 'place') return meant.place;
  return meant.is === 'unknown' ? chosenPlace(act.message, applying) : offered(meant, act, applying);
}

async function offered(
  { path, why }: Extract<MeantFile, { is: 'missing' }>,
  act: BlockOfAnswer,
  applying: Applying,
): Promise<FilePlace | null> {
  const { workspace, changes } = applying;
  const [create, other] = [vscode.l10n.t('Create'), vscode.l10n.t('Choose a file')];
  const words = why ?? vscode.l10n.t('There is no "{0}" in the workspace.', path);
  const answer = await showWarning(`Tidemark: ${words}`, ...(why === null ? [create, other] : [other]));
  if (answer === create) await createFile(workspace, changes, { ...act, path });
  return answer === other ? chosenPlace(act.message, applying) : null;
}

/** The files of the message come first, then the one in the editor: Enter takes the first. What Git ignores is not offered, nor what is no text. */
async function chosenPlace(message: string, { workspace, last, filesOf }: Applying): Promise<FilePlace | null> {
  const open = last.editor?.document.uri.fsPath;
  const [opened, ofMessage] = [open === undefined ? [] : [open], new Set(filesOf(message))];
  const rows = new FileNames(workspace, () => opened).files().then((names) => {
    const shown = open === undefined ? undefined : vscode.workspace.asRelativePath(open);
    const words = (name: string) =>
      name === shown
        ? vscode.l10n.t('open in the editor')
        : ofMessage.has(name)
          ? vscode.l10n.t('beside the message')
          : '';
    const rank = (name: string) => (ofMessage.has(name) ? 0 : 2) + (name === shown ? 0 : 1);
    return names
      .filter((name) => refusePath(name) === null)
      .map((label) => ({ label, description: words(label) }))
      .toSorted((a, b) => rank(a.label) - rank(b.label) || a.label.localeCompare(b.label));
  });
  const chosen = await vscode.window.showQuickPick(rows, { placeHolder: vscode.l10n.t('Apply to which file?') });
  const found = chosen === undefined ? null : await filePlace(workspace, chosen.label);
  if (found?.ok === false) throw new Error(found.why);
  return found?.place ?? null;
}

/** The file's text afterwards, null where it goes; undefined where the user left. */
async function textIn(place: FilePlace, edit: AnswerEdit, ports: Applying): Promise<string | null | undefined> {
  const fitted = await fittedIn(place, edit, ports);
  if (fitted.is === 'text') return allowed(fitted);
  const chosen = await chosenChange(fitted.base, fitted.places, place.shown);
  return chosen === undefined ? undefined : allowed(fileAfter(fitted.base, certain(fitted.base, chosen, place.shown)));
}

async function allowed({ text, doubt }: FileAfter): Promise<string | null | undefined> {
  return doubt === '' || (await appliesAnyway(doubt)) ? text : undefined;
}

/** Asks about a change that is in doubt. */
export async function appliesAnyway(words: string): Promise<boolean> {
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
