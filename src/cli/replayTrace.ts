// Replays a recorded trace through the real projection and engine. The recorded assistant speaks instead of the model.
import { budgetFor, defaultPolicy } from '../core/budget.ts';
import { callKey } from '../core/callTools.ts';
import { emptyDialog } from '../core/dialog.ts';
import { FaultError } from '../core/faults.ts';
import { fitAhead } from '../core/fitPrompt.ts';
import { nothingHeld } from '../core/held.ts';
import type { Prompt } from '../core/prompt.ts';
import { type Break, countStates, decide, type State } from '../core/report.ts';
import { systemText } from '../core/systemText.ts';
import type { Tool } from '../core/tool.ts';
import { runTurn } from '../core/turn.ts';
import type { TurnEvent, TurnSetup, TurnState } from '../core/turnPorts.ts';
import type { OpenEngine } from './engine.ts';
import { createNewTokens } from './newTokens.ts';
import type { RecordedStep, Trace } from './trace.ts';

/** One model call; all counts in tokens. reused + shifted + decoded = promptTokens. */
export interface ReplayRow {
  readonly turn: number;
  readonly call: number;
  readonly window: number;
  readonly high: number;
  readonly low: number;
  readonly promptTokens: number;
  /** From the trace: what no earlier prompt held and the slot did not generate. */
  readonly newTokens: number;
  readonly reused: number;
  readonly shifted: number;
  /** By the library's meter, on the request path, without the recorded assistant's tokens. */
  readonly decoded: number;
  /** Decoded by idle work since the call before. */
  readonly decodedIdle: number;
  readonly breakAt: Break | null;
  readonly decisions: Readonly<Record<State, number>>;
  readonly prefillMilliseconds: number;
  readonly firstTokenMilliseconds: number;
}

type Called = Extract<TurnEvent, { type: 'called' }>;

export async function replayTrace(
  trace: Trace,
  engine: OpenEngine,
  idle: boolean,
  print: (row: ReplayRow) => void,
): Promise<void> {
  const { client } = engine;
  const steps: RecordedStep[] = [];
  const results: RecordedResult[] = [];
  const model = client.model(0, { temperature: 0, seed: 1 }, () => steps.shift() ?? { text: '', calls: [] });
  const setup = setupFor(trace, engine);
  const tools = recordedTools(trace, results);
  const newTokens = createNewTokens();
  let ids = 0;
  let decodedIdle = 0;
  let state: TurnState = { dialog: emptyDialog, held: nothingHeld };
  for (const [turn, recorded] of trace.turns.entries()) {
    steps.splice(0, steps.length, ...recorded.steps);
    results.splice(0, results.length, ...recorded.steps.flatMap(resultsOf));
    let call = 0;
    const emit = (event: TurnEvent) => {
      if (event.type !== 'called') return;
      call += 1;
      print({ turn: turn + 1, call, ...rowOf(event, setup, newTokens(event.fitted)), decodedIdle });
      decodedIdle = 0;
    };
    const ports = { model, tools, newId: () => `i${++ids}`, emit };
    const outcome = await runTurn(state, recorded.user, setup, ports, new AbortController().signal);
    if (outcome.report.fault !== null) throw new FaultError(outcome.report.fault);
    state = outcome;
    if (idle) ({ state, decoded: decodedIdle } = await warm(engine, setup, state));
  }
}

function setupFor(trace: Trace, { info }: OpenEngine): TurnSetup {
  // The trace decides how many rounds a turn has.
  const policy = { ...defaultPolicy, maxToolRounds: Number.MAX_SAFE_INTEGER };
  const system = trace.system === '' ? systemText({ folders: [], date: '2026-01-01' }) : trace.system;
  const listed = trace.tools.length > 0 ? trace.tools : recordedTools(trace, []).map(({ schema }) => schema);
  const tools = info.toolCalls.format === 'none' ? [] : listed;
  const syntax = info.toolCalls.format === 'none' ? null : info.toolCalls.syntax;
  return { stack: { system, tools }, policy, budget: budgetFor(info.contextSize, policy), syntax };
}

interface RecordedResult {
  /** Of the call it answers: one that the turn answers from an earlier result does not take the next one's. */
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
    run: async (args) => {
      const key = callKey({ name, arguments: args });
      const at = results.findIndex((result) => result.key === key);
      const [{ text: body } = { text: '' }] = at < 0 ? [] : results.splice(at, 1);
      return { ok: true, head: `${name}: ${body.split('\n').length} lines, ${body.length} characters:`, body };
    },
  }));
}

async function warm({ client }: OpenEngine, setup: TurnSetup, state: TurnState) {
  const measurer = (prompt: Prompt) => client.request('measure', { prompt });
  const { prompt, held } = await fitAhead({ ...setup, path: state.dialog.path, held: state.held }, measurer);
  const { prefill } = await client.request('warm', { slot: 0, prompt });
  return { state: { ...state, held }, decoded: prefill.decoded };
}

function rowOf({ fitted, call }: Called, { budget }: TurnSetup, newTokens: number) {
  const { window, high, low } = budget;
  const { reused, shifted, decoded, milliseconds } = call.prefill;
  return {
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
