// An agent: a graph with the policy, the tools and the words it works with, as data from the settings.
import { defaultPolicy, type Policy } from '../prompt/budget.ts';
import type { Retrieval } from '../prompt/knowledge.ts';
import { answering, type Graph, type GraphNode } from './graph.ts';
import { allOn, type Switches } from './mechanisms.ts';

export interface Agent {
  readonly name: string;
  /** The graph, or null to use the one that suits the model. */
  readonly graph: Graph | null;
  readonly policy: Policy;
  readonly switches: Switches;
  /** Names of the tools it has; null for all. */
  readonly tools: readonly string[] | null;
  /** Added to the system text. */
  readonly instructions: string;
  /** Whether it may change files. */
  readonly edits: boolean;
  /** The retrieval that runs before the model is asked, or null for none. */
  readonly retrieval: Retrieval | null;
  /** Name of the engine that runs its model; null for the one that the settings name for all. */
  readonly engine: string | null;
  /** Whether a model chooses for its summaries; else rules alone make them. */
  readonly summarises: boolean;
  /** Name of the engine whose model chooses; null for the one that answers. */
  readonly summariser: string | null;
}

/** Name of the engine of a node of its graph; without one, of its answers. Null for the one that the settings name for all. */
export function engineOf({ engine, graph }: Agent, node: GraphNode | null = null): string | null {
  return (node ?? (graph === null ? null : answering(graph)))?.engine ?? engine;
}

export const defaultAgent: Agent = {
  name: 'default',
  graph: null,
  policy: defaultPolicy,
  switches: allOn,
  tools: null,
  instructions: '',
  edits: false,
  retrieval: null,
  engine: null,
  summarises: false,
  summariser: null,
};
