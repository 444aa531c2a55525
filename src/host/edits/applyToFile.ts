// Puts a code block into one file, at the place that is meant, or at the one that the user chooses.
import * as vscode from 'vscode';
import { type Change, changedText } from '../../edits/blocks/placeChange.ts';
import { type Editing, notOpen, placesFor } from '../../edits/blocks/places.ts';
import { showWarning } from '../system/toast.ts';
import type { Changes } from './changes.ts';
import { readOnlyWords } from './readOnly.ts';

export interface Applied {
  readonly code: string;
  /** The block it is, by `blockKey`. */
  readonly block: string;
  /** The answer says that it is of this file. */
  readonly named: boolean;
  /** What is known of its editor, at the time. */
  readonly editing: (file: vscode.Uri) => Editing;
}

/** A file that is just a file: not of the editor in front. */
export const unopened = (code: string, block: string): Applied => ({
  code,
  block,
  named: true,
  editing: () => notOpen,
});

/** Into the file's text as the editor has it, saved or not. */
export async function applyToFile(changes: Changes, file: vscode.Uri, applied: Applied): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const locked = await readOnlyWords(document);
  if (locked !== null) return void showWarning(`Tidemark: ${locked}`);
  const base = document.getText();
  const { code, block, named, editing } = applied;
  const places = placesFor(base, code, { path: file.fsPath, named }, editing(file));
  const change = places.length === 1 ? places[0] : await choose(base, places, vscode.workspace.asRelativePath(file));
  if (change === undefined) return;
  // The user may have typed on while the list was open.
  if (document.getText() !== base) return applyToFile(changes, file, applied);
  await changes.apply([{ file, text: changedText(base, change), block }]);
}

/** Each place with the beginning of what stands there. */
async function choose(base: string, places: readonly Change[], name: string): Promise<Change | undefined> {
  const rows = places.map((change) => ({
    label: change.words,
    description: base.slice(change.from, change.to).trimStart().split('\n', 1)[0]?.slice(0, 80) ?? '',
    change,
  }));
  const placeHolder = vscode.l10n.t('Where does the code go in {0}?', name);
  return (await vscode.window.showQuickPick(rows, { placeHolder }))?.change;
}
