// The editor around a conversation, for tests: what there is to find, to mention and to run, each in words that a test may replace.
import type { ConversationPorts, Mentions } from '../../../src/app/ports/conversationPorts.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { type Bundle, emptyBundle } from '../../../src/core/prompt/bundle.ts';
import { type Found, nothingFound } from '../../../src/core/prompt/found.ts';
import { measure } from './measure.ts';
import { ableModels } from './scriptedModel.ts';

type Replaced =
  | 'abilities'
  | 'changedFiles'
  | 'elsewhere'
  | 'importFile'
  | 'newId'
  | 'power'
  | 'promptFiles'
  | 'noteProblem'
  | 'summariser'
  | 'wait';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface Editor extends Mutable<Pick<ConversationPorts, Replaced> & Mentions> {
  tools: readonly Tool[];
  find: ConversationPorts['finding']['find'];
  /** Workspace texts; the last ones are those of now. */
  readonly bundles: Bundle[];
  bundle: ConversationPorts['workspaceContext']['bundle'];
  renew: () => void;
  /** Unix milliseconds. */
  now: number;
  /** Texts that were shown in an editor of their own. */
  readonly documents: { readonly language: string; readonly text: string }[];
  /** Milliseconds that were waited for. */
  readonly waits: number[];
}

const echo: Tool = {
  schema: { name: 'echo', description: 'Echo.', parameters: { type: 'object', properties: {}, required: [] } },
  effect: 'read',
  run: async (args) => ({ ok: true, head: 'echo:', body: JSON.stringify(args) }),
};

/** A workspace without anything to mention. */
export const noMentions: Mentions = {
  names: async () => [],
  resolve: async () => ({ ok: false, head: 'there is nothing', body: '' }),
  placed: async () => null,
};

/** One line of a file that was found. */
export function foundIn(path: string, line: string): Found {
  return { passages: [{ kind: 'file', path, why: 'declares it', stretches: [{ from: 1, lines: [line] }] }], weak: '' };
}

/** Ids begin with the window's name. What holds `hunter2` is a secret. */
export function createEditor(name: string): Editor {
  const bundles = [emptyBundle];
  const waits: number[] = [];
  let ids = 0;
  return {
    ...noMentions,
    tools: [echo],
    find: async ({ text }) => (text.includes('`') ? foundIn('src/a.ts', 'known') : nothingFound),
    bundles,
    bundle: async () => bundles.at(-1) ?? emptyBundle,
    renew: () => undefined,
    now: 0,
    documents: [],
    waits,
    abilities: ableModels,
    changedFiles: null,
    elsewhere: () => false,
    importFile: () => undefined,
    newId: () => `${name}id${++ids}`,
    power: async () => 'free',
    promptFiles: async () => [],
    noteProblem: async (text) => (text.includes('hunter2') ? { words: 'a password', asks: false } : null),
    summariser: async () => null,
    wait: async (milliseconds) => void waits.push(milliseconds),
  };
}

type OfWindow = 'folders' | 'holder' | 'settings' | 'snapshotFiles' | 'every' | 'wantedWindow';

/** The editor's parts as a conversation asks for them: a part that a test replaces counts from then on. */
export function portsOf(editor: Editor, window: Pick<ConversationPorts, OfWindow>): ConversationPorts {
  const { bundles, documents } = editor;
  return {
    ...window,
    get abilities() {
      return editor.abilities;
    },
    get changedFiles() {
      return editor.changedFiles;
    },
    mentions: {
      names: (...asked) => editor.names(...asked),
      resolve: (...asked) => editor.resolve(...asked),
      placed: (place) => editor.placed(place),
    },
    finding: { embeds: false, find: (...asked) => editor.find(...asked) },
    workspaceContext: {
      bundle: (most) => editor.bundle(most),
      stale: (bundle) => bundle.key !== bundles.at(-1)?.key,
      renew: () => editor.renew(),
      counts: () => ({ hits: 1, misses: 2, invalidations: 0 }),
    },
    counter: { count: async (texts) => ({ tokens: texts.map((text) => Math.ceil(text.length / 4)), exact: true }) },
    tokenCounter: () => null,
    measured: () => undefined,
    estimate: async (prompt) => ({ ...measure(prompt), exact: false }),
    openText: (language, text) => void documents.push({ language, text }),
    tools: () => [...editor.tools],
    now: () => new Date(editor.now),
    elsewhere: (session) => editor.elsewhere(session),
    importFile: (into) => editor.importFile(into),
    newId: () => editor.newId(),
    power: () => editor.power(),
    promptFiles: () => editor.promptFiles(),
    noteProblem: (text) => editor.noteProblem(text),
    summariser: () => editor.summariser(),
    wait: (milliseconds) => editor.wait(milliseconds),
  };
}
