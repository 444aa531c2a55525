// A part of the module `vscode`: as much as the workspace's grounds, the mentions, new files, switches and getting models need, so that trust, watching,
// writing and answering can be played in a unit test.
import { registerHooks } from 'node:module';

export interface FakeEditor {
  isTrusted: boolean;
  /** Paths of the open folders. */
  folders: readonly string[];
  /** Who watches files, told of each change by its absolute path. */
  readonly watchers: Set<(uri: { readonly fsPath: string }) => void>;
  /** Who hears of changed settings. */
  readonly configured: Set<(change: { affectsConfiguration(name: string): boolean }) => void>;
  /** Who waits for the folder to be trusted. */
  readonly trusters: Set<() => void>;
  /** Warnings and modal messages that the user was shown. `told` has all others. */
  readonly warned: string[];
  readonly told: string[];
  /** The user's answer to a message, one of its buttons; undefined closes it. */
  answer: (words: string, buttons: readonly string[]) => string | undefined;
  /** The user's choice of a list's rows, of a file, and of a text. */
  pick: (rows: readonly FakeRow[], words: string) => FakeRow | undefined;
  /** Lists that were shown, as they are now. */
  readonly lists: { readonly title: string; readonly items: readonly FakeRow[] }[];
  file: string | undefined;
  typed: string | undefined;
  /** Commands that were registered, by their names. */
  readonly commands: Map<string, (...given: unknown[]) => unknown>;
  /** The Git extension's repositories; undefined where there is none. */
  repositories: readonly object[] | undefined;
  /** Commands that were run. */
  readonly ran: string[];
  /** Written some time after it is asked for. */
  settings: Record<string, unknown>;
  /** Settings of the workspace, which go over the user's. */
  foreign: Record<string, unknown>;
  /** The translated strings; undefined where the editor speaks English. */
  bundle: Record<string, string> | undefined;
}

export interface FakeRow {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly kind?: number;
}

export const editor: FakeEditor = {
  isTrusted: true,
  folders: [],
  watchers: new Set(),
  configured: new Set(),
  trusters: new Set(),
  warned: [],
  told: [],
  answer: () => undefined,
  pick: () => undefined,
  lists: [],
  file: undefined,
  typed: undefined,
  commands: new Map(),
  repositories: undefined,
  ran: [],
  settings: {},
  foreign: {},
  bundle: undefined,
};

const source = `
  const editor = globalThis[Symbol.for('tidemark.fakeEditor')];
  const event = (listener) => {
    editor.watchers.add(listener);
    return { dispose: () => editor.watchers.delete(listener) };
  };
  export const workspace = {
    get isTrusted() { return editor.isTrusted; },
    createFileSystemWatcher: () => ({ onDidChange: event, onDidCreate: event, onDidDelete: event, dispose: () => {} }),
    onDidCloseTextDocument: event,
    onDidChangeTextDocument: (listener) => event((uri) => listener({ document: { uri } })),
    get workspaceFolders() { return editor.folders.map((path) => ({ name: path, uri: Uri.file(path) })); },
    textDocuments: [],
    openTextDocument: async () => { throw new Error('There is no editor.'); },
    onDidChangeWorkspaceFolders: event,
    onDidGrantWorkspaceTrust: (listener) => {
      editor.trusters.add(listener);
      return { dispose: () => editor.trusters.delete(listener) };
    },
    onDidSaveTextDocument: event,
    asRelativePath: (path) => String(path),
    onDidChangeConfiguration: (listener) => {
      editor.configured.add(listener);
      return { dispose: () => editor.configured.delete(listener) };
    },
    getConfiguration: () => ({
      get: (name, other) => {
        const said = { ...editor.settings, ...editor.foreign };
        return name in said ? said[name] : other;
      },
      inspect: (name) => ({ globalValue: editor.settings[name], workspaceValue: editor.foreign[name] }),
      update: async (name, value) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        editor.settings = { ...editor.settings, [name]: value };
      },
    }),
    fs: { readFile: async ({ fsPath }) => (await import('node:fs/promises')).readFile(fsPath) },
    registerTextDocumentContentProvider: () => ({ dispose: () => {} }),
  };
  export const window = {
    activeTextEditor: undefined,
    visibleTextEditors: [],
    tabGroups: { all: [], onDidChangeTabs: event },
    onDidChangeActiveTextEditor: event,
    onDidChangeVisibleTextEditors: event,
    createTextEditorDecorationType: () => ({}),
    onDidStartTerminalShellExecution: event,
    onDidEndTerminalShellExecution: event,
    showTextDocument: async () => undefined,
    showWarningMessage: async (words, ...rest) => asked(editor.warned, words, rest),
    showErrorMessage: async (words, ...rest) => asked(editor.warned, words, rest),
    // Modal messages stand with the warnings.
    showInformationMessage: async (words, ...rest) => asked(rest[0]?.modal ? editor.warned : editor.told, words, rest),
    showQuickPick: async (rows, { placeHolder }) => editor.pick(await rows, placeHolder),
    createQuickPick: () => {
      const heard = {};
      const on = (name) => (listener) => { heard[name] = listener; };
      let busy = false;
      const pick = {
        title: '', placeholder: '', items: [], activeItems: [], selectedItems: [],
        onDidAccept: on('accept'), onDidTriggerItemButton: on('button'), onDidHide: on('hide'),
        show() { editor.lists.push(pick); }, hide() {}, dispose() {},
        get busy() { return busy; },
        // The user chooses once all rows are there.
        set busy(now) {
          const ready = busy && !now;
          busy = now;
          if (!ready) return;
          const chosen = editor.pick(pick.items, pick.placeholder);
          pick.selectedItems = chosen === undefined ? [] : [chosen];
          heard[chosen === undefined ? 'hide' : 'accept']();
        },
      };
      return pick;
    },
    showInputBox: async () => editor.typed,
    showOpenDialog: async () => (editor.file === undefined ? undefined : [{ fsPath: editor.file }]),
    withProgress: (_, run) => run({ report: () => {} }, { onCancellationRequested: () => {} }),
  };
  const asked = (list, words, rest) => {
    list.push(words);
    return editor.answer(words, rest.filter((one) => typeof one === 'string'));
  };
  export const ProgressLocation = { Notification: 15 };
  export class ThemeIcon {}
  export const QuickPickItemKind = { Separator: -1, Default: 0 };
  export const env = { language: 'de' };
  export const l10n = {
    get bundle() { return editor.bundle; },
    t: (words, ...values) => words.replace(/\\{(\\d+)\\}/g, (all, i) => values[i] ?? all),
  };
  export const languages = {
    registerCodeLensProvider: () => ({ dispose: () => {} }),
    registerCodeActionsProvider: (_, provider) => ({ dispose: () => {}, provider }),
    getDiagnostics: () => [],
  };
  export const extensions = {
    getExtension: () =>
      editor.repositories && {
        activate: async () => ({ enabled: true, getAPI: () => ({ repositories: editor.repositories }) }),
      },
  };
  export const SymbolKind = {};
  export const DiagnosticSeverity = { Error: 0, Warning: 1 };
  export class Diagnostic {}
  export const CodeActionKind = { QuickFix: 'quickfix' };
  export class CodeAction {
    constructor(title) { this.title = title; }
  }
  export class ThemeColor {}
  export class EventEmitter {
    event = () => ({ dispose: () => {} });
    fire() {}
    dispose() {}
  }
  export const ConfigurationTarget = { Global: 1, Workspace: 2 };
  export class Uri {
    constructor(fsPath) { Object.assign(this, { scheme: 'file', fsPath, path: fsPath }); }
    static file(fsPath) { return new Uri(fsPath); }
  }
  export const commands = {
    executeCommand: async (name) => {
      editor.ran.push(name);
      return [];
    },
    registerCommand: (name, act) => {
      editor.commands.set(name, act);
      return { dispose: () => editor.commands.delete(name) };
    },
  };
  export const Disposable = { from: (...all) => ({ dispose: () => all.forEach((one) => one.dispose()) }) };`;

Object.assign(globalThis, { [Symbol.for('tidemark.fakeEditor')]: editor });
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(source)}`, format: 'module', shortCircuit: true }
      : next(specifier, context),
});
