// Finds where a code block of an answer goes, and what it makes of the file there. Nothing is asked, and nothing is written.
import * as vscode from 'vscode';
import { refusalForUser } from '../../core/agent/editing.ts';
import { fitCode } from '../../edits/blocks/fitCode.ts';
import { type Change, changedText } from '../../edits/blocks/placeChange.ts';
import { type Editing, notOpen } from '../../edits/blocks/places.ts';
import type { AnswerEdit } from '../../edits/blocks/readBlocks.ts';
import { blockCall } from '../../edits/calls/arguments.ts';
import { homeOf, meantBy } from '../../edits/calls/blockCalls.ts';
import { applied } from '../../edits/calls/steps.ts';
import { type FilePlace, filePlace } from '../../edits/files/filePlace.ts';
import { inEndsForNew } from '../../edits/files/newEnds.ts';
import type { BlockOfAnswer } from '../../protocol/reviewView.ts';
import { isNotebook } from '../../tools/files/notebook.ts';
import { findRoots } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import type { LastEditor } from '../mentions/mentionSelection.ts';
import { gitWords, isOfGit } from './createFile.ts';
import { editorFiles } from './editorFiles.ts';

export interface BlockPorts {
  readonly workspace: Workspace;
  /** The editor that was used last, since a view that has the focus leaves none active. */
  readonly last: LastEditor;
  /** Paths that a message names, or that stood beside it. */
  readonly filesOf: (message: string) => readonly string[];
}

export type MeantFile =
  | { readonly is: 'place'; readonly place: FilePlace }
  /** No file is named, and none of the message declares the same. */
  | { readonly is: 'unknown' }
  /** The answer names a file that is not there, or none that could be changed; `why` says it of the latter. */
  | { readonly is: 'missing'; readonly path: string; readonly why: string | null };

/** Rejects with words where the file belongs to Git itself. */
export async function meantPlace(
  edit: AnswerEdit,
  { message }: BlockOfAnswer,
  { workspace, last, filesOf }: BlockPorts,
): Promise<MeantFile> {
  const home = edit.path === null ? await homeOf(edit, filesOf(message), { workspace, files: editorFiles }) : null;
  const path = edit.path ?? home?.path ?? sentPath(last);
  if (path === null) return { is: 'unknown' };
  // The file of a selection is called by its last name, too.
  const [only, another] = edit.is === 'new' ? [] : await meantBy(path, filesOf(message), { workspace });
  const found = await filePlace(workspace, another === undefined ? (only ?? path) : path);
  if (found.ok && isOfGit(await findRoots(workspace), found.place.real)) throw new Error(gitWords(path));
  if (found.ok && (found.place.is === 'file' || edit.is === 'new')) return { is: 'place', place: found.place };
  return { is: 'missing', path, why: found.ok ? null : found.why };
}

/** The file of the selection that the message brought. */
function sentPath({ editor, isAskedAbout }: LastEditor): string | null {
  const isSent = editor !== undefined && editor.document.uri.scheme === 'file' && !editor.selection.isEmpty;
  return isSent && isAskedAbout(editor) ? editor.document.uri.fsPath : null;
}

export interface FileAfter {
  readonly is: 'text';
  /** The file's text now; null where there is no file yet. */
  readonly base: string | null;
  /** The file's text afterwards; null where the file is deleted. */
  readonly text: string | null;
  /** Why nobody but the user may allow it; '' where nothing is in doubt. */
  readonly doubt: string;
}

type Fitted =
  | FileAfter
  /** The user has to choose. */
  | { readonly is: 'choice'; readonly base: string; readonly places: readonly [Change, ...Change[]] };

/** Rejects with words where the block cannot be put there. */
export async function fittedIn(
  { real, shown }: FilePlace,
  edit: AnswerEdit,
  { workspace, last }: Pick<BlockPorts, 'workspace' | 'last'>,
): Promise<Fitted> {
  const read = await editorFiles.read(real);
  if (read.is === 'refused') throw new Error(vscode.l10n.t("{0} can't be changed: {1}.", shown, read.why));
  const base = read.is === 'text' ? read.text : null;
  // A notebook whose cell is not clear has no other place.
  if (edit.is === 'code' && base !== null && !isNotebook(shown)) {
    const fit = fitCode(base, edit.code, shown, editingOf(real, last));
    if (fit.is === 'refused') throw new Error(fit.words);
    return fit.is === 'choice' ? { is: 'choice', base, places: fit.places } : fileAfter(base, fit);
  }
  const subject = { path: shown, text: base, seen: 'all', target: null } as const;
  const step = applied('', { name: blockCall, path: shown, edit }, subject);
  if (!step.ok && step.same && base !== null) return { is: 'text', base, text: base, doubt: '' };
  if (!step.ok) throw new Error(refusalForUser(step.words));
  const text = base === null && step.text !== null ? await inEndsForNew(workspace, real, step.text) : step.text;
  return { is: 'text', base, text, doubt: step.doubt };
}

export function fileAfter(
  base: string,
  { change, doubt }: { readonly change: Change; readonly doubt: string },
): FileAfter {
  return { is: 'text', base, text: changedText(base, change), doubt };
}

function editingOf(real: string, { editor, isAskedAbout }: LastEditor): Editing {
  if (editor === undefined || editor.document.uri.fsPath !== real) return notOpen;
  const { document, selection } = editor;
  const [from, to] = [document.offsetAt(selection.start), document.offsetAt(selection.end)];
  return { selected: selection.isEmpty ? null : { from, to }, wasSent: isAskedAbout(editor), cursor: to };
}
