// Follows what the editor in front offers to a message: the lines that are selected, or else its file. Told anew as the user moves about.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { OpenEditor } from '../../protocol/view.ts';
import type { EditorMentions } from '../mentions/mentions.ts';
import { mentionOf } from './editorMessages.ts';

/** Milliseconds without a change: a selection that is being drawn is not told line by line. */
const rest = 150;

/**
 * `tell` gets null for anything but a file of the workspace, and in a folder that is not trusted. `choose`: the user asks about what is in
 * front now.
 */
export function followOpenEditor(
  mentions: Pick<EditorMentions, 'editor' | 'placed'>,
  tell: (editor: OpenEditor | null) => void,
): { readonly choose: () => void; readonly disposable: vscode.Disposable } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const chosen = { place: '', times: 0, waits: false };
  /** The selections that the user made, and not a change of the text or another editor in front. */
  const selected = new WeakMap<vscode.TextDocument, number>();
  const look = async () => {
    asked += 1;
    const turn = asked;
    const found = await offered(mentions, selected);
    if (turn !== asked) return;
    if (chosen.waits) Object.assign(chosen, { place: found?.place ?? '', times: chosen.times + 1, waits: false });
    tell(found === null ? null : { ...found, chosen: found.place === chosen.place ? chosen.times : 0 });
  };
  const choose = () => {
    chosen.waits = true;
    void look();
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), rest);
  };
  later();
  const disposable = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(later),
    vscode.window.onDidChangeVisibleTextEditors(later),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor: { document }, kind }) => {
      if (kind !== undefined) selected.set(document, (selected.get(document) ?? 0) + 1);
      later();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(later),
    { dispose: () => clearTimeout(timer) },
  );
  return { choose, disposable };
}

async function offered(
  { editor: { editor }, placed }: Pick<EditorMentions, 'editor' | 'placed'>,
  times: WeakMap<vscode.TextDocument, number>,
) {
  if (editor === undefined || !vscode.window.visibleTextEditors.includes(editor)) return null;
  const { document, selection } = editor;
  const place = document.uri.scheme === 'file' ? await placed(document.uri.toString()) : null;
  if (place === null) return null;
  const path = vscode.workspace.asRelativePath(document.uri);
  const name = basename(document.uri.path);
  if (selection.isEmpty)
    return {
      word: mentionOf({ path: place.name, lines: null }),
      label: name,
      title: path,
      selected: false,
      place: path,
    };
  const first = selection.start.line + 1;
  // A selection that ends before the first column of a line does not have that line.
  const last = Math.max(first, selection.end.character === 0 ? selection.end.line : selection.end.line + 1);
  const lines = last > first ? `${first}-${last}` : String(first);
  const said = { word: '@selection', label: `${name}:${lines}`, title: `${path}:${lines}`, selected: true };
  return { ...said, place: `${path} ${times.get(document) ?? 0}` };
}
