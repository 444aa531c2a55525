// The port to the open folders: their files, what can be done with them, and what is known and found of them.
import type { Shell } from '../../core/agent/editing.ts';
import type { WorkspaceCacheCounts } from '../../core/agent/mechanisms.ts';
import type { Signal, Tool } from '../../core/dialog/tool.ts';
import type { Disposable } from '../../core/emitter.ts';
import type { Bundle } from '../../core/prompt/bundle.ts';
import type { ProgramView } from '../../protocol/view.ts';
import type { Finding } from './finding.ts';
import type { Mention, MentionText } from './mention.ts';

export interface Project {
  folders(): readonly { readonly name: string; readonly path: string }[];
  /** For a session, by its id: what they change is kept as that session's. */
  tools(session: string): readonly Tool[];
  /** The files in `.tidemark/prompts`, by name without ending; none in a workspace that is not trusted. Never rejects. */
  promptFiles(): Promise<readonly PromptFile[]>;
  readonly mentions: Mentions;
  readonly context: WorkspaceContext;
  /** Finds passages of the folder; in a folder that is not trusted, or where it is switched off, nothing. */
  readonly finding: Finding;
  /** The shell of its commands; left out, that of POSIX. */
  readonly shell?: Shell;
  /** Left out where no command goes on. */
  readonly programs?: Programs;
}

/** Commands that go on after their call: servers and watchers. */
export interface Programs {
  of(session: string): readonly ProgramView[];
  subscribe(hear: () => void): Disposable;
  /** The command that a session waits for is waited for no more. */
  letRun(session: string): void;
  stop(run: number): void;
  /** Opens a port of it in the browser, once the user says yes. */
  open(run: number, port: number): void;
  showOutput(): void;
  /** The session is left: what goes on in it ends. */
  end(session: string): void;
}

export interface PromptFile {
  readonly name: string;
  readonly text: string;
}

/** Knows texts about the workspace without being asked. */
export interface WorkspaceContext {
  /** The texts for the prompt's head, in at most so many tokens; `looksAround`: for a model with tools. Never rejects. */
  bundle(maxTokens: number, looksAround: boolean): Promise<Bundle>;
  /** Whether a newer bundle than this is known. */
  stale(bundle: Bundle): boolean;
  /** Files are read anew for the next bundle, whatever is known about changes. */
  renew(): void;
  counts(): Omit<WorkspaceCacheCounts, 'stale'>;
}

/** Knows the things that a message can name with an @, and the texts behind them. In a workspace that is not trusted there is nothing. */
export interface Mentions {
  /** Names that may stand behind the kind, the likeliest first where nothing was typed. Never rejects. */
  names(kind: 'file' | 'folder' | 'symbol', typed: string): Promise<readonly { name: string; detail: string }[]>;
  /** The text that is meant; where there is none, the head says why in words for the user. Never rejects. */
  resolve(mention: Mention, signal: Signal): Promise<MentionText>;
  /** A file or folder by its path or URI, as it is mentioned; null outside the workspace. Never rejects. */
  placed(place: string): Promise<Pick<Mention, 'kind' | 'name'> | null>;
}
