// The world around a chat: what the editor, or a test, gives it.
import type { Agent } from '../core/agent.ts';
import type { Bundle } from '../core/bundle.ts';
import type { TokenCounterCounts, WorkspaceCacheCounts } from '../core/mechanisms.ts';
import type { Measure, Prompt } from '../core/prompt.ts';
import type { Signal, Tool } from '../core/tool.ts';
import type { ModelInfo, Sampling } from '../protocol/engine.ts';

/** Read anew for every request. */
export interface ChatSettings {
  readonly agent: Agent;
  readonly sampling: Sampling;
  /** Prefill what any next message shares while the user reads. */
  readonly warm: boolean;
}

/** What is known about the workspace without being asked. */
export interface Grounds {
  /** The texts for the prompt's head, in at most so many tokens. Never rejects. */
  bundle(maxTokens: number): Promise<Bundle>;
  /** Whether a newer bundle than this is known. */
  stale(bundle: Bundle): boolean;
  /** What was read is read anew for the next bundle, whatever is known about changes. */
  renew(): void;
  counts(): Omit<WorkspaceCacheCounts, 'stale'>;
  /** What the message's own words point at, in at most so many tokens; '' for nothing. Never rejects. */
  retrieve(text: string, maxTokens: number, signal: Signal): Promise<string>;
}

export interface Surroundings {
  readonly folders: () => readonly { readonly name: string; readonly path: string }[];
  readonly tools: () => readonly Tool[];
  readonly settings: () => ChatSettings;
  readonly grounds: Grounds;
  readonly tokenCounter: () => TokenCounterCounts | null;
  /** Told of every prompt that was measured exactly. */
  readonly measured: (info: ModelInfo, prompt: Prompt, measure: Measure) => void;
  /** Counts a prompt without a model. */
  readonly estimate: (prompt: Prompt) => Promise<Measure>;
  /** The window that will be asked for, in tokens. */
  readonly wantedWindow: () => number;
  /** Shows a text in an editor of its own. */
  readonly openText: (language: 'json' | 'markdown' | 'plaintext', text: string) => void;
  readonly newId: () => string;
  readonly now: () => Date;
}
