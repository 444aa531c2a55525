// The settings of a conversation.
import type { Agent } from '../../core/agent/agent.ts';
import type { ThinkingMode } from '../../core/dialog/dialog.ts';
import type { CacheReuse } from '../../core/model/model.ts';
import type { SeededSampling } from '../../core/model/sampling.ts';

/** A value: another one once the settings changed. */
export interface ChatSettings {
  readonly agent: Agent;
  readonly sampling: SeededSampling;
  /** Whether a model thinks whose template has a switch for it; `auto` goes by its pace. */
  readonly thinking: 'auto' | ThinkingMode;
  /** Tokens that thoughts may take; null goes by the window. */
  readonly thinkingTokens: number | null;
  /** The window that will be asked for, in tokens. */
  readonly wantedWindow: number;
  /** Prefill what any next message shares while the user reads. */
  readonly warm: boolean;
  /** How a slot follows a changed prompt. */
  readonly reuse: CacheReuse;
  /** Idle work decodes a slot's approximate part again only if that will take no longer. */
  readonly settleMilliseconds: number;
  /** Bytes that the stored states of slots may take on disk, all together; 0 stores none. */
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
