// The world around a chat: what the editor, or a test, gives it.
import type { Agent } from '../../core/agent/agent.ts';
import type { TokenCounterCounts, WorkspaceCacheCounts } from '../../core/agent/mechanisms.ts';
import type { Signal, Tool } from '../../core/dialog/tool.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { NoteCheck } from '../../core/memory/memory.ts';
import type { CacheReuse } from '../../core/model/model.ts';
import type { SeededSampling } from '../../core/model/sampling.ts';
import type { Bundle } from '../../core/prompt/bundle.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import type { Measure, Prompt } from '../../core/prompt/prompt.ts';
import type { Abilities } from './abilities.ts';
import type { ChangedFiles } from './changedFiles.ts';
import type { Finding } from './finding.ts';
import type { Mention, MentionText } from './mention.ts';
import type { SnapshotFiles } from './snapshotFiles.ts';

/** Read anew for every request. */
export interface ChatSettings {
  readonly agent: Agent;
  readonly sampling: SeededSampling;
  /** Prefill what any next message shares while the user reads. */
  readonly warm: boolean;
  /** How a slot follows a changed prompt. */
  readonly reuse: CacheReuse;
  /** Idle work decodes a slot's approximate part again only if that will take no longer. */
  readonly settleMilliseconds: number;
  /** What the stored states of slots may take on disk, all together; 0 stores none. */
  readonly snapshotBytes: number;
  /** How long a compaction may go on without progress. */
  readonly leaseMilliseconds: number;
  /** Model calls for one summary at most. */
  readonly summaryTries: number;
  /** Put the memory and the work board into the prompt of new sessions. */
  readonly memory: boolean;
  /** Names of tools that the model does not get. */
  readonly toolsOff: readonly string[];
}

/** A model of its own that writes summaries. */
export interface OwnSummariser {
  readonly engine: Engine;
  /** Tokens of its window. */
  readonly window: number;
  /** The engine's number of the slot for it. */
  readonly slot: number;
  /** Lets its memory, or its slot, go. */
  done(): Promise<void>;
}

/** What is known about the workspace without being asked. */
export interface WorkspaceContext {
  /** The texts for the prompt's head, in at most so many tokens. Never rejects. */
  bundle(maxTokens: number): Promise<Bundle>;
  /** Whether a newer bundle than this is known. */
  stale(bundle: Bundle): boolean;
  /** What was read is read anew for the next bundle, whatever is known about changes. */
  renew(): void;
  counts(): Omit<WorkspaceCacheCounts, 'stale'>;
}

/** What a message can name with an @, and what that stands for. In a workspace that is not trusted there is nothing. */
export interface Mentions {
  /** What may stand behind the kind, the likeliest first where nothing was typed. Never rejects. */
  names(kind: 'file' | 'folder' | 'symbol', typed: string): Promise<readonly { name: string; detail: string }[]>;
  /** The text that is meant; where there is none, the head says why in words for the user. Never rejects. */
  resolve(mention: Mention, signal: Signal): Promise<MentionText>;
  /** A file or folder by its path or URI, as it is mentioned; null outside the workspace. Never rejects. */
  placed(place: string): Promise<Pick<Mention, 'kind' | 'name'> | null>;
}

/** A conversation whose place an imported one takes. */
export interface Importing {
  readonly workspace: string;
  /** Goes on with a stored session; words when it cannot be. */
  openSession(id: string): string | null;
  set(values: { readonly listing: boolean }): void;
  command(line: string): unknown;
}

export interface ConversationPorts {
  /** Finds passages of the folder; in a folder that is not trusted, or where it is switched off, nothing. */
  readonly finding: Finding;
  readonly mentions: Mentions;
  /** The files in `.tidemark/prompts`, by name without ending; none in a workspace that is not trusted. Never rejects. */
  readonly promptFiles: () => Promise<readonly { readonly name: string; readonly text: string }[]>;
  readonly folders: () => readonly { readonly name: string; readonly path: string }[];
  /** For a session, by its id: what they change is kept as that session's. */
  readonly tools: (session: string) => readonly Tool[];
  /** Null where nothing can be kept: then nothing is changed either. */
  readonly changedFiles: ChangedFiles | null;
  /** Of the agent of that name; null is the one that the settings name. */
  readonly settings: (agent?: string | null) => ChatSettings;
  readonly workspaceContext: WorkspaceContext;
  readonly tokenCounter: () => TokenCounterCounts | null;
  readonly abilities: Abilities;
  /** Told of every prompt that was measured exactly. */
  readonly measured: (info: ModelInfo, prompt: Prompt, measure: Measure) => void;
  /** Counts a prompt without a model. */
  readonly estimate: (prompt: Prompt) => Promise<Measure>;
  /** The window that will be asked for, in tokens. */
  readonly wantedWindow: () => number;
  /** Shows a text in an editor of its own. */
  readonly openText: (language: 'json' | 'markdown' | 'plaintext', text: string) => void;
  /** Loads the model that is set for compaction; null where the chat's own does it. Rejects with a FaultError. */
  readonly summariser: () => Promise<OwnSummariser | null>;
  /** Names this window among all processes: `PID:anything`. */
  readonly holder: string;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Runs something again and again until the returned function is called. */
  readonly every: (milliseconds: number, run: () => void) => () => void;
  /** Says why a text should not be kept as a note; null where nothing is against it. */
  readonly noteProblem: NoteCheck;
  readonly counter: TokenCounter;
  /** Shows a conversation where it is open in this window; false where it is not. */
  readonly elsewhere: (session: string) => boolean;
  /** Lets the user choose an exported session and takes it in. */
  readonly importFile: (into: Importing) => void;
  /** Where states of slots are stored; null where they are not. */
  readonly snapshotFiles: SnapshotFiles | null;
  /** Whether the machine saves its battery. */
  readonly power: () => Promise<'saver' | 'free' | 'unknown'>;
  readonly newId: () => string;
  readonly now: () => Date;
}
