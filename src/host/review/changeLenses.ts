// Changes in the editor: coloured lines with those that went struck through behind them, above each change its size, Keep and Undo, above the first those for
// all, and a comparison with the file before.
import * as vscode from 'vscode';
import { type Hunk, hunkKeys } from '../../edits/review/hunks.ts';
import type { EditorReview } from './editorReview.ts';
import { beforeScheme } from './virtualTexts.ts';

const added = vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
  overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
});
const gap = vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  borderStyle: 'solid',
  borderWidth: '1px 0 0 0',
  borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
});
/** An extension can't put lines between those of a file, so the words that went stand behind its lines. */
const removed = vscode.window.createTextEditorDecorationType({
  overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
  after: {
    margin: '0 0 0 3ch',
    color: new vscode.ThemeColor('gitDecoration.deletedResourceForeground'),
    backgroundColor: new vscode.ThemeColor('diffEditor.removedLineBackground'),
    textDecoration: 'line-through',
  },
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
    gap,
    gone.map(({ after }) => lines(after.start, 1)),
  );
  const { languageId } = editor.document;
  editor.setDecorations(
    removed,
    hunks.flatMap((hunk) => {
      const hoverMessage = new vscode.MarkdownString(vscode.l10n.t('Removed:'));
      hoverMessage.appendCodeblock(hunk.before.lines.slice(0, mostHovered).join(''), languageId);
      return removedTexts(hunk).map(({ line, text }) => ({
        range: new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER),
        hoverMessage,
        renderOptions: { after: { contentText: text } },
      }));
    }),
  );
}

/** Lines that went are shown behind the file's up to the first number, up to the second number of characters of each, and up to the third in the hover. */
const [mostPainted, mostUnits, mostHovered] = [8, 100, 60];

/** Texts behind lines: what went where new lines came stands behind those, else behind the line above. The last one counts the rest. */
export function removedTexts({ before, after }: Hunk): readonly { readonly line: number; readonly text: string }[] {
  const places = Math.min(Math.max(1, after.lines.length), mostPainted);
  const first = after.lines.length > 0 ? after.start : Math.max(0, after.start - 1);
  const rest = before.lines.length - places;
  return before.lines.slice(0, places).map((removedLine, i) => {
    const plain = removedLine.trim().replaceAll('\t', ' ');
    const text = plain.length > mostUnits ? `${plain.slice(0, mostUnits)}…` : plain;
    return { line: first + i, text: i === places - 1 && rest > 0 ? `${text} … −${rest}` : text };
  });
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
