// Applied changes in the editor: coloured lines, Keep and Undo above each of them and above all, and a comparison with the file before.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type Hunk, hunkKeys } from '../../edits/review/hunks.ts';
import type { Reviewable } from './reviewable.ts';

/** The text of a file without the changes that wait. */
export const beforeScheme = 'tidemark-before';

const added = vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
  overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
});
const removed = vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  borderStyle: 'solid',
  borderWidth: '1px 0 0 0',
  borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
  overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
});

export function showChanges(changes: Reviewable): vscode.Disposable {
  const contents = new vscode.EventEmitter<vscode.Uri>();
  const draw = () => {
    for (const editor of vscode.window.visibleTextEditors) decorate(editor, changes.hunks(editor.document.uri));
    const active = vscode.window.activeTextEditor?.document.uri;
    void vscode.commands.executeCommand(
      'setContext',
      'tidemark.hasChange',
      active !== undefined && changes.has(active),
    );
  };
  const lenses: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changes.onDidChange,
    provideCodeLenses: ({ uri }) => lensesFor(uri, changes.hunks(uri)),
  };
  return vscode.Disposable.from(
    vscode.languages.registerCodeLensProvider({ scheme: 'file' }, lenses),
    contents,
    vscode.workspace.registerTextDocumentContentProvider(beforeScheme, {
      onDidChange: contents.event,
      provideTextDocumentContent: async (uri) => (await changes.before(uri.with({ scheme: 'file', query: '' }))) ?? '',
    }),
    changes.onDidChange(() => {
      draw();
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === beforeScheme) contents.fire(uri);
    }),
    vscode.window.onDidChangeVisibleTextEditors(draw),
    vscode.window.onDidChangeActiveTextEditor(draw),
  );
}

/** The file as it was before beside what it is now. The address names the time, since the editor keeps what it has read. */
export async function compareChange(file: vscode.Uri): Promise<void> {
  const before = file.with({ scheme: beforeScheme, query: String(Date.now()) });
  const title = vscode.l10n.t('{0}: before and after', basename(file.path));
  await vscode.commands.executeCommand('vscode.diff', before, file, title, { preview: true });
}

function decorate(editor: vscode.TextEditor, hunks: readonly Hunk[]): void {
  const lines = (start: number, count: number) => new vscode.Range(start, 0, start + Math.max(0, count - 1), 0);
  const gone = hunks.filter(({ after }) => after.lines.length === 0);
  const there = hunks.filter(({ after }) => after.lines.length > 0);
  editor.setDecorations(
    added,
    there.map(({ after }) => lines(after.start, after.lines.length)),
  );
  editor.setDecorations(
    removed,
    gone.map(({ after }) => lines(after.start, 1)),
  );
}

function lensesFor(file: vscode.Uri, hunks: readonly Hunk[]): vscode.CodeLens[] {
  const keys = hunkKeys(hunks);
  const lens = (line: number, title: string, command: string, at: number | null) =>
    new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
      title,
      command: `tidemark.${command}`,
      arguments: at === null ? [file] : [file, at, keys[at]],
    });
  const [first] = hunks;
  if (first === undefined) return [];
  const compare = lens(first.after.start, `$(diff) ${vscode.l10n.t('Compare')}`, 'compareChange', null);
  if (hunks.length === 1)
    return [
      lens(first.after.start, `$(check) ${vscode.l10n.t('Keep')}`, 'keepChange', null),
      lens(first.after.start, `$(discard) ${vscode.l10n.t('Undo')}`, 'undoChange', null),
      compare,
    ];
  return [
    lens(first.after.start, `$(check-all) ${vscode.l10n.t('Keep All {0}', hunks.length)}`, 'keepChange', null),
    lens(first.after.start, `$(discard) ${vscode.l10n.t('Undo All {0}', hunks.length)}`, 'undoChange', null),
    compare,
    ...hunks.flatMap(({ after }, at) => [
      lens(after.start, `$(check) ${vscode.l10n.t('Keep')}`, 'keepChange', at),
      lens(after.start, `$(discard) ${vscode.l10n.t('Undo')}`, 'undoChange', at),
    ]),
  ];
}
