// Commands on what is open in the editor: ask about the selection, explain a place, fix a problem.
import * as vscode from 'vscode';
import { register, showProblem } from '../handlers/receive.ts';
import { showInformation } from '../system/toast.ts';
import { mayRead } from '../system/trusted.ts';
import { documentMessage, explainMessage, fixMessage, type Lines, testsMessage } from './editorMessages.ts';

export interface AskingView {
  /** Puts what is selected or open in the editor beside the next message. */
  point(): void;
  /** Puts words into the composer. */
  draft(text: string): void;
  send(text: string): void;
  /** Sends it and gives the whole answer; null where there is none, or another one is being written. */
  ask(text: string): Promise<string | null>;
}

/** Lines around a place whose declaration is unknown, or longer than `longest`. */
const ports = 12;
const longest = 120;

export function registerEditorCommands(asking: AskingView): readonly vscode.Disposable[] {
  const run = (name: string, act: (...given: readonly unknown[]) => Promise<void>) =>
    vscode.commands.registerCommand(`tidemark.${name}`, (...given: unknown[]) => act(...given).catch(showProblem));
  const send = async (text: string) => {
    asking.send(text);
    await focusChat();
  };
  return [
    register('askSelection', () => void askSelection(asking).catch(showProblem)),
    ...aboutPlace.map(([name, words]) => register(name, () => void askAbout(words, send).catch(showProblem))),
    // The name of the command and what a code action gives it.
    run('fix', (uri, diagnostic) => fix(send, uri, diagnostic)),
  ];
}

async function focusChat(): Promise<void> {
  await vscode.commands.executeCommand('tidemark.chat.focus');
}

async function askSelection(asking: AskingView): Promise<void> {
  if (fileEditor() === null) return;
  // Its key focuses the chat before this runs: what is typed meanwhile must not go to the editor.
  await focusChat();
  asking.point();
}

/** Commands about the selection, or the declaration around the cursor. */
const aboutPlace = [
  ['explain', explainMessage],
  ['writeTests', testsMessage],
  ['document', documentMessage],
] as const;

async function askAbout(words: (place: Lines) => string, send: (text: string) => Promise<void>): Promise<void> {
  const editor = fileEditor();
  if (editor === null) return;
  const { document, selection } = editor;
  const path = nameOf(document.uri);
  if (!selection.isEmpty) return send(words({ path, lines: linesOf(selection) }));
  const declared = await declarationAt(document.uri, selection.active);
  await send(words({ path, lines: declared === null ? null : linesOf(declared) }));
}

/** Without arguments: the worst problem on the line of the cursor. */
async function fix(send: (text: string) => Promise<void>, uri: unknown, diagnostic: unknown): Promise<void> {
  const isGiven = uri instanceof vscode.Uri && diagnostic instanceof vscode.Diagnostic;
  if (isGiven) return mayRead() ? sendFix(send, uri, diagnostic) : undefined;
  const editor = fileEditor();
  if (editor === null) return;
  const { line } = editor.selection.active;
  const [worst] = vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter(({ range }) => range.start.line <= line && line <= range.end.line)
    .toSorted((a, b) => a.severity - b.severity);
  if (worst === undefined) showInformation(vscode.l10n.t('There is no problem on this line.'));
  else await sendFix(send, editor.document.uri, worst);
}

async function sendFix(
  send: (text: string) => Promise<void>,
  uri: vscode.Uri,
  { range, message, source = '', code }: vscode.Diagnostic,
): Promise<void> {
  const place: Lines = { path: nameOf(uri), lines: await linesAround(uri, range) };
  const number = typeof code === 'object' ? code.value : (code ?? '');
  const said = { line: range.start.line + 1, source: `${source} ${number}`.trim(), message };
  await send(fixMessage(place, said));
}

async function linesAround(uri: vscode.Uri, range: vscode.Range): Promise<NonNullable<Lines['lines']>> {
  const declared = await declarationAt(uri, range.start);
  if (declared !== null && declared.end.line - declared.start.line < longest) return linesOf(declared);
  const { lineCount } = await vscode.workspace.openTextDocument(uri);
  const { start, end } = range;
  return { first: Math.max(1, start.line + 1 - ports), last: Math.min(lineCount, end.line + 1 + ports) };
}

/** The innermost function, class or the like around a place; null where nothing tells. */
async function declarationAt(uri: vscode.Uri, at: vscode.Position): Promise<vscode.Range | null> {
  const found = await vscode.commands.executeCommand<readonly vscode.DocumentSymbol[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  let inner: vscode.Range | null = null;
  let symbols = found ?? [];
  for (;;) {
    const symbol = symbols.find((one) => 'range' in one && one.range.contains(at) && blocks.has(one.kind));
    if (symbol === undefined) return inner;
    inner = symbol.range;
    symbols = symbol.children;
  }
}

const {
  Class,
  Constructor,
  Enum,
  Function: Callable,
  Interface,
  Method,
  Module,
  Namespace,
  Struct,
} = vscode.SymbolKind;
const blocks: ReadonlySet<vscode.SymbolKind> = new Set([
  ...[Class, Constructor, Enum, Callable, Interface, Method, Module, Namespace, Struct],
]);

function fileEditor(): vscode.TextEditor | null {
  if (!mayRead()) return null;
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme === 'file') return editor;
  showInformation(vscode.l10n.t('Open a file of the workspace first.'));
  return null;
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

/** A range that ends before the first column of a line does not have that line. */
function linesOf({ start, end }: vscode.Range): NonNullable<Lines['lines']> {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { first: start.line + 1, last };
}
