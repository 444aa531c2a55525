// As much of the module `vscode` as the workspace's grounds, the mentions, new files and switches need, so that trust, watching and writing can be played in a unit test.
import { registerHooks } from 'node:module';

export interface FakeEditor {
  isTrusted: boolean;
  /** Who watches files, told of each change by its absolute path. */
  readonly watchers: Set<(uri: { readonly fsPath: string }) => void>;
  /** Absolute paths of files that were made. */
  readonly made: string[];
  /** What the user was warned of. */
  readonly warned: string[];
  /** Written some time after it is asked for. */
  settings: Record<string, unknown>;
  /** The translated strings; undefined where the editor speaks English. */
  bundle: Record<string, string> | undefined;
}

export const editor: FakeEditor = {
  isTrusted: true,
  watchers: new Set(),
  made: [],
  warned: [],
  settings: {},
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
    onDidChangeTextDocument: (listener) => event((uri) => listener({ document: { uri } })),
    workspaceFolders: [],
    getConfiguration: () => ({
      get: (name, other) => (name in editor.settings ? editor.settings[name] : other),
      update: async (name, value) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        editor.settings = { ...editor.settings, [name]: value };
      },
    }),
    registerTextDocumentContentProvider: () => ({ dispose: () => {} }),
    applyEdit: async ({ files }) => editor.made.push(...files) > 0,
  };
  export const window = {
    activeTextEditor: undefined,
    visibleTextEditors: [],
    tabGroups: { all: [], onDidChangeTabs: event },
    onDidChangeActiveTextEditor: event,
    onDidStartTerminalShellExecution: event,
    onDidEndTerminalShellExecution: event,
    showTextDocument: async () => undefined,
    showWarningMessage: async (words) => void editor.warned.push(words),
    showErrorMessage: async (words) => void editor.warned.push(words),
  };
  export const env = { language: 'de' };
  export const l10n = {
    get bundle() { return editor.bundle; },
    t: (words, ...values) => words.replace(/\\{(\\d+)\\}/g, (all, i) => values[i] ?? all),
  };
  export const ConfigurationTarget = { Global: 1, Workspace: 2 };
  export class WorkspaceEdit {
    files = [];
    createFile({ fsPath }) { this.files.push(fsPath); }
  }
  export const Uri = { file: (fsPath) => ({ scheme: 'file', fsPath }) };
  export const commands = {
    executeCommand: async () => [],
    registerCommand: () => ({ dispose: () => {} }),
  };
  export const Disposable = { from: (...all) => ({ dispose: () => all.forEach((one) => one.dispose()) }) };`;

Object.assign(globalThis, { [Symbol.for('tidemark.fakeEditor')]: editor });
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(source)}`, format: 'module', shortCircuit: true }
      : next(specifier, context),
});
