// Puts what code blocks make of files into the editor's buffers, where it waits, unsaved, until the user keeps or undoes it.
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { BlockEdit } from '../../edits/review/applying.ts';
import { difference } from '../../edits/review/hunks.ts';
import { bytesLike } from '../../edits/review/look.ts';
import type { Reviews } from '../../edits/review/reviews.ts';
import { realOf } from '../../tools/files/paths.ts';
import { showWarning } from '../system/toast.ts';
import { readOnlyWords } from './readOnly.ts';

export interface FileEdit {
  readonly file: vscode.Uri;
  /** The file's new text; null deletes it. A file that is not there is created. */
  readonly text: string | null;
  /** The block it comes from, by `blockKey`. */
  readonly block: string;
}

export interface Changes {
  /** Makes all of them together, or none, and shows the first. */
  apply(edits: readonly FileEdit[]): Promise<void>;
}

/** Applied changes wait as those of the conversation `session`. */
export function changesIn(reviews: Pick<Reviews, 'apply'>, session: string): Changes {
  return {
    apply: async (edits) => {
      const opened = await Promise.all(edits.map(open));
      for (const { document } of opened) {
        const locked = document === null ? null : await readOnlyWords(document);
        if (locked !== null) return say(locked);
      }
      const changing = opened.filter(({ edit, document }) => (document?.getText() ?? null) !== edit.text);
      const [first] = opened;
      if (changing.length === 0) {
        if (first !== undefined) say(vscode.l10n.t('{0} has this code already.', nameOf(first.edit.file)));
        return;
      }
      const noted = await Promise.all(changing.map(blockEdit));
      await reviews.apply(session, noted, () => write(changing));
      await reveal(changing);
    },
  };
}

interface Opened {
  readonly edit: FileEdit;
  /** The file's document; null where there is no file. */
  readonly document: vscode.TextDocument | null;
  /** Its text before. */
  readonly before: string;
}

async function open(edit: FileEdit): Promise<Opened> {
  const isThere = await vscode.workspace.fs.stat(edit.file).then(
    () => true,
    () => false,
  );
  const document = isThere ? await vscode.workspace.openTextDocument(edit.file) : null;
  return { edit, document, before: document?.getText() ?? '' };
}

async function blockEdit({ edit: { file, text, block }, document, before }: Opened): Promise<BlockEdit> {
  const named = { file: await realOf(file.fsPath), shown: nameOf(file), block };
  if (document === null) return { ...named, before: null, wanted: bytesLike(text ?? '', null), saved: true };
  const disk = document.isDirty ? null : await readFile(file.fsPath);
  const wanted = text === null ? null : Buffer.from(text);
  return { ...named, before: bytesLike(before, disk), wanted, saved: !document.isDirty };
}

/** Makes all changes as a single step of the editor's own Undo, and none where a text changed meanwhile. */
async function write(all: readonly Opened[]): Promise<void> {
  const whole = new vscode.WorkspaceEdit();
  for (const { edit, document, before } of all) {
    const { file, text } = edit;
    if (text === null) whole.deleteFile(file, { ignoreIfNotExists: false });
    else if (document === null) whole.createFile(file, { overwrite: false, contents: new TextEncoder().encode(text) });
    else {
      const { from, to, text: put } = difference(before, text);
      whole.replace(file, new vscode.Range(document.positionAt(from), document.positionAt(to)), put);
    }
  }
  const isAsBefore = all.every(({ document, before }) => document === null || document.getText() === before);
  if (!isAsBefore || !(await vscode.workspace.applyEdit(whole)))
    throw new Error(vscode.l10n.t("The change couldn't be applied. Nothing was changed."));
}

async function reveal(all: readonly Opened[]): Promise<void> {
  const first = all.find(({ edit }) => edit.text !== null);
  if (first === undefined) return;
  const { from, text } = difference(first.before, first.edit.text ?? '');
  const editor = await vscode.window.showTextDocument(first.edit.file, { preview: false });
  const [start, end] = [editor.document.positionAt(from), editor.document.positionAt(from + text.length)];
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(new vscode.Range(start, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function nameOf(file: vscode.Uri): string {
  return vscode.workspace.asRelativePath(file);
}

function say(words: string): void {
  void showWarning(`Tidemark: ${words}`);
}
