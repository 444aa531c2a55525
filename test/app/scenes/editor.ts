// The editor around a conversation, for tests: what there is to find, to mention and to run, each in words that a test may replace.

import type { Abilities } from '../../../src/app/ports/abilities.ts';
import type { Clock } from '../../../src/app/ports/clock.ts';
import type { ConversationPorts } from '../../../src/app/ports/conversationPorts.ts';
import type { EditorActs } from '../../../src/app/ports/editorActs.ts';
import type { OwnSummariser } from '../../../src/app/ports/engine.ts';
import type { Finding } from '../../../src/app/ports/finding.ts';
import type { Mentions, Project, WorkspaceContext } from '../../../src/app/ports/project.ts';
import type { ReadPower } from '../../../src/app/slots/saver.ts';
import type { ModelSources } from '../../../src/app/slots/windowEngines.ts';
import { type Failing, type Named, nothingFailing, nothingNamed } from '../../../src/core/agent/intent.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import type { NoteCheck } from '../../../src/core/memory/memory.ts';
import { type Bundle, emptyBundle } from '../../../src/core/prompt/bundle.ts';
import { type Found, type LeftOut, nothingFound, nothingLeftOut } from '../../../src/core/prompt/found.ts';
import { measure } from './measure.ts';
import { ableModels } from './scriptedModel.ts';

/** Words and acts that a test may replace. */
interface Replaced extends Mentions, Pick<Project, 'promptFiles'> {
  abilities: Abilities;
  changedFiles: ConversationPorts['changedFiles'];
  elsewhere: EditorActs['showsElsewhere'];
  importFile(into: { set(values: { readonly listing: boolean }): void }): void;
  newId(): string;
  noteProblem: NoteCheck;
  power: ReadPower;
  summariser(): Promise<OwnSummariser | null>;
  wait(milliseconds: number): Promise<void>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface Editor extends Mutable<Replaced> {
  tools: readonly Tool[];
  find: Finding['find'];
  /** Things of the folder that each message names. */
  named: Named;
  /** Words in which these were looked for. */
  readonly namedIn: string[];
  /** The subject of each failing output. */
  failing: Failing;
  /** Files that the index leaves out. */
  leftOut: LeftOut;
  /** Workspace texts; the last ones are those of now. */
  readonly bundles: Bundle[];
  bundle: WorkspaceContext['bundle'];
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

/** Returns a passage of one line, as if it was found in a file. */
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
    named: nothingNamed,
    namedIn: [],
    failing: nothingFailing,
    leftOut: nothingLeftOut,
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

type OfWindow = Pick<ConversationPorts, 'settings' | 'holder'> &
  Pick<Project, 'folders'> & { readonly every: Clock['every'] };

/** The editor's parts as a conversation asks for them: a part that a test replaces counts from then on. */
export function portsOf(editor: Editor, { settings, holder, folders, every }: OfWindow): ConversationPorts {
  return {
    ...{ settings, holder, project: projectOf(editor, folders), clock: clockOf(editor, every) },
    get changedFiles() {
      return editor.changedFiles;
    },
    tokens: {
      counter: { count: async (texts) => ({ tokens: texts.map((text) => Math.ceil(text.length / 4)), exact: true }) },
      counts: () => null,
      learn: () => undefined,
      estimate: async (prompt) => ({ ...measure(prompt), exact: false }),
    },
    editor: {
      openText: (language, text) => void editor.documents.push({ language, text }),
      showsElsewhere: (session) => editor.elsewhere(session),
      importFile: (into) => editor.importFile({ set: ({ listing }) => into.list(listing) }),
    },
  };
}

export function clockOf(editor: Editor, every: Clock['every']): Clock {
  return {
    every,
    now: () => new Date(editor.now),
    wait: (milliseconds) => editor.wait(milliseconds),
    newId: () => editor.newId(),
  };
}

function projectOf(editor: Editor, folders: Project['folders']): Project {
  const { bundles } = editor;
  return {
    folders,
    tools: () => [...editor.tools],
    promptFiles: () => editor.promptFiles(),
    mentions: {
      names: (...asked) => editor.names(...asked),
      resolve: (...asked) => editor.resolve(...asked),
      placed: (place) => editor.placed(place),
    },
    finding: {
      embeds: false,
      find: (...asked) => editor.find(...asked),
      named: async (text) => {
        editor.namedIn.push(text);
        return editor.named;
      },
      failing: async () => editor.failing,
      leftOut: async () => editor.leftOut,
    },
    context: {
      bundle: (...asked) => editor.bundle(...asked),
      stale: (bundle) => bundle.key !== bundles.at(-1)?.key,
      renew: () => editor.renew(),
      counts: () => ({ hits: 1, misses: 2, invalidations: 0 }),
    },
  };
}

/** The models of a window, which the editor's words name. */
export function modelsOf(editor: Editor, others: ModelSources['others'] = null): ModelSources {
  return {
    others,
    summariser: () => editor.summariser(),
    get abilities() {
      return editor.abilities;
    },
  };
}
