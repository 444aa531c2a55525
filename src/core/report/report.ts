// The report: one per turn, plain JSON in tokens. It is made from the very prompt that was sent and its exact measure.
import { answering, type Graph, type GraphNode } from '../agent/graph.ts';
import type { Mechanisms, Switches } from '../agent/mechanisms.ts';
import type { Fault } from '../faults/fault.ts';
import type { CacheReuse, Generation, Prefill } from '../model/model.ts';
import type { SamplingInForce } from '../model/sampling.ts';
import type { Budget, Policy } from '../prompt/budget.ts';
import { type Layer, layers, segmentsOf } from '../prompt/prompt.ts';
import type { Fitted } from '../pruning/fitted.ts';
import type { Break } from './break.ts';
import { breakOf } from './breaks.ts';
import { type Decision, decide } from './decisions.ts';
import { type Share, sharesOf } from './shares.ts';

export interface CallReport {
  /** The node that asked; `intent`: what the message wants was asked. */
  readonly node: GraphNode['name'] | 'intent';
  /** Name of the model, where a turn asks several. */
  readonly model?: string;
  readonly promptTokens: number;
  readonly prefill: Prefill;
  readonly breakAt: Break | null;
  readonly generatedTokens: number;
  /** How many of them were thoughts; left out where none were. */
  readonly thoughtTokens?: number;
  readonly firstTokenMilliseconds: number;
  readonly generateMilliseconds: number;
}

/** The context stack as one prompt holds it. The layers' sum is the prompt's length. */
export interface StackReport {
  readonly node: GraphNode['name'];
  readonly budget: Budget;
  readonly total: number;
  /** Counted by the model's own tokenizer; otherwise estimates. */
  readonly exact: boolean;
  /** How far off the total may be, in tokens: 0 where a server counted it. Left out where it is exact, and where nobody knows. */
  readonly margin?: number;
  readonly layers: readonly { readonly layer: Layer; readonly tokens: number }[];
  /** Shares of each layer by kind; reports of earlier versions lack them. */
  readonly shares?: readonly Share[];
  readonly tools: readonly { readonly name: string; readonly tokens: number }[];
  /** The injected files and the overview: tokens as they are and as injected. */
  readonly workspace: readonly { readonly name: string; readonly raw: number; readonly injected: number }[];
  /** The summary that stands for compacted turns, section by section. */
  readonly state: readonly { readonly name: string; readonly tokens: number }[];
  readonly decisions: readonly Decision[];
}

/** The settings that shaped a turn. */
export interface InForce {
  readonly agent: string;
  readonly graph: Graph['name'];
  readonly policy: Policy;
  readonly switches: Switches;
  /** How tokens were drawn. */
  readonly sampling?: SamplingInForce;
}

/** Parts of the time of a turn, in milliseconds by the user's clock. */
export interface TurnTimes {
  readonly total: number;
  /** Up to the first word of the answer that is shown; null where none was. */
  readonly firstWord: number | null;
  readonly read: number;
  readonly written: number;
  /** Tools, and what runs for them. */
  readonly tools: number;
  /** The user's own: until questions were answered. */
  readonly asked: number;
}

/** A turn: the stack of its last prompt, and every model call it took. */
export interface Report extends StackReport {
  readonly turn: number;
  readonly end: 'done' | 'length' | 'cancelled' | 'repeats' | 'failed';
  readonly fault: Fault | null;
  readonly calls: readonly CallReport[];
  readonly inForce: InForce;
  /** Left out where nobody has a clock. */
  readonly times?: TurnTimes;
  /** Counts of the mechanisms when the turn ended; null when nobody counts, as on the command line. */
  readonly mechanisms: Mechanisms | null;
}

export function stackReport(fitted: Fitted): StackReport {
  const { prompt, measure, budget, stack, node } = fitted;
  return {
    node: node.name,
    budget,
    total: measure.total,
    exact: measure.exact,
    ...(measure.margin === undefined ? {} : { margin: measure.margin }),
    layers: layerRows(fitted),
    shares: sharesOf(fitted),
    tools: prompt.tools.map(({ name }, i) => ({ name, tokens: measure.tools[i] ?? 0 })),
    workspace: stack.workspace.map(({ name, raw, injected }) => ({ name, raw, injected })),
    state: stateRows(fitted),
    decisions: decide(fitted),
  };
}

/** The parts of a turn's set-up that a report names. */
interface Setup extends Omit<InForce, 'graph' | 'sampling'> {
  readonly graph: Graph;
  readonly sampling?: SamplingInForce;
  readonly budget: Budget;
}

/** `last` is the turn's last prompt; null when it failed before it had any. */
export function reportOf(
  turn: Pick<Report, 'turn' | 'end' | 'fault' | 'calls'>,
  setup: Setup,
  last: Fitted | null,
): Report {
  const { agent, graph, policy, switches, sampling, budget } = setup;
  const stack = last === null ? emptyStack(budget, answering(graph).name) : stackReport(last);
  const drawn = sampling === undefined ? {} : { sampling };
  const inForce: InForce = { agent, graph: graph.name, policy, switches, ...drawn };
  return { ...turn, ...stack, inForce, mechanisms: null };
}

function emptyStack(budget: Budget, node: GraphNode['name']): StackReport {
  return { node, budget, total: 0, exact: true, layers: [], tools: [], workspace: [], state: [], decisions: [] };
}

/** `begun`: the slot may have had a prompt of this conversation before. */
export function callReport(
  fitted: Fitted,
  generation: Generation,
  { cache, model }: { readonly cache: { readonly reuse: CacheReuse }; readonly model?: string },
  begun: boolean,
): CallReport {
  return {
    node: fitted.node.name,
    ...(model === undefined ? {} : { model }),
    promptTokens: fitted.measure.total,
    prefill: generation.prefill,
    breakAt: breakOf(fitted, generation, { reuse: cache.reuse, begun }),
    generatedTokens: generation.generated.ids.length - begunTokens(fitted),
    ...(generation.thoughtTokens === undefined ? {} : { thoughtTokens: generation.thoughtTokens }),
    firstTokenMilliseconds: generation.firstTokenMilliseconds,
    generateMilliseconds: generation.generateMilliseconds,
  };
}

/** Tokens of the begun message that the call continued, in its prompt. */
function begunTokens({ prompt, measure }: Fitted): number {
  return prompt.continues === true ? (measure.segments.at(-1) ?? 0) : 0;
}

function stateRows({ prompt, measure }: Fitted): StackReport['state'] {
  return segmentsOf(prompt).flatMap(({ layer, name = '' }, i) =>
    layer === 'state' ? [{ name, tokens: measure.segments[i] ?? 0 }] : [],
  );
}

/** Tokens by layer. The rows add up to the measured total. */
export function layerRows(fitted: Fitted): Report['layers'] {
  const rows = new Map<Layer, number>(layers.map((layer) => [layer, 0]));
  const add = (layer: Layer, tokens: number) => rows.set(layer, (rows.get(layer) ?? 0) + tokens);
  segmentsOf(fitted.prompt).forEach((segment, i) => {
    add(segment.layer, fitted.measure.segments[i] ?? 0);
  });
  add(
    'tools',
    fitted.measure.tools.reduce((a, b) => a + b, 0),
  );
  add('glue', fitted.measure.glue);
  return [...rows].map(([layer, tokens]) => ({ layer, tokens }));
}
