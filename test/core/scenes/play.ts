// Plays a made-up conversation through the real turn loop, with a simulated model per slot and recorded tools, and keeps every call.

import fc from 'fast-check';
import { createNewTokens } from '../../../lab/cli/trace/newTokens.ts';
import { type Graph, graphs, unified } from '../../../src/core/agent/graph.ts';
import { allOn } from '../../../src/core/agent/mechanisms.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import { emptyDialog, type Item } from '../../../src/core/dialog/dialog.ts';
import { type Marks, mark, noMarks } from '../../../src/core/dialog/marks.ts';
import type { LookingTool, ToolResult } from '../../../src/core/dialog/tool.ts';
import { decline } from '../../../src/core/model/model.ts';
import { budgetFor, defaultPolicy, type Policy } from '../../../src/core/prompt/budget.ts';
import { type Rendering, renderKnowledge } from '../../../src/core/prompt/knowledge.ts';
import { cacheFor } from '../../../src/core/turn/cache.ts';
import { runTurn } from '../../../src/core/turn/turn.ts';
import type { TurnEvent, TurnOutcome, TurnPorts, TurnSetup, TurnState } from '../../../src/core/turn/turnPorts.ts';
import { showAll } from './acting.ts';
import { createFakeModel, type Script } from './fakeModel.ts';

/** Sizes in characters: what the user says and attaches, what is retrieved, the bodies of each round's results, the answer. */
export interface PlannedTurn {
  readonly user: number;
  readonly attachments?: readonly number[];
  readonly knowledge?: number;
  readonly rounds: readonly (readonly number[])[];
  readonly answer: number;
  /** Marks that the user sets before this turn: an item as a share of the path, and how. */
  readonly marks?: readonly { readonly at: number; readonly as: 'pinned' | 'evicted' | 'none' }[];
}

export interface Plan {
  readonly turns: readonly PlannedTurn[];
  readonly window: number;
  readonly salt: number;
  readonly policy: Policy;
  readonly graph?: keyof typeof graphs;
  /** Whether turns are compacted instead of dropped. */
  readonly compacts?: boolean;
  readonly retrieval?: Rendering;
  /** Whether the slots erase what is let go of. */
  readonly erases?: boolean;
}

export type Called = Extract<TurnEvent, { type: 'called' }>;

export interface PlayedCall extends Called {
  readonly turn: number;
  /** First call of its turn in its slot. */
  readonly starts: boolean;
  readonly newTokens: number;
  readonly marks: Marks;
  /** The ids of the tokens that the model generated. */
  readonly ids: readonly number[];
}

export interface Played {
  readonly calls: readonly PlayedCall[];
  readonly outcomes: readonly TurnOutcome[];
  readonly setup: TurnSetup;
}

export const searchTool = (run: LookingTool['run']): LookingTool => ({
  schema: {
    name: 'search',
    description: 'Searches.',
    parameters: { type: 'object', properties: { q: { type: 'string', description: 'what' } }, required: ['q'] },
  },
  effect: 'read',
  run,
});

export function sayCall(query: string, name = 'search'): string {
  return `<tool_call>\n{"name": "${name}", "arguments": {"q": "${query}"}}\n</tool_call>`;
}

/** In every second plan the calls have an argument that is long enough to be cleared. */
function queryOf({ salt, window, policy }: Plan, mark: string, calls: number): string {
  const fits = budgetFor(window, policy).reserve >= 120 * calls;
  return salt % 2 === 0 || !fits ? mark : words(mark, 300);
}

export function found(mark: string, characters: number): ToolResult {
  return { ok: true, head: `search ${mark}: found:`, body: characters === 0 ? '' : words(`body ${mark}`, characters) };
}

/** Text of exactly this length that no other mark has (where there is space for the mark). */
export function words(mark: string, length: number): string {
  return `${mark} ${'tide and moon '.repeat(Math.ceil(length / 14))}`.slice(0, length);
}

/** A user's message with something in it that matters. */
function remark(turn: number, length: number): string {
  const kinds = [
    `Never touch lane ${turn}.`,
    `Go ahead with step ${turn}.`,
    `Let's use plan_${turn}.`,
    `TODO: look at TICKET-${turn}.`,
    `Where is tide_${turn}?`,
  ];
  return `${kinds[turn % kinds.length]} ${words(`user ${turn}`, length)}`;
}

export function setupOf(window: number, policy: Policy = defaultPolicy, graph: Graph = unified): TurnSetup {
  const tools = [searchTool(async () => found('', 0)).schema];
  const workspace = [{ name: 'AGENTS.md', text: '# AGENTS.md\nSay tide.', raw: 6, injected: 6 }];
  return {
    agent: 'test',
    graph,
    stack: { system: 'You look things up.', workspace, tools },
    policy,
    budget: budgetFor(window, policy),
    switches: { ...allOn, compaction: 'off' },
    marks: noMarks,
    cache: cacheFor('exact', false),
    syntax: hermes,
  };
}

/** Makes a node's model say the next call while it may call, then the answer; a model that only chooses declines. */
function speaker(said: string[]): Script {
  return (_, toolCalls) => {
    if (toolCalls === 'choice' && said.length <= 1) return decline;
    if (toolCalls === 'none') return said.splice(0).at(-1) ?? 'nothing';
    return said.shift() ?? 'nothing';
  };
}

export async function play(plan: Plan): Promise<Played> {
  const { turns, salt } = plan;
  const given = setupOf(plan.window, plan.policy, graphs[plan.graph ?? 'unified']);
  const switches = { ...given.switches, compaction: plan.compacts === true ? ('on' as const) : ('off' as const) };
  const cache = plan.erases === true ? cacheFor('auto', true) : given.cache;
  const setup = { ...given, switches, cache };
  const said: string[] = [];
  const bodies: number[] = [];
  let count = 0;
  const tools = [searchTool(async () => found(String(++count), bodies.shift() ?? 0))];
  const models = setup.graph.nodes.map(() => createFakeModel(speaker(said), salt));
  const newTokens = setup.graph.nodes.map(createNewTokens);
  const calls: PlayedCall[] = [];
  const outcomes: TurnOutcome[] = [];
  let state: TurnState = { dialog: emptyDialog, pruned: [] };
  let marks = noMarks;
  let ids = 0;
  for (const [turn, planned] of turns.entries()) {
    said.splice(
      0,
      said.length,
      ...planned.rounds.map((round, i) =>
        round.map((_, j) => sayCall(queryOf(plan, `q${turn}.${i}.${j}`, round.length))).join('\n'),
      ),
    );
    said.push(words(`answer ${turn}`, planned.answer));
    bodies.splice(0, bodies.length, ...planned.rounds.flat());
    marks = (planned.marks ?? []).reduce((now, { at, as }) => markAt(state.dialog.path, now, at, as), marks);
    const started = new Set<number>();
    const emit: TurnPorts['emit'] = (event) => {
      if (event.type !== 'called') return;
      const { slot } = event.fitted.node;
      const fresh = newTokens[slot]?.(event.fitted) ?? 0;
      const ids = models[slot]?.said ?? [];
      calls.push({ ...event, turn, starts: !started.has(slot), newTokens: fresh, marks, ids });
      started.add(slot);
    };
    const model: TurnPorts['model'] = (slot) => models[slot] as (typeof models)[number];
    const retrieve = async (text: string) => ({ knowledge: knowledgeOf(plan, planned, turn, text), passages: [] });
    const attachments = (planned.attachments ?? []).map((size, i) => ({
      head: `File a${turn}.${i}:`,
      body: size === 0 ? '' : words(`file ${turn}.${i}`, size),
    }));
    const text = plan.compacts === true ? remark(turn, planned.user) : words(`user ${turn}`, planned.user);
    const message = { text, attachments };
    const ports = { model, tools, conceal: showAll, retrieve, newId: () => `i${++ids}`, emit };
    const outcome = await runTurn(state, message, { ...setup, marks }, ports, new AbortController().signal);
    outcomes.push(outcome);
    state = outcome;
  }
  return { calls, outcomes, setup };
}

/** Calls of the same slot next to each other. */
export function pairsOf(calls: readonly PlayedCall[]): readonly (readonly [PlayedCall, PlayedCall])[] {
  const slots = [...new Set(calls.map(({ fitted }) => fitted.node.slot))];
  return slots.flatMap((slot) => {
    const own = calls.filter(({ fitted }) => fitted.node.slot === slot);
    return own.slice(1).map((now, i) => [own[i] as PlayedCall, now] as const);
  });
}

function knowledgeOf({ retrieval }: Plan, { knowledge = 0 }: PlannedTurn, turn: number, text: string) {
  if (knowledge === 0 || retrieval === undefined) return null;
  return renderKnowledge(retrieval, text, words(`known ${turn}`, knowledge));
}

function markAt(path: readonly Item[], marks: Marks, at: number, as: 'pinned' | 'evicted' | 'none'): Marks {
  const item = path[Math.floor(at * path.length)];
  return item === undefined ? marks : mark(marks, item.id, as);
}

const bodies = fc.array(fc.array(fc.integer({ min: 0, max: 1600 }), { minLength: 1, maxLength: 2 }), { maxLength: 4 });
const plannedTurn: fc.Arbitrary<PlannedTurn> = fc.record({
  user: fc.integer({ min: 8, max: 300 }),
  rounds: bodies,
  answer: fc.integer({ min: 1, max: 300 }),
});
// A double would nearly always be all but 0, and so the first item.
const share = fc.nat({ max: 999 }).map((n) => n / 1000);
const marks = fc.array(fc.record({ at: share, as: fc.constantFrom('pinned', 'evicted', 'none') }), { maxLength: 2 });
const richTurn: fc.Arbitrary<PlannedTurn> = fc.record({
  user: fc.integer({ min: 8, max: 300 }),
  attachments: fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 2 }),
  knowledge: fc.constantFrom(0, 0, 60, 400),
  rounds: bodies,
  answer: fc.integer({ min: 1, max: 300 }),
  marks,
});

const policyParts = {
  reserve: fc.constantFrom(64, 256, 1024),
  trimTarget: fc.constantFrom(0.5, 0.75, 0.9),
  pruneAt: fc.constantFrom(0, 0.5, 0.8),
  keepRecentToolResults: fc.integer({ min: 0, max: 3 }),
  toolResultMaxShare: fc.constantFrom(0.1, 0.3, 0.5),
  maxToolRounds: fc.integer({ min: 1, max: 6 }),
  trimMustPay: fc.constant(true),
  workspaceMaxShare: fc.constant(0.2),
  compactAt: fc.constant(0.85),
  tailShare: fc.constantFrom(0, 0.25, 0.5),
};
export const policies: fc.Arbitrary<Policy> = fc.record({
  ...policyParts,
  messageCap: fc.constant(0),
  knowledge: fc.constantFrom('sticky', 'recent'),
});
const richPolicies: fc.Arbitrary<Policy> = fc.record({
  ...policyParts,
  messageCap: fc.constantFrom(0, 0, 8, 20),
  knowledge: fc.constantFrom('sticky', 'recent', 'last'),
});
const common = {
  window: fc.integer({ min: 600, max: 2400 }),
  salt: fc.nat({ max: 50 }),
  graph: fc.constantFrom('unified', 'split') as fc.Arbitrary<keyof typeof graphs>,
};

/** Conversations that cross high water often, without anything the user decides. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  ...common,
  turns: fc.array(plannedTurn, { minLength: 1, maxLength: 14 }),
  policy: policies,
});

/** With attachments, knowledge, pins, evictions and message caps. */
export const richPlans: fc.Arbitrary<Plan> = fc.record({
  ...common,
  turns: fc.array(richTurn, { minLength: 1, maxLength: 10 }),
  policy: richPolicies,
  retrieval: fc.record({
    placement: fc.constantFrom('before', 'after', 'replace'),
    role: fc.constantFrom('user', 'user', 'system'),
    template: fc.constantFrom('Known:\n{{knowledge}}', 'Of {{message}}:\n{{knowledge}}'),
  }) as fc.Arbitrary<NonNullable<Plan['retrieval']>>,
});

/** The same with compactions. What is said holds what a summary looks for. */
export const compactingPlans: fc.Arbitrary<Plan> = fc
  .tuple(richPlans, fc.integer({ min: 6, max: 16 }))
  .map(([plan, more]) => ({ ...plan, compacts: true, turns: [...plan.turns, ...plan.turns].slice(0, more) }));
