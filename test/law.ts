// The law of the rooms: who may import what.

export interface Room {
  /** Rooms whose modules may be imported at run time, besides its own. */
  readonly runs: readonly string[];
  /** Rooms of which it may know types only. */
  readonly types: readonly string[];
  /** npm packages, `vscode`, and `node:` for all of Node. */
  readonly packages: readonly string[];
}

/**
 * The law. A room is a folder or a file; the longest name that fits a path wins. `import type` of a room is a matter of
 * `types`, since it leaves no trace at run time. A package counts either way: whoever knows its types is bound to it.
 * (`import { type A }` leaves an import at run time and counts as one.)
 */
export const rooms: Readonly<Record<string, Room>> = {
  'src/core': {
    runs: ['src/core/answer', 'src/core/dialog/plan.ts'],
    types: [],
    packages: ['mustache'],
  },
  // The reader of answers, for the views and for what changes files by them.
  'src/core/answer': { runs: [], types: [], packages: [] },
  // How the model writes down the steps of its task, for the views and for the tool.
  'src/core/dialog/plan.ts': { runs: [], types: ['src/core'], packages: [] },
  'src/protocol': { runs: [], types: ['src/core'], packages: ['vscode-jsonrpc'] },
  'src/engine': { runs: ['src/core', 'src/protocol'], types: [], packages: ['node:', 'vscode-jsonrpc'] },
  // Grammars of what may follow in a message that calls tools, for any engine that can be kept to one.
  'src/engine/grammar': { runs: ['src/core'], types: ['src/protocol', 'src/templates'], packages: [] },
  // Whose turn it is, for the slots of this machine and of servers.
  'src/engine/line.ts': { runs: ['src/core'], types: [], packages: [] },
  // The rule that says where a server may be, for all code that is about to send something there.
  'src/engine/serverAddress.ts': { runs: ['src/core'], types: ['src/protocol'], packages: ['node:'] },
  // The interface of whatever answers the host's requests.
  'src/engine/workerEngine.ts': { runs: [], types: ['src/core', 'src/protocol', 'src/templates'], packages: [] },
  // A server elsewhere, asked over HTTP.
  'src/engine/remote': {
    runs: ['src/core', 'src/engine/line.ts', 'src/engine/serverAddress.ts', 'src/engine/grammar', 'src/templates'],
    types: ['src/protocol', 'src/engine/workerEngine.ts'],
    packages: ['node:', 'eventsource-parser'],
  },
  // Chat templates: the text that one writes, and its tokens, from a vocabulary alone, wherever the engine runs.
  'src/templates': { runs: ['src/core', 'src/core/answer'], types: ['src/protocol'], packages: ['@huggingface/jinja'] },
  'src/engine/worker': {
    runs: [
      'src/core',
      'src/protocol',
      'src/templates',
      'src/engine/line.ts',
      'src/engine/grammar',
      'src/engine/remote',
    ],
    types: ['src/engine/workerEngine.ts'],
    packages: ['node:', 'vscode-jsonrpc', 'node-llama-cpp'],
  },
  'src/tools': { runs: ['src/core', 'src/secrets'], types: [], packages: ['node:', '@vscode/ripgrep', 'jsonc-parser'] },
  // Changes of files: where they land, who may ask for them, what they were before.
  'src/edits': {
    runs: ['src/core', 'src/core/answer', 'src/tools', 'src/secrets'],
    types: [],
    packages: ['node:', 'detect-indent', 'diff', 'ignore', '@vscode/l10n'],
  },
  // Commands: what may run, behind which fence, and what they did.
  'src/shell': { runs: ['src/core', 'src/shell/judge', 'src/tools'], types: [], packages: ['node:', '@vscode/l10n'] },
  // The reader of command lines and their judge, for the thread that has the grammars too.
  'src/shell/judge': { runs: [], types: [], packages: ['@vscode/tree-sitter-wasm'] },
  // Text at the caret: what stands in its prompt, what is shown of it, and what needs no model.
  'src/completion': { runs: ['src/core', 'src/secrets'], types: ['src/protocol'], packages: [] },
  'src/workspace': { runs: ['src/core', 'src/tools', 'src/secrets'], types: ['src/app'], packages: ['node:'] },
  'src/finding': {
    runs: ['src/core', 'src/tools', 'src/secrets', 'src/shell/judge'],
    types: ['src/protocol'],
    packages: ['node:', 'vscode-jsonrpc', 'stemmer', 'jsonc-parser', '@vscode/tree-sitter-wasm'],
  },
  'src/tokens': { runs: ['src/core'], types: [], packages: ['node:', 'js-tiktoken'] },
  'src/store': { runs: ['src/core', 'src/core/answer'], types: [], packages: ['node:', 'ajv'] },
  'src/models': { runs: ['src/core'], types: [], packages: ['node:', 'ajv'] },
  // Reads every text that goes into a prompt: fast, and without a library.
  'src/secrets': { runs: ['src/core'], types: [], packages: [] },
  'src/secrets/secrets.ts': {
    runs: ['src/secrets'],
    types: [],
    packages: ['@secretlint/core', '@secretlint/secretlint-rule-preset-recommend'],
  },
  'src/app': {
    runs: ['src/core', 'src/core/answer', 'src/core/dialog/plan.ts', 'src/protocol', 'src/secrets'],
    types: [],
    packages: [],
  },
  // The settings: their table, and what they mean, wherever they stand.
  'src/settings': {
    runs: ['src/core', 'src/models', 'src/tools', 'src/workspace'],
    types: ['src/app', 'src/protocol'],
    packages: ['@vscode/l10n', 'ajv'],
  },
  'src/host': {
    runs: [
      'src/settings',
      'src/shell',
      'src/shell/judge',
      'src/core',
      'src/protocol',
      'src/engine/serverAddress.ts',
      'src/tools',
      'src/edits',
      'src/completion',
      'src/workspace',
      'src/finding',
      'src/models',
      'src/secrets',
    ],
    types: ['src/app'],
    packages: ['node:', 'vscode', '@vscode/l10n', 'ajv', 'diff'],
  },
  // The parts of the composition root.
  'src/window': {
    runs: [
      'src/core',
      'src/protocol',
      'src/engine',
      'src/tools',
      'src/edits',
      'src/workspace',
      'src/tokens',
      'src/store',
      'src/secrets',
      'src/secrets/secrets.ts',
      'src/app',
      'src/host',
      'src/settings',
      'src/shell',
    ],
    types: [],
    packages: ['node:', 'vscode'],
  },
  'src/extension.ts': {
    runs: [
      'src/core',
      'src/protocol',
      'src/engine',
      'src/tools',
      'src/edits',
      'src/workspace',
      'src/tokens',
      'src/store',
      'src/secrets',
      'src/secrets/secrets.ts',
      'src/app',
      'src/host',
      'src/window',
    ],
    types: [],
    packages: ['node:', 'vscode'],
  },
  webview: {
    runs: ['src/core/answer', 'src/core/dialog/plan.ts', 'src/protocol'],
    types: ['src/core'],
    packages: [
      'preact',
      '@vscode/webview-ui-toolkit',
      '@vscode/codicons',
      '@vscode/l10n',
      'markdown-it',
      'markdown-it-cjk-friendly',
      'dompurify',
      'highlight.js',
      '@mdit/plugin-tex',
      'temml',
    ],
  },
};
