// Graphs: which roles an agent plays in a turn, as data. Each generating node has its own projection and its own slot.
import { decline, type ToolCallMode } from '../model/model.ts';
import type { Rendering } from '../prompt/knowledge.ts';

/** A node that generates. What comes before it, retrieving, and while idle, summarising, is the same for all graphs. */
export interface GraphNode {
  readonly name: 'act' | 'decide' | 'answer' | 'summarise';
  /** Index of the sequence that keeps its KV state. */
  readonly slot: number;
  /** Whether the prompt has tool schemas, and what the model may do with them. */
  readonly calls: ToolCallMode;
  /** Whether calls and results of earlier turns stand in the prompt. */
  readonly earlierRecords: 'shown' | 'withheld';
  /** Added to the system text. */
  readonly instruction: string;
  /** Who goes on once tools have answered, and once there is nothing more to call; null is the end of the turn. */
  readonly afterCalls: GraphNode['name'] | null;
  readonly afterText: GraphNode['name'] | null;
  /** How what was looked up stands in its prompt; left out where it is as the agent says. */
  readonly rendering?: Partial<Rendering>;
  /** Name of the engine that runs its model; left out where it is the agent's. */
  readonly engine?: string;
}

export interface Graph {
  /** `composed`: of the user's own nodes. */
  readonly name: 'unified' | 'guided' | 'split' | 'composed';
  /** The first generates first. The last one answers. */
  readonly nodes: readonly [GraphNode, ...GraphNode[]];
}

/** A single node and slot with the tools in every prompt, asked until it answers. */
export const unified: Graph = {
  name: 'unified',
  nodes: [
    {
      name: 'act',
      slot: 0,
      calls: 'auto',
      earlierRecords: 'shown',
      instruction: '',
      afterCalls: 'act',
      afterText: null,
    },
  ],
};

/** For models that do not call tools: what they need is found before they are asked, and no schema stands in the prompt. */
export const guided: Graph = {
  name: 'guided',
  nodes: [
    {
      name: 'answer',
      slot: 0,
      calls: 'none',
      earlierRecords: 'shown',
      instruction: '',
      afterCalls: null,
      afterText: null,
    },
  ],
};

/** Looks more than once: one node may only choose a tool or decline, another answers and sees no schemas. */
export const split: Graph = {
  name: 'split',
  nodes: [
    {
      name: 'decide',
      slot: 0,
      calls: 'choice',
      earlierRecords: 'withheld',
      instruction: `Choose the next tool call, or say only "${decline}" when the conversation holds what is needed.`,
      afterCalls: 'decide',
      afterText: 'answer',
    },
    {
      name: 'answer',
      slot: 1,
      calls: 'none',
      earlierRecords: 'shown',
      instruction: '',
      afterCalls: null,
      afterText: null,
    },
  ],
};

/** The shipped ones. */
export const graphs: Readonly<Record<Exclude<Graph['name'], 'composed'>, Graph>> = { unified, guided, split };

/** Returns the default graph for no name, and null for an unknown name. */
export function graphNamed(name: string = unified.name): Graph | null {
  return Object.values(graphs).find((graph) => graph.name === name) ?? null;
}

/** Whether any of its nodes may call a tool. */
export function callsTools({ nodes }: Graph): boolean {
  return nodes.some(({ calls }) => calls !== 'none');
}

/** The node that answers: its prompt is the one a user wants to see. */
export function answering(graph: Graph): GraphNode {
  return graph.nodes.at(-1) ?? graph.nodes[0];
}

/** Compacts turns into a summary on the slot of the node that answers, behind the very prompt that is in it. */
export function summarising(graph: Graph): GraphNode {
  return { ...answering(graph), name: 'summarise', afterCalls: null, afterText: null };
}

/** The node of that name; the answering one where the graph names none. */
export function nodeAfter(graph: Graph, name: GraphNode['name'] | null): GraphNode {
  return graph.nodes.find((node) => node.name === name) ?? answering(graph);
}
