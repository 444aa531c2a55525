// The turn loop: user message -> nodes of the graph, with tool rounds -> answer. It ends exactly once, with exactly one report, and never throws.

import { answering, type GraphNode, nodeAfter } from '../agent/graph.ts';
import { answerIntent, type Intent, isUndecided } from '../agent/intent.ts';
import { compacts } from '../agent/mechanisms.ts';
import { placeCalls } from '../calls/place.ts';
import { type Said, saidOf } from '../calls/read.ts';
import { saidOn } from '../dialog/day.ts';
import { append, type Dialog, type Item } from '../dialog/dialog.ts';
import type { Quotable } from '../dialog/quotable.ts';
import type { Signal, ToolSchema } from '../dialog/tool.ts';
import { faultOf } from '../faults/faults.ts';
import type { Generation, Model, PrefillProgress } from '../model/model.ts';
import { budgetFor, leastToldWindow, thoughtsWithin } from '../prompt/budget.ts';
import { emergency, emergencyText } from '../pruning/emergency.ts';
import { type FitRequest, fitPrompt } from '../pruning/fitPrompt.ts';
import type { Fitted } from '../pruning/fitted.ts';
import { currentStart, type PruneState, pruneStateOf, pruneStates } from '../pruning/pruneState.ts';
import { type CallReport, callReport, type Report, reportOf } from '../report/report.ts';
import { askAct } from './askAct.ts';
import { answeredAbove, runRound } from './callTools.ts';
import { answerItem, closeTurn, endOfFault } from './closeTurn.ts';
import { type BegunAnswer, continued } from './continuing.ts';
import { filesKnown } from './gate.ts';
import { readAs, setupFor } from './setupFor.ts';
import type { NewItem, TurnOutcome, TurnPorts, TurnSetup, TurnState, UserMessage } from './turnPorts.ts';

export async function runTurn(
  state: TurnState,
  opening: UserMessage | BegunAnswer,
  setup: TurnSetup,
  ports: TurnPorts,
  signal: Signal,
): Promise<TurnOutcome> {
  const begun = 'raw' in opening ? opening : null;
  const run = new TurnRun({ ...state, dialog: begun?.before ?? state.dialog }, setup, ports, signal, begun);
  try {
    if (!('raw' in opening)) await run.begin(opening, state.dialog.path);
    return run.finish(await run.rounds(), null);
  } catch (error) {
    return run.fail(faultOf(error));
  }
}

/** The lifetime of a turn: the dialog as it grows, each slot's pruned items, and the calls made. */
class TurnRun {
  private dialog: Dialog;
  private readonly pruned: PruneState[];
  private last: Fitted | null = null;
  private node: GraphNode;
  private partial: Said = { text: '' };
  private intent: Intent | null = null;
  private readonly calls: CallReport[] = [];
  private readonly setup: TurnSetup;
  private readonly ports: TurnPorts;
  private readonly signal: Signal;
  /** The answer to go on with, until the model has. */
  private begun: BegunAnswer | null;
  private readonly nodeSetup = () => setupFor(this.setup, this.node.slot);

  constructor(state: TurnState, setup: TurnSetup, ports: TurnPorts, signal: Signal, begun: BegunAnswer | null) {
    this.dialog = state.dialog;
    this.pruned = pruneStates(state.pruned, setup.graph.nodes.length);
    this.node = begun === null ? setup.graph.nodes[0] : answering(setup.graph);
    this.begun = begun;
    this.setup = setup;
    this.ports = ports;
    this.signal = signal;
  }

  add(item: NewItem): void {
    const placed: Item = { ...item, id: this.ports.newId(), parent: this.dialog.head };
    this.dialog = append(this.dialog, placed);
    this.ports.emit({ type: 'appended', item: placed });
  }

  /** Adds the user's message, what stands beside it, and the note that it takes. */
  async begin({ attachments, intent = answerIntent, ...said }: UserMessage, path: readonly Item[]): Promise<void> {
    const { ports, signal } = this;
    this.add(saidOn(said, path));
    const asksFirst = ports.asksAct !== 'last';
    if (asksFirst) await this.intend(intent, said.text);
    // A command that is known needs nothing from the folder.
    const found = this.runsCommand() ? undefined : await ports.retrieve?.(said.text, signal);
    const { knowledge = null, passages = [] } = found ?? {};
    if (knowledge !== null) this.add(knowledge);
    const beside = [...attachments, ...passages];
    for (const attachment of beside) this.add({ origin: 'attachment', ...attachment });
    if (!asksFirst) await this.intend(intent, said.text);
    const words = ports.note?.(said.text, this.intent ?? intent, beside) ?? '';
    if (words !== '') this.add({ origin: 'note', text: words });
  }

  /** Finds out what the message wants. */
  private async intend(intent: Intent, words: string): Promise<void> {
    const { dialog, node, ports, signal } = this;
    const pruned = pruneStateOf(this.pruned, node.slot);
    const { intent: decided, asked } = await intend(intent, {
      ...{ dialog, words, pruned, node, ports, signal },
      setup: this.nodeSetup(),
    });
    this.intent = decided;
    for (const one of asked) {
      this.calls.push(one.call);
      ports.emit({ type: 'called', ...one });
    }
    ports.emit({ type: 'intended', intent: decided });
  }

  async rounds(): Promise<Report['end']> {
    const { graph, policy, stack } = this.setup;
    if (this.runsCommand()) {
      this.add({ origin: 'assistant', text: `\`\`\`sh\n${this.intent?.command}\n\`\`\``, end: 'done' });
      return 'done';
    }
    for (let round = 0; ; ) {
      const isOver = this.nodeSetup().syntax === null || stack.tools.length === 0 || round >= policy.maxToolRounds;
      // A node that may only choose has nothing to choose from.
      if (isOver && this.node.afterText !== null) this.node = answering(graph);
      const known = this.node.calls === 'none' ? [] : stack.tools;
      const offered = isOver ? [] : known;
      const turnStart = this.begun === null && this.calls.every((call) => call.node !== this.node.name);
      const generation = await this.generate({ node: this.node, turnStart, known, offered });
      if (generation.stop === 'cancelled') return this.conclude(generation, known);
      const { calls, open, dressed, ...said } = readAs(this.nodeSetup(), generation.raw, true, offered);
      if (calls.length > 0 && offered.length > 0) {
        const placed = placeCalls(calls, stack.tools, this.ports.newId);
        this.add({ origin: 'call', ...said, calls: placed, ...(open ? {} : { generated: generation.generated }) });
        const before = { path: this.dialog.path, pruned: pruneStateOf(this.pruned, this.node.slot) };
        const { results, isNew } = await runRound(placed, before, { ...this.ports, dressed, signal: this.signal });
        for (const result of results) this.add(result);
        if (this.signal.aborted) return this.conclude(null, []);
        round = isNew ? round + 1 : policy.maxToolRounds;
        if (round === policy.maxToolRounds) this.add({ origin: 'note', text: directiveFor(this.dialog.path) });
        this.node = nodeAfter(graph, this.node.afterCalls);
      } else if (this.node.afterText === null) return this.conclude(generation, known);
      else this.node = nodeAfter(graph, this.node.afterText);
    }
  }

  /** The model has nothing to add to a command that is known: its line is the answer. */
  private runsCommand(): boolean {
    const { act, command = '' } = this.intent ?? {};
    return (act === 'run' || act === 'fix') && command !== '' && this.ports.runs === true;
  }

  private async generate(asked: CallRequest): Promise<Generation> {
    const { slot, afterText } = asked.node;
    const { begun } = this;
    let raw = '';
    const caller = {
      ...{ setup: this.nodeSetup(), begun, ports: this.ports, signal: this.signal },
      last: this.last,
      pruned: pruneStateOf(this.pruned, slot),
      path: () => this.dialog.path,
      add: (item: NewItem) => this.add(item),
      fitted: (fitted: Fitted) => {
        [raw, this.pruned[slot], this.last] = [begun?.raw ?? '', fitted.pruned, fitted];
      },
      onText: (text: string) => {
        raw += text;
        this.begun = null;
        if (afterText !== null) return; // A choice is no answer: nothing of it is shown.
        this.partial = saidOf(readAs(this.nodeSetup(), raw, false, asked.known));
        this.ports.emit({ type: 'text', ...this.partial });
      },
    };
    const { fitted, generation } = await callModel(this.ports.model(slot), caller, asked);
    const call = callReport(fitted, generation, this.nodeSetup(), begun !== null || this.dialog.turns > 1);
    this.calls.push(call);
    this.ports.emit({ type: 'called', fitted, call });
    this.partial = { text: '' };
    if (generation.stop === 'end') this.begun = null;
    return generation;
  }

  /** Ends the turn with the answer that was generated, whole or stopped; null when none was begun. */
  private conclude(generation: Generation | null, known: CallRequest['known']): Report['end'] {
    if (this.begun !== null) return 'cancelled';
    const item = answerItem(this.nodeSetup(), this.node.afterText === null ? generation : null, known);
    this.add(item);
    return item.end;
  }

  fail(fault: Report['fault']): TurnOutcome {
    try {
      if (this.begun === null) for (const item of closeTurn(this.dialog.path, this.partial)) this.add(item);
    } catch {
      // The listener itself may be what failed; the report still says so, once.
    }
    return this.finish(...endOfFault(fault, this.signal));
  }

  finish(end: Report['end'], fault: Report['fault']): TurnOutcome {
    const { pruned, calls, setup } = this;
    // Nothing was added to the answer: it stays as it was.
    const dialog = this.begun?.former ?? this.dialog;
    const report = reportOf({ turn: dialog.turns, end, fault, calls }, setup, this.last);
    return { dialog, pruned, stack: this.last?.stack ?? setup.stack, intent: this.intent, report };
  }
}

// The directive at the end of the last tool result, for a model that must answer now.

/** Said at the end of the last tool result when no round is left. */
function directiveFor(path: readonly Item[]): string {
  const turn = path.slice(currentStart(path));
  const heads = turn.flatMap((item) => (item.origin === 'result' ? [item.head] : []));
  return directiveText(
    heads.filter((head) => !head.startsWith(answeredAbove)).map((head) => head.replace(/[:.]$/, '')),
  );
}

export function directiveText(queries: readonly string[]): string {
  const looked = queries.length === 0 ? '' : ` Already looked up: ${queries.join('; ')}.`;
  return `Respond using the tool results already in the conversation.${looked}`;
}

// Decides what the message of a turn wants, where facts did not: the model is asked behind the message, and that call is one of the turn's.

interface Intending {
  readonly dialog: Dialog;
  /** The message's. */
  readonly words: string;
  readonly pruned: PruneState;
  readonly node: GraphNode;
  readonly setup: TurnSetup;
  readonly ports: Pick<TurnPorts, 'model' | 'asksAct'>;
  readonly signal: Signal;
}

interface Intended {
  readonly intent: Intent;
  /** The calls that decided it. */
  readonly asked: readonly { readonly fitted: Fitted; readonly call: CallReport }[];
}

/** Rejects with a FaultError where the engine fails. */
async function intend(intent: Intent, turn: Intending): Promise<Intended> {
  const { dialog, words, pruned, node, setup, ports, signal } = turn;
  if (!isUndecided(intent) || (ports.asksAct ?? 'never') === 'never' || signal.aborted) return { intent, asked: [] };
  const model = ports.model(node.slot);
  const { erases, reuse } = setup.cache;
  const request = { ...setup, path: dialog.path, pruned, node, erases, turnStart: true };
  const fitted = await fitPrompt(request, (prompt) => model.measure(prompt));
  const { act, generations } = await askAct(model, { prompt: fitted.prompt, words, intent }, reuse, signal);
  const asked = generations.map((generation) => {
    const call = { ...callReport(fitted, generation, setup, dialog.turns > 1), node: 'intent' } as const;
    return { fitted, call };
  });
  return { intent: act === null ? intent : { ...intent, act, by: 'model' }, asked };
}

// A model call: fits the prompt and generates, and tries again after an emergency trim as long as the engine reports a full context and
// anything is left to remove.

/** Most of an answer's tokens that may be thoughts where nobody can switch them, as a share: the rest is for the answer itself. */
const thoughtShare = 0.5;

/** The node that runs, and what is special about its next call. */
interface CallRequest {
  readonly node: GraphNode;
  readonly turnStart: boolean;
  /** Tools in its prompt, whose calls are read. */
  readonly known: readonly ToolSchema[];
  /** Tools that may be called now. */
  readonly offered: readonly ToolSchema[];
}

/** The turn as one call sees it. */
interface Caller {
  readonly setup: TurnSetup;
  /** The prompt of the call before: its stack is kept, and a window that was learned. */
  readonly last: Fitted | null;
  readonly pruned: PruneState;
  readonly path: () => readonly Item[];
  /** The answer that the call goes on with. */
  readonly begun: BegunAnswer | null;
  readonly add: (item: NewItem) => void;
  readonly ports: Pick<TurnPorts, 'newId' | 'emit' | 'tools' | 'drawn'>;
  readonly fitted: (fitted: Fitted) => void;
  readonly onText: (text: string) => void;
  readonly signal: Signal;
}

interface Called {
  readonly fitted: Fitted;
  readonly generation: Generation;
}

async function callModel(model: Model, caller: Caller, asked: CallRequest): Promise<Called> {
  const { setup, pruned, last } = caller;
  const { budget } = last?.node.slot === asked.node.slot ? last : setup;
  let fitted = await fitFor(model, caller, { stack: last?.stack ?? setup.stack, pruned, budget }, asked);
  let isLearned = false;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await generate(model, caller, fitted, asked);
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind !== 'doesNotFit') throw error;
      const { window } = fault;
      // A server's window is known for certain only once it refuses a prompt: one that names another each time is heard once.
      if (!isLearned && window >= leastToldWindow && window < fitted.budget.window) {
        isLearned = true;
        const learned = { ...fitted, budget: budgetFor(window, setup.policy, setup.thoughtTokens) };
        fitted = await fitFor(model, caller, learned, { ...asked, turnStart: false });
        continue;
      }
      const left = emergency(fitted.context, fitted.pruned);
      if (left === fitted.pruned) throw error;
      // A note in front of an answer that was begun would be none of its own.
      if (isFirst && caller.begun === null) caller.add({ origin: 'note', text: emergencyText });
      fitted = await fitFor(model, caller, { ...fitted, pruned: left }, { ...asked, turnStart: false });
    }
  }
}

type From = Pick<Fitted, 'stack' | 'pruned' | 'budget'>;

async function fitFor(model: Model, caller: Caller, from: From, { node, turnStart }: CallRequest): Promise<Fitted> {
  const { stack, pruned, budget } = from;
  const { switches } = caller.setup;
  const compactionId = compacts(switches, budget.window) ? caller.ports.newId() : null;
  const { erases } = caller.setup.cache;
  const { begun } = caller;
  const request: FitRequest = {
    ...caller.setup,
    ...{ stack, budget, path: caller.path(), pruned, node, turnStart, compactionId, erases },
    ...(begun !== null && { continued: (prompt) => continued(prompt, begun) }),
  };
  const fitted = await fitPrompt(request, (prompt) => model.measure(prompt));
  caller.fitted(fitted);
  return fitted;
}

async function generate(model: Model, caller: Caller, fitted: Fitted, { node, offered }: CallRequest): Promise<Called> {
  const toolCalls = offered.length > 0 ? node.calls : 'none';
  const { drawn } = caller.ports;
  const maxTokens = Math.min(fitted.budget.reserve, drawn?.maxTokens ?? Number.POSITIVE_INFINITY);
  const { cache, policy, thoughtTokens: wanted } = caller.setup;
  const { reuse } = cache;
  const thoughtTokens =
    wanted === undefined ? Math.floor(maxTokens * thoughtShare) : thoughtsWithin(fitted.budget, policy, wanted);
  const quotable = await quotableNow(offered, caller, fitted.pruned);
  const how =
    drawn === undefined
      ? { toolCalls, reuse, ...quotable }
      : { toolCalls: 'none' as const, reuse, grammar: drawn.grammar };
  const request = { prompt: fitted.prompt, maxTokens, thoughtTokens, ...how };
  const onPrefill = (progress: PrefillProgress) => caller.ports.emit({ type: 'prefilling', progress });
  const generation = await model.generate(request, caller.onText, caller.signal, onPrefill);
  const { thinking } = fitted.prompt;
  if (thinking === undefined) return { fitted, generation };
  return { fitted, generation: { ...generation, generated: { ...generation.generated, thinking } } };
}

/** Texts that the offered tools' calls could quote now. */
async function quotableNow(
  offered: CallRequest['offered'],
  { ports, path }: Caller,
  pruned: PruneState,
): Promise<{ readonly quotable?: Quotable }> {
  const source = ports.tools
    .flatMap((tool) => (tool.effect !== 'read' && named(offered, tool.schema.name) ? [tool.deeds] : []))
    .find((one) => one.quotable !== undefined);
  const quotable = (await source?.quotable?.(filesKnown(path(), pruned))) ?? null;
  return quotable === null ? {} : { quotable };
}

function named(offered: CallRequest['offered'], name: string): boolean {
  return offered.some((one) => one.name === name);
}
