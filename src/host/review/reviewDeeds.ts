// The buttons and commands about changes: kept, undone, compared, opened side by side, and gone through change by change.
import * as vscode from 'vscode';
import type { Session } from '../../app/session/session.ts';
import { messagesFrom } from '../../core/dialog/dialog.ts';
import type { ReviewedNow } from '../../edits/review/reviews.ts';
import type { ReviewRequest } from '../../protocol/reviewView.ts';
import { realOf } from '../../tools/files/paths.ts';
import { showProblem } from '../handlers/receive.ts';
import { showInformation, showWarning } from '../system/toast.ts';
import { type EditorReview, sayLeft } from './editorReview.ts';
import { beforeScheme } from './virtualTexts.ts';

/** Does what a view asks for, and names to the user the files that were left as they are. */
export async function doReview(
  review: EditorReview,
  request: ReviewRequest,
  { id: session, state }: Session,
): Promise<void> {
  const { reviews } = review;
  const from = (item: string) => new Set(messagesFrom(state.dialog.path, item));
  switch (request.type) {
    case 'keepChanges':
      return void (await sayLeft(reviews.decideAll(session, 'keep')));
    case 'undoChanges':
      return void (await sayLeft(reviews.decideAll(session, 'undo')));
    case 'openChanges':
      return openChanges(await waiting(review, session));
    case 'keepChange':
      return decide(review, 'keep', vscode.Uri.parse(request.file), request.key);
    case 'undoChange':
      return decide(review, 'undo', vscode.Uri.parse(request.file), request.key);
    case 'compareChange':
      return review.compare(vscode.Uri.parse(request.file));
    case 'redoChange':
      return void (await reviews.redo(await realOf(vscode.Uri.parse(request.file).fsPath)));
    case 'undoTurn':
      return void (await sayLeft(reviews.undoTurns(session, from(request.item))));
    case 'redoTurn':
      return void (await sayLeft(reviews.redoTurns(session, from(request.item))));
    default:
      return request satisfies never;
  }
}

async function decide(review: EditorReview, what: 'keep' | 'undo', file: vscode.Uri, key: string): Promise<void> {
  if (!(await review.decide(what, file, key || null)))
    void showWarning(`Tidemark: ${vscode.l10n.t('This file has no pending changes.')}`);
}

/**
 * The commands about one file, which without arguments is the one in front; and those that go to the next change, or back to the one before,
 * over all files of the conversation in the order of their names.
 */
export function registerChanges(review: EditorReview, session: () => string): vscode.Disposable {
  const register = (name: string, run: (...given: readonly unknown[]) => Promise<void>) =>
    vscode.commands.registerCommand(`tidemark.${name}`, (...given) => void run(...given).catch(showProblem));
  const about = (name: string, run: (file: vscode.Uri, key: string) => Promise<void>) =>
    register(name, async (given, key) => {
      const file = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
      if (file !== undefined) await run(file, typeof key === 'string' ? key : '');
    });
  return vscode.Disposable.from(
    about('keepChange', (file, key) => decide(review, 'keep', file, key)),
    about('undoChange', (file, key) => decide(review, 'undo', file, key)),
    about('compareChange', (file) => review.compare(file)),
    // Their names before; gone with the next version.
    about('acceptChange', (file, key) => decide(review, 'keep', file, key)),
    about('discardChange', (file, key) => decide(review, 'undo', file, key)),
    register('nextChange', () => goTo(review, session(), 1)),
    register('previousChange', () => goTo(review, session(), -1)),
  );
}

async function waiting(review: EditorReview, session: string): Promise<readonly ReviewedNow[]> {
  return (await review.reviews.of(session)).filter(({ standing }) => (standing?.hunks.length ?? 0) > 0);
}

/** All files in one editor, each before and after. */
async function openChanges(files: readonly ReviewedNow[]): Promise<void> {
  if (files.length === 0) return nothingWaits();
  const resources = files.map(({ path, standing }) => {
    const file = vscode.Uri.file(path);
    const before = standing?.base === null ? undefined : file.with({ scheme: beforeScheme });
    return [file, before, standing?.current === null ? undefined : file];
  });
  await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Changes of the Conversation'), resources);
}

async function goTo(review: EditorReview, session: string, by: 1 | -1): Promise<void> {
  const places = (await waiting(review, session)).flatMap(({ path, standing }) =>
    standing?.current === null ? [] : (standing?.hunks ?? []).map(({ after }) => ({ path, line: after.start })),
  );
  const editor = vscode.window.activeTextEditor;
  const [path, line] = [await realOf(editor?.document.uri.fsPath ?? ''), editor?.selection.active.line ?? -1];
  const next = nextPlace(places, { path, line }, by);
  if (next === undefined) return nothingWaits();
  const shown = await vscode.window.showTextDocument(vscode.Uri.file(next.path), { preview: false });
  const at = new vscode.Range(next.line, 0, next.line, 0);
  shown.selection = new vscode.Selection(at.start, at.start);
  shown.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

interface ChangePlace {
  readonly path: string;
  /** From 0. */
  readonly line: number;
}

/** Around the end it goes on at the beginning. From a file without changes it goes to the first. */
function nextPlace(places: readonly ChangePlace[], { path, line }: ChangePlace, by: 1 | -1): ChangePlace | undefined {
  const own = places.filter((one) => one.path === path);
  const beyond = by > 0 ? own.find((one) => one.line > line) : own.findLast((one) => one.line < line);
  if (beyond !== undefined) return beyond;
  const edge = by > 0 ? places.findLastIndex((one) => one.path === path) : places.findIndex((one) => one.path === path);
  if (edge < 0) return by > 0 ? places[0] : places.at(-1);
  return places.at((edge + by) % places.length);
}

function nothingWaits(): void {
  showInformation(`Tidemark: ${vscode.l10n.t('This conversation has no pending changes.')}`);
}
