// A graph of the user's own, from a list of nodes: what is looked up first, who chooses tools, who answers, whether turns are compacted.
import type { Retrieval } from '../prompt/knowledge.ts';
import { type Graph, type GraphNode, guided, split, unified } from './graph.ts';

/** The jobs a node can do. `retrieve` and `summarise` ask no model in a turn: one comes before it, the other while idle. */
export const nodeKinds = ['retrieve', 'decide', 'act', 'answer', 'summarise'] as const;

export interface NodeSettings extends Partial<Retrieval> {
  readonly do: (typeof nodeKinds)[number];
  /** Added to the system text of a node that asks the model. */
  readonly instruction?: string;
  /** Whether calls and results of earlier turns stand in its prompt. */
  readonly earlierRecords?: GraphNode['earlierRecords'];
  /** Name of the engine that runs its model, where that is not the agent's. */
  readonly engine?: string;
}

export interface Composed {
  readonly graph: Graph;
  /** How what a message names is looked up first; null looks nothing up. */
  readonly retrieval: Partial<Retrieval> | null;
  readonly summarises: boolean;
  /** Name of the engine that writes summaries; null for the one that answers. */
  readonly summariser: string | null;
}

/** Says why a list of nodes makes no graph, in words that follow "because", or returns null. */
export function compositionProblem(nodes: readonly NodeSettings[]): string | null {
  const kinds = nodes.map((node) => node.do);
  const askers = kinds.filter(isAsking);
  if (new Set(kinds).size < kinds.length) return 'its graph has a node twice';
  if (kinds.indexOf('retrieve') > 0) return 'its graph retrieves after the model was asked; "retrieve" comes first';
  if (kinds.includes('summarise') && kinds.at(-1) !== 'summarise')
    return 'its graph summarises before it answers; "summarise" comes last';
  if (askers.includes('act') && askers.includes('answer'))
    return 'its graph has two nodes that answer; it takes "act" or "answer"';
  if (askers.length === 0 || askers.at(-1) === 'decide')
    return 'its graph ends without an answer; it needs "act" or "answer" behind what it looks up';
  for (const { do: kind, instruction, earlierRecords, engine, ...retrieval } of nodes) {
    if (kind === 'retrieve' && engine !== undefined)
      return '"retrieve" in its graph asks no model, so it takes no engine';
    if (!isAsking(kind) && (instruction ?? earlierRecords) !== undefined)
      return `"${kind}" in its graph asks no model, so it takes no instruction and no earlierRecords`;
    const [named] = Object.keys(retrieval).filter((name) => !isAsking(kind) || name === 'share');
    if (kind !== 'retrieve' && named !== undefined)
      return `"${kind}" in its graph looks nothing up, so it takes no ${named}`;
  }
  return null;
}

/** The nodes that ask the model, as the shipped graphs have them. */
const asking = { decide: split.nodes[0], act: unified.nodes[0], answer: guided.nodes[0] } as const;

/** `nodes` without a problem. */
export function compose(nodes: readonly NodeSettings[]): Composed {
  const retrieve = nodes.find((node) => node.do === 'retrieve');
  const bases = nodes.flatMap((node) => (isAsking(node.do) ? [{ ...asking[node.do], said: node }] : []));
  const last = bases.at(-1)?.name ?? null;
  const summarise = nodes.find((node) => node.do === 'summarise');
  const made = bases.map(({ said, ...base }, slot): GraphNode => {
    const { earlierRecords = base.earlierRecords } = said;
    const instruction = [said.instruction ?? '', base.instruction].filter((text) => text !== '').join(' ');
    const named = said.engine === undefined ? {} : { engine: said.engine };
    const own = renderingOf(said);
    return {
      ...base,
      slot,
      instruction,
      earlierRecords,
      afterText: base.name === last ? null : last,
      ...named,
      ...own,
    };
  });
  const [first = asking.answer, ...rest] = made;
  return {
    graph: { name: 'composed', nodes: [first, ...rest] },
    retrieval: retrieve === undefined ? null : lookUpOf(retrieve),
    summarises: summarise !== undefined,
    summariser: summarise?.engine ?? null,
  };
}

function isAsking(kind: NodeSettings['do']): kind is keyof typeof asking {
  return Object.hasOwn(asking, kind);
}

/** A node's own way to word what was looked up, where it says one. */
function renderingOf({ template, placement, role }: NodeSettings): Pick<GraphNode, 'rendering'> {
  const rendering = {
    ...(typeof template === 'string' ? { template } : {}),
    ...(placement === undefined ? {} : { placement }),
    ...(role === undefined ? {} : { role }),
  };
  return Object.keys(rendering).length === 0 ? {} : { rendering };
}

function lookUpOf({ do: _, ...retrieval }: NodeSettings): Partial<Retrieval> {
  return retrieval;
}
