// The engine that answers the host's requests: llama.cpp in this process, or a server elsewhere. A part that one of them lacks is null.

import type { ToolCall } from '../core/dialog/dialog.ts';
import type { Attempt } from '../core/engine/attempt.ts';
import type { Completed, FillRequest } from '../core/engine/completion.ts';
import type { ModelInfo } from '../core/engine/modelInfo.ts';
import type { WarmParams, Warmth } from '../core/engine/prefill.ts';
import type {
  LoadSnapshotParams,
  SaveSnapshotParams,
  SnapshotLoaded,
  SnapshotSaved,
} from '../core/engine/slotState.ts';
import type { SpelledPiece } from '../core/engine/spelled.ts';
import type { Generation, PrefillProgress } from '../core/model/model.ts';
import type { Speed } from '../core/model/speed.ts';
import type { Prompt } from '../core/prompt/prompt.ts';
import type { GenerateParams } from '../protocol/engine.ts';
import type { Tokenised } from '../templates/tokenise.ts';

/** Told while a request runs. */
export interface Heard {
  readonly onText: (text: string) => void;
  readonly onProgress: (progress: PrefillProgress) => void;
}

export interface WorkerEngine {
  readonly info: ModelInfo;
  tokens(prompt: Prompt): Promise<Tokenised>;
  /** Tokens of each text as content. */
  count(texts: readonly string[]): Promise<readonly number[]>;
  spell(prompt: Tokenised): Promise<{ readonly text: string; readonly pieces: readonly SpelledPiece[] }>;
  /** An assistant message as the model would have generated it. */
  message(text: string, calls: readonly ToolCall[]): Promise<readonly number[]>;
  /** `forced`: taken instead of drawn tokens. */
  generate(
    params: GenerateParams,
    prompt: Tokenised,
    forced: readonly number[] | null,
    heard: Heard,
    signal: AbortSignal,
  ): Promise<Generation>;
  warm(
    params: Pick<WarmParams, 'slot' | 'reuse' | 'settleMilliseconds'>,
    prompt: Tokenised,
    onProgress: Heard['onProgress'],
    signal: AbortSignal,
  ): Promise<Warmth>;
  attempt(params: Attempt, signal: AbortSignal): Promise<Generation>;
  readonly complete:
    | ((request: FillRequest, onText: Heard['onText'], signal: AbortSignal) => Promise<Completed>)
    | null;
  readonly speed: ((signal: AbortSignal) => Promise<Speed>) | null;
  readonly states: {
    save(params: SaveSnapshotParams): Promise<SnapshotSaved>;
    load(params: Omit<LoadSnapshotParams, 'prompt'>, prompt: Tokenised): Promise<SnapshotLoaded>;
  } | null;
  /** Frees what it holds. Jobs that still run fail. */
  dispose(): Promise<void>;
}
