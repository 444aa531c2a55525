// The text of an editor's document as the rules of the caret look at it, and where in it is asked.
import * as vscode from 'vscode';
import type { Caret, OpenText } from '../../completion/caret.ts';
import { holdsSecrets } from '../../secrets/secretNames.ts';

export interface CaretPlace {
  readonly text: OpenText;
  readonly caret: Caret;
  /** The entry that the editor's list has chosen, which stands in the text as if it were accepted; the range is what it replaces. */
  readonly chosen: { readonly text: string; readonly range: vscode.Range } | null;
}

const schemes: ReadonlySet<string> = new Set(['file', 'untitled', 'vscode-notebook-cell', 'vscode-userdata']);

/** Whether text is suggested in such a document at all: not in the output, in a view of the editor's own, or in a file of secrets. */
export function mayAskIn({ uri }: vscode.TextDocument): boolean {
  return schemes.has(uri.scheme) && !holdsSecrets(uri.path);
}

/** `selected`: the entry that is chosen in the list of suggestions beside it. */
export function caretPlace(
  document: vscode.TextDocument,
  position: vscode.Position,
  selected: vscode.SelectedCompletionInfo | undefined,
): CaretPlace {
  const { uri, languageId: language } = document;
  // The cells of a notebook have one path.
  const path = uri.fragment === '' ? vscode.workspace.asRelativePath(uri) : `${uri.path}#${uri.fragment}`;
  const lines = linesOf(document);
  const { line, character: column } = position;
  if (selected === undefined) return { text: { path, language, lines }, caret: { line, column }, chosen: null };
  const { range, text } = selected;
  const own = lines[range.start.line] ?? '';
  const put = own.slice(0, range.start.character) + text;
  const changed = [...lines];
  changed[range.start.line] = put + own.slice(Math.max(range.end.character, column));
  const caret = { line: range.start.line, column: put.length };
  return { text: { path, language, lines: changed }, caret, chosen: { text, range } };
}

export function plainText(document: vscode.TextDocument): string {
  return linesOf(document).join('\n');
}

function linesOf(document: vscode.TextDocument): readonly string[] {
  return document.getText().split(/\r\n|\n|\r/);
}
