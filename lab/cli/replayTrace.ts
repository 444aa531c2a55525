// Replays a recorded trace through the real projection and engine. The recorded assistant speaks instead of the model.

import { answering, type Graph, type GraphNode } from '../../src/core/agent/graph.ts';
import { nothingFailing, nothingNamed } from '../../src/core/agent/intent.ts';
import { compacts, type Switches } from '../../src/core/agent/mechanisms.ts';
import { makeCompaction } from '../../src/core/compaction/makeCompaction.ts';
import { emptyDialog } from '../../src/core/dialog/dialog.ts';
import { noMarks } from '../../src/core/dialog/marks.ts';
import type { Tool } from '../../src/core/dialog/tool.ts';
import { FaultError } from '../../src/core/faults/faults.ts';
import { type CacheReuse, decline, type Model } from '../../src/core/model/model.ts';
import type { Policy } from '../../src/core/prompt/budget.ts';
import { nothingFound } from '../../src/core/prompt/found.ts';
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import { fitAhead } from '../../src/core/pruning/fitPrompt.ts';
import { pruneStateOf } from '../../src/core/pruning/pruneState.ts';
import type { Break } from '../../src/core/report/break.ts';
import { countStates, decide, type State } from '../../src/core/report/decisions.ts';
import { growthOf, headroomFor, settlingFor } from '../../src/core/turn/cache.ts';
import { callKey } from '../../src/core/turn/callTools.ts';
import { runTurn } from '../../src/core/turn/turn.ts';
import type { TurnEvent, TurnSetup, TurnState } from '../../src/core/turn/turnPorts.ts';
import { IdleCompactions } from '../../src/core/turn/whatIf.ts';
import { concealLines } from '../../src/secrets/lines.ts';
import type { OpenEngine } from './engine.ts';
import { openHeadless } from './headless.ts';
import { defaultSettings } from './settings.ts';
import { createNewTokens } from './trace/newTokens.ts';
import type { RecordedStep, Trace } from './trace/trace.ts';

/** A single model call; all counts in tokens. reused + shifted + decoded = promptTokens. */
export interface ReplayRow {
  readonly node: string;
  readonly turn: number;
  readonly call: number;
  readonly window: number;
  readonly high: number;
  readonly low: number;
  readonly promptTokens: number;
  /** From the trace: tokens that no earlier prompt had and the slot did not generate. */
  readonly newTokens: number;
  readonly reused: number;
  readonly shifted: number;
  /** Tokens decoded on the request path, by the library's meter, without those of the recorded assistant. */
  readonly decoded: number;
  /** Decoded by idle work since the call before. */
  readonly decodedIdle: number;
  readonly breakAt: Break | null;
  readonly decisions: Readonly<Record<State, number>>;
  readonly prefillMilliseconds: number;
  readonly firstTokenMilliseconds: number;
}

type Called = Extract<TurnEvent, { type: 'called' }>;

export interface ReplayOptions {
  readonly graph: Graph;
  /** Compact turns and warm the slots between turns, as the editor does. */
  readonly idle: boolean;
  readonly policy?: Partial<Policy>;
  readonly reuse?: CacheReuse;
  /** Whether old turns are compacted by rules or dropped. */
  readonly compaction?: Switches['compaction'];
}

export async function replayTrace(
  trace: Trace,
  engine: OpenEngine,
  options: ReplayOptions,
  print: (row: ReplayRow) => void,
): Promise<{ readonly state: TurnState; readonly setup: TurnSetup }> {
  const steps: RecordedStep[] = [];
  const results: RecordedResult[] = [];
  const setup = await setupFor(trace, engine, options);
  const tools = recordedTools(trace, results);
  const newTokens = setup.graph.nodes.map(createNewTokens);
  const grown: number[] = [];
  const decodedIdle = setup.graph.nodes.map(() => 0);
  const approximate = setup.graph.nodes.map(() => 0);
  const compactions = new IdleCompactions();
  let ids = 0;
  let state: TurnState = { dialog: emptyDialog, pruned: [] };
  for (const [turn, recorded] of trace.turns.entries()) {
    steps.splice(0, steps.length, ...recorded.steps);
    results.splice(0, results.length, ...recorded.steps.flatMap(resultsOf));
    let call = 0;
    const emit = (event: TurnEvent) => {
      if (event.type !== 'called') return;
      const { slot } = event.fitted.node;
      call += 1;
      const counted = newTokens[slot]?.(event.fitted) ?? 0;
      print({ turn: turn + 1, call, ...rowOf(event, setup, counted), decodedIdle: decodedIdle[slot] ?? 0 });
      decodedIdle[slot] = 0;
      approximate[slot] = event.call.prefill.approximate;
    };
    const model = (slot: number) => recordedModel(engine, setup.graph, slot, steps);
    const ports = { model, tools, conceal: concealLines, newId: () => `i${++ids}`, emit };
    const message = { text: recorded.user, attachments: [] };
    const outcome = await runTurn(state, message, setup, ports, new AbortController().signal);
    if (outcome.report.fault !== null) throw new FaultError(outcome.report.fault);
    state = outcome;
    grown.push(growthOf(outcome.report));
    if (!options.idle) continue;
    state = await compact(engine, setup, state, compactions);
    state = await warm(engine, setup, state, { decodedIdle, approximate, grown });
  }
  return { state, setup };
}

/** Says what the trace's assistant said; a node that only chooses says that it declines where an answer comes next. */
function recordedModel({ client }: OpenEngine, graph: Graph, slot: number, steps: RecordedStep[]): Model {
  const chooses = graph.nodes.some((node) => node.slot === slot && node.afterText !== null);
  return client.model(slot, { temperature: 0, seed: 1 }, () => {
    if (chooses && (steps[0]?.calls.length ?? 0) === 0) return { text: decline, calls: [] };
    return steps.shift() ?? { text: '', calls: [] };
  });
}

const nothingRecorded = { ok: false, head: 'Nothing was recorded.', body: '' };

/** Plans a turn of the dialog as the product does: only the head is the recorded one, as far as the trace has it. */
async function setupFor(trace: Trace, engine: OpenEngine, options: ReplayOptions): Promise<TurnSetup> {
  const { chat: usual, ...settings } = defaultSettings();
  const { switches } = usual.agent;
  const { graph, reuse = usual.reuse, compaction = switches.compaction } = options;
  // The trace decides how many rounds a turn has.
  const policy = { ...usual.agent.policy, maxToolRounds: Number.MAX_SAFE_INTEGER, ...options.policy };
  const agent = { ...usual.agent, name: 'replay', graph, policy, switches: { ...switches, compaction } };
  const called = recordedTools(trace, []);
  const listed = trace.tools.length > 0 ? trace.tools : called.map(({ schema }) => schema);
  const tools = listed.map((schema): Tool => ({ schema, effect: 'read', run: async () => nothingRecorded }));
  // A dialog that was recorded has no folder, and the same day each time.
  const nowhere = {
    workspace: { folders: [], unsaved: () => [] },
    finding: {
      find: async () => nothingFound,
      named: async () => nothingNamed,
      failing: async () => nothingFailing,
      map: async () => [],
    },
    now: () => new Date(0),
  };
  const chat = { ...usual, agent, reuse };
  const plan = await openHeadless({ ...nowhere, engine, settings: { ...settings, chat }, tools }).plan();
  const { stack, syntax } = plan.setup;
  const head = {
    ...stack,
    system: trace.system === '' ? stack.system : trace.system,
    tools: syntax === null ? [] : listed,
  };
  return { ...plan.setup, stack: head, marks: noMarks };
}

interface RecordedResult {
  /** The key of the call it answers: one that the turn answers from an earlier result does not take the next one's. */
  readonly key: string;
  readonly text: string;
}

function resultsOf({ calls, results }: RecordedStep): readonly RecordedResult[] {
  return calls.map((call, i) => ({ key: callKey(call), text: results[i] ?? '' }));
}

/** The tools the trace calls; each call is answered with its next recorded result. */
function recordedTools(trace: Trace, results: RecordedResult[]): readonly Tool[] {
  const called = trace.turns.flatMap((turn) => turn.steps.flatMap((step) => step.calls.map(({ name }) => name)));
  return [...new Set(called)].map((name) => ({
    schema: { name, description: '', parameters: { type: 'object', properties: {}, required: [] } },
    effect: 'read',
    run: async (args) => {
      const key = callKey({ name, arguments: args });
      const at = results.findIndex((result) => result.key === key);
      const [{ text: body } = { text: '' }] = at < 0 ? [] : results.splice(at, 1);
      return { ok: true, head: `${name}: ${body.split('\n').length} lines, ${body.length} characters:`, body };
    },
  }));
}

/** Counts of the idle work, by slot. */
interface Idled {
  readonly decodedIdle: number[];
  /** Tokens of its last prompt that were moved up. */
  readonly approximate: readonly number[];
  readonly grown: readonly number[];
}

async function compact(
  { client }: OpenEngine,
  setup: TurnSetup,
  state: TurnState,
  compactions: IdleCompactions,
): Promise<TurnState> {
  if (!compacts(setup.switches, setup.budget.window)) return state;
  const measurer = (prompt: Prompt) => client.measure(prompt);
  const { path, turns } = state.dialog;
  const at = (node: GraphNode) => {
    return { ...setup, path, pruned: pruneStateOf(state.pruned, node.slot), node, erases: setup.cache.erases };
  };
  const answers = answering(setup.graph);
  const made = await compactions.run(at(answers), `idle compaction ${path.length}`, turns, measurer);
  if (made === null) return state;
  const pruned = [...state.pruned];
  for (const node of setup.graph.nodes) {
    const fitted = node.slot === answers.slot ? made.fitted : await makeCompaction(at(node), made.plan, measurer);
    pruned[node.slot] = fitted.pruned;
  }
  return { ...state, pruned };
}

async function warm(
  { client }: OpenEngine,
  setup: TurnSetup,
  state: TurnState,
  { decodedIdle, approximate, grown }: Idled,
): Promise<TurnState> {
  const measurer = (prompt: Prompt) => client.measure(prompt);
  const pruned = [...state.pruned];
  for (const node of setup.graph.nodes) {
    const compactionId = compacts(setup.switches, setup.budget.window)
      ? `idle ${state.dialog.path.length} ${node.slot}`
      : null;
    const { erases, reuse } = setup.cache;
    const headroom = compactionId === null ? headroomFor(setup.cache, grown, setup.budget) : 0;
    const request = {
      ...setup,
      path: state.dialog.path,
      pruned: pruneStateOf(pruned, node.slot),
      node,
      compactionId,
      erases,
      headroom,
      ...settlingFor(setup.cache, approximate[node.slot] ?? 0),
    };
    const fitted = await fitAhead(request, measurer);
    pruned[node.slot] = fitted.pruned;
    const { prefill } = await client.request('warm', {
      slot: node.slot,
      prompt: fitted.prompt,
      reuse,
      settleMilliseconds: Number.POSITIVE_INFINITY,
    });
    decodedIdle[node.slot] = prefill.decoded;
  }
  return { ...state, pruned };
}

function rowOf({ fitted, call }: Called, { budget }: TurnSetup, newTokens: number) {
  const { window, high, low } = budget;
  const { reused, shifted, decoded, milliseconds } = call.prefill;
  return {
    node: call.node,
    window,
    high,
    low,
    promptTokens: call.promptTokens,
    newTokens,
    reused,
    shifted,
    decoded,
    breakAt: call.breakAt,
    decisions: countStates(decide(fitted)),
    prefillMilliseconds: tenths(milliseconds),
    firstTokenMilliseconds: tenths(call.firstTokenMilliseconds),
  };
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
