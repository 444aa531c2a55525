// The port to counting tokens without a model, and to what was learned from one.
import type { TokenCounterCounts } from '../../core/agent/mechanisms.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import type { Measure, Prompt } from '../../core/prompt/prompt.ts';

export interface TokenCounting {
  readonly counter: TokenCounter;
  /** Metrics of the counter; null where there are none. */
  counts(): TokenCounterCounts | null;
  /** Told of every prompt that was measured exactly. */
  learn(info: ModelInfo, prompt: Prompt, measure: Measure): void;
  /** Counts a prompt without a model. */
  estimate(prompt: Prompt): Promise<Measure>;
}
