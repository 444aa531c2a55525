// Changes in the editor: coloured lines, above each of them its size, Keep and Undo, above the first those for all, and a comparison with the
// file before.
import * as vscode from 'vscode';
import { type Hunk, type HunkLines, hunkKeys } from '../../edits/review/hunks.ts';
import type { EditorReview } from './editorReview.ts';
import { beforeScheme } from './virtualTexts.ts';

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

export function showChanges(changes: EditorReview): vscode.Disposable {
  const contents = new vscode.EventEmitter<vscode.Uri>();
  const draw = () => {
    for (const editor of vscode.window.visibleTextEditors) decorate(editor, changes.hunks(editor.document.uri));
    const active = vscode.window.activeTextEditor?.document.uri;
    const waits = active !== undefined && changes.hunks(active).length > 0;
    void vscode.commands.executeCommand('setContext', 'tidemark.hasChange', waits);
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
  const lens = (line: number, title: string, command: string, ...given: readonly string[]) =>
    new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
      title,
      command: `tidemark.${command}`,
      arguments: [file, ...given],
    });
  const own = hunks.flatMap(({ before, after: { start, lines } }, at) => [
    lens(start, `$(check) ${vscode.l10n.t('Keep')}`, 'keepChange', keys[at] ?? ''),
    lens(start, `$(discard) ${vscode.l10n.t('Undo')}`, 'undoChange', keys[at] ?? ''),
    new vscode.CodeLens(new vscode.Range(start, 0, start, 0), {
      title: sizeWords(before.lines.length, lines.length),
      tooltip: removedWords(before),
      command: 'tidemark.compareChange',
      arguments: [file],
    }),
  ]);
  const [first] = hunks;
  if (first === undefined) return [];
  const { start } = first.after;
  const compare = lens(start, `$(diff) ${vscode.l10n.t('Compare')}`, 'compareChange');
  if (hunks.length === 1) return [...own, compare];
  return [
    lens(start, `$(check-all) ${vscode.l10n.t('Keep All {0}', hunks.length)}`, 'keepChange'),
    lens(start, `$(discard) ${vscode.l10n.t('Undo All {0}', hunks.length)}`, 'undoChange'),
    compare,
    ...own,
  ];
}

export function sizeWords(removed: number, added: number): string {
  const sizes = [added === 0 ? '' : `+${added}`, removed === 0 ? '' : `−${removed}`].filter((size) => size !== '');
  return added + removed === 1 ? vscode.l10n.t('{0} line', ...sizes) : vscode.l10n.t('{0} lines', sizes.join(' '));
}

/** Lines that went are shown up to this many, and up to so many characters of each. */
const [mostLines, mostUnits] = [12, 120];

/** The lines that went; '' where none did. */
export function removedWords({ lines }: HunkLines): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(0, mostLines).map((line) => {
    const text = line.trimEnd();
    return text.length > mostUnits ? `− ${text.slice(0, mostUnits)}…` : `− ${text}`;
  });
  const more = lines.length - shown.length;
  return [vscode.l10n.t('Removed:'), ...shown, ...(more > 0 ? [`… +${more}`] : [])].join('\n');
}
