// A prompt that was made to fit, with what it was made of and how it was measured.
import type { GraphNode } from '../agent/graph.ts';
import type { Budget } from '../prompt/budget.ts';
import type { Measure, Prompt } from '../prompt/prompt.ts';
import type { Stack } from './projection.ts';
import type { PruneState } from './pruneState.ts';
import type { PruneContext } from './strategy.ts';

export interface Fitted {
  readonly prompt: Prompt;
  readonly measure: Measure;
  readonly pruned: PruneState;
  readonly stack: Stack;
  readonly node: GraphNode;
  readonly budget: Budget;
  readonly context: PruneContext;
  /** Tokens of the prompt before anything was let go of. */
  readonly before: number;
}

export type Measurer = (prompt: Prompt) => Promise<Measure>;
