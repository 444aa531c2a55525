// The engine of this machine, as the middle has it: a process that loads models, one at a time.
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { LoadParams } from '../../protocol/engine.ts';

export interface LocalEngine extends Engine {
  load(params: LoadParams): Promise<ModelInfo>;
  /** Ends the process; whatever is asked of it next starts another. */
  dispose(): Promise<void>;
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
