// Code of answers that was put into files: it waits there, as a change that is not saved, until the user keeps or undoes it.
import * as vscode from 'vscode';
import { difference, type Hunk, hunksOf, keepHunk, typedBeside, undoHunk } from '../../edits/review/hunks.ts';
import type { AppliedView } from '../../protocol/appliedView.ts';
import { showWarning } from '../system/toast.ts';
import { readOnlyWords } from './readOnly.ts';
import { hunkViews, type Reviewable } from './reviewable.ts';

/** A file whose changes wait. */
interface Open {
  readonly document: vscode.TextDocument;
  /** Its text without the changes that wait, and with them. */
  readonly before: string;
  readonly now: string;
  /** It had nothing unsaved: once its changes are decided upon it is saved again. */
  readonly wasClean: boolean;
  readonly blocks: readonly string[];
}

export interface FileEdit {
  readonly file: vscode.Uri;
  /** The file's new text; null deletes it. A file that is not there is created. */
  readonly text: string | null;
  /** The block it comes from, by `blockKey`. */
  readonly block: string;
}

interface Applying {
  readonly document: vscode.TextDocument;
  readonly text: string;
  readonly block: string;
}

export class Changes implements Reviewable, vscode.Disposable {
  private readonly open = new Map<string, Open>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly parts: vscode.Disposable;
  /** A change of ours is being written. */
  private writing = false;
  /** Something was applied, decided upon, or typed beside it. */
  readonly onDidChange = this.changed.event;

  constructor() {
    this.parts = vscode.Disposable.from(
      this.changed,
      vscode.workspace.onDidChangeTextDocument((event) => this.typed(event)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
    );
  }

  dispose(): void {
    this.parts.dispose();
  }

  has(file: vscode.Uri): boolean {
    return this.open.has(file.toString());
  }

  /** None for a file without changes that wait. */
  hunks(file: vscode.Uri): readonly Hunk[] {
    const found = this.open.get(file.toString());
    return found === undefined ? [] : hunksOf(found.before, found.document.getText());
  }

  /** The text of a file without the changes that wait. */
  before(file: vscode.Uri): string | null {
    return this.open.get(file.toString())?.before ?? null;
  }

  get views(): readonly AppliedView[] {
    return [...this.open].map(([file, { document, blocks }]) => ({
      file,
      name: vscode.workspace.asRelativePath(document.uri),
      blocks,
      hunks: hunkViews(this.hunks(document.uri)),
    }));
  }

  async apply(edits: readonly FileEdit[]): Promise<void> {
    for (const { file, text, block } of edits) {
      const isThere = await vscode.workspace.fs.stat(file).then(
        () => true,
        () => false,
      );
      const edit = new vscode.WorkspaceEdit();
      if (text === null) edit.deleteFile(file);
      else if (!isThere) edit.createFile(file, { overwrite: false, contents: new TextEncoder().encode(text) });
      else await this.put({ document: await vscode.workspace.openTextDocument(file), text, block });
      if (text === null || !isThere) await vscode.workspace.applyEdit(edit);
    }
  }

  /** Puts a change into the editor's buffer and shows it; nothing is saved. */
  private async put({ document, text, block }: Applying): Promise<void> {
    const key = document.uri.toString();
    const before = document.getText();
    const found = this.open.get(key);
    if (text === before) return say(vscode.l10n.t('{0} has this code already.', nameOf(document)));
    const wasClean = !document.isDirty;
    if (!(await this.write(document, text))) return;
    const blocks = [...(found?.blocks ?? []), block].filter((one, i, all) => all.indexOf(one) === i);
    this.open.set(key, {
      document,
      before: found?.before ?? before,
      now: document.getText(),
      wasClean: found?.wasClean ?? wasClean,
      blocks,
    });
    this.changed.fire();
    await reveal(document, difference(before, text));
  }

  /** `at`: one change among those of the file, from 0; null for all. */
  async keep(file: vscode.Uri, at: number | null): Promise<void> {
    const found = this.open.get(file.toString());
    if (found === undefined) return nothingOpen();
    const hunks = this.hunks(file);
    const hunk = at === null ? undefined : hunks[at];
    if (hunk !== undefined && hunks.length > 1) {
      this.open.set(file.toString(), { ...found, before: keepHunk(found.before, hunk) });
      return this.changed.fire();
    }
    this.forget(file);
    if (found.wasClean && found.document.isDirty) await found.document.save();
  }

  /** Takes one change back, or all; what was typed beside them since stays. */
  async undo(file: vscode.Uri, at: number | null): Promise<void> {
    const found = this.open.get(file.toString());
    if (found === undefined) return nothingOpen();
    const { document, before, wasClean } = found;
    const hunk = at === null ? undefined : this.hunks(file)[at];
    const text = hunk === undefined ? before : undoHunk(document.getText(), hunk);
    if (!(await this.write(document, text))) return;
    this.look(file);
    if (!this.has(file) && wasClean && document.isDirty) await document.save();
  }

  private async write(document: vscode.TextDocument, text: string): Promise<boolean> {
    this.writing = true;
    try {
      return await write(document, text);
    } finally {
      this.writing = false;
    }
  }

  /** What the user types beside the changes is not undone with them. */
  private typed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const found = this.open.get(document.uri.toString());
    if (found === undefined) return;
    let { before, now } = found;
    for (const { rangeOffset: from, rangeLength: length, text: words } of this.writing ? [] : contentChanges) {
      before = typedBeside(before, now, { from, length, words }) ?? before;
      now = now.slice(0, from) + words + now.slice(from + length);
    }
    this.open.set(document.uri.toString(), { ...found, before, now: document.getText() });
    this.look(document.uri);
  }

  /** A file that is as it was before has nothing to decide upon. */
  private look(file: vscode.Uri): void {
    const found = this.open.get(file.toString());
    if (found?.document.getText() === found?.before) this.forget(file);
    else this.changed.fire();
  }

  private forget(file: vscode.Uri): void {
    if (this.open.delete(file.toString())) this.changed.fire();
  }
}

async function write(document: vscode.TextDocument, text: string): Promise<boolean> {
  const locked = await readOnlyWords(document);
  if (locked !== null) {
    say(locked);
    return false;
  }
  const { from, to, text: put } = difference(document.getText(), text);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(from), document.positionAt(to)), put);
  if (await vscode.workspace.applyEdit(edit)) return true;
  say(vscode.l10n.t("The change couldn't be applied. The file is unchanged."));
  return false;
}

async function reveal(document: vscode.TextDocument, change: { from: number; text: string }): Promise<void> {
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const [start, end] = [document.positionAt(change.from), document.positionAt(change.from + change.text.length)];
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(new vscode.Range(start, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function nameOf({ uri }: vscode.TextDocument): string {
  return vscode.workspace.asRelativePath(uri);
}

function nothingOpen(): void {
  say(vscode.l10n.t('This file has no applied changes.'));
}

function say(words: string): void {
  void showWarning(`Tidemark: ${words}`);
}
