// Gives what is selected in the editor that was used last to a message that says @selection.
import * as vscode from 'vscode';
import type { MentionText } from '../../app/ports/mention.ts';
import { resolvePath } from '../../tools/files/paths.ts';
import { accept, refuse, shortPath } from '../../tools/files/result.ts';
import type { Workspace } from '../../tools/files/workspace.ts';

export interface LastEditor extends vscode.Disposable {
  /** Undefined where no file is open. */
  readonly editor: vscode.TextEditor | undefined;
  /** Whether what is selected in it is what @selection stood for last. */
  isAskedAbout(editor: vscode.TextEditor): boolean;
  text(workspace: Workspace): Promise<MentionText>;
}

/** A view that has the focus leaves no editor active, so the last one is remembered. */
export function followEditor(): LastEditor {
  const counts = (editor: vscode.TextEditor | undefined) =>
    editor !== undefined && ['file', 'untitled'].includes(editor.document.uri.scheme);
  let last = [vscode.window.activeTextEditor].find(counts);
  const listener = vscode.window.onDidChangeActiveTextEditor((editor) => {
    if (counts(editor)) last = editor;
  });
  const editor = () => {
    const found = last ?? [...vscode.window.visibleTextEditors].find(counts);
    return found?.document.isClosed === true ? undefined : found;
  };
  let asked: Pick<vscode.TextEditor, 'document' | 'selection'> | null = null;
  return {
    dispose: () => listener.dispose(),
    isAskedAbout: ({ document, selection }) => asked?.document === document && asked.selection.isEqual(selection),
    get editor() {
      return editor();
    },
    text: async (workspace) => {
      const now = editor();
      if (now === undefined) return refuse('No editor is open: open a file and select some lines.');
      asked = { document: now.document, selection: now.selection };
      return selected(workspace, now);
    },
  };
}

async function selected(workspace: Workspace, { document, selection }: vscode.TextEditor): Promise<MentionText> {
  const { uri } = document;
  const found = uri.scheme === 'untitled' ? null : await resolvePath(workspace, uri.fsPath);
  if (found?.ok === false) return refuse(found.head);
  const shown = found === null ? uri.path : shortPath(found.place.shown);
  if (selection.isEmpty) return refuse(`Nothing is selected in ${shown}: select some lines.`);
  // A selection that ends before the first column of a line does not have that line.
  const last = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  const text = document.getText(selection).replace(/\r?\n$/, '');
  const first = selection.start.line + 1;
  const lines = last > first ? `lines ${first}-${last}` : `line ${first}`;
  const before =
    first === 1
      ? []
      : document
          .getText()
          .split(/\r?\n/)
          .slice(0, first - 1);
  const of = { path: found?.place.real ?? uri.path, before };
  return { ...accept(`${shown} (${lines}, selected)`, text.split(/\r?\n/)), of };
}
