// Runs a session's turns on the engine: sets them up, keeps what they leave, and makes the slots ready for the next one.

import { graphFor } from '../../core/abilities/abilities.ts';
import type { Agent } from '../../core/agent/agent.ts';
import { answering, type GraphNode } from '../../core/agent/graph.ts';
import { compacts, type Mechanisms } from '../../core/agent/mechanisms.ts';
import { dayInMessage, modelAgent } from '../../core/agent/modelAgent.ts';
import { dayOf } from '../../core/dialog/day.ts';
import type { Tool } from '../../core/dialog/tool.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { noPace, type Pace, paced, predicted } from '../../core/kv/pace.ts';
import type { Prefill } from '../../core/model/model.ts';
import { type Budget, budgetFor } from '../../core/prompt/budget.ts';
import type { Bundle, BundlePart } from '../../core/prompt/bundle.ts';
import { fitAhead } from '../../core/pruning/fitPrompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { project } from '../../core/pruning/projection.ts';
import { pruneStateOf, pruneStateOn } from '../../core/pruning/pruneState.ts';
import { pruneContextOf } from '../../core/pruning/strategy.ts';
import { breakOf } from '../../core/report/breaks.ts';
import { growthOf, headroomFor } from '../../core/turn/cache.ts';
import { runTurn } from '../../core/turn/turn.ts';
import type { TurnPorts, TurnSetup } from '../../core/turn/turnPorts.ts';
import type { WarmView } from '../../protocol/view.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import { orStopped, stoppable } from '../ports/stopping.ts';
import type { Session } from '../session/session.ts';
import { slotModel } from '../slots/slotModel.ts';
import type { Snapshots } from '../slots/snapshots.ts';
import { besideNext, taken } from './besideNext.ts';
import { applyBlocks, blockNoteFor } from './blockEdits.ts';
import { crossingOf, pruningsOf } from './compactionRows.ts';
import { pinnedIn } from './finding.ts';
import type { MeantMessage } from './meantNow.ts';
import { attach } from './mentions.ts';
import { type Remembered, remembered } from './remembered.ts';
import { retrieve } from './retrieving.ts';
import { timedTools } from './timedTools.ts';
import { headFor, turnSetup } from './turnSetup.ts';
import { toolsNow, turnTools } from './turnTools.ts';
import type { Idling, RunTurn } from './turnWork.ts';
import { coldView, warmView } from './warmth.ts';

/** What a request is set up with, the tools that its prompt names, and the newest workspace texts that were known then. */
interface Prepared {
  readonly setup: TurnSetup;
  readonly tools: readonly Tool[];
  readonly latest: Bundle | null;
  readonly agent: Agent;
}

export class Turns {
  private readonly engine: Engine;
  private readonly ports: ConversationPorts;
  private readonly shelves: Remembered | null;
  private readonly snapshots: Snapshots;
  private measured: Pace = noPace;
  /** The model that this was measured with. */
  private info: ModelInfo | null = null;

  constructor(engine: Engine, ports: ConversationPorts, shelves: Remembered | null, snapshots: Snapshots) {
    this.snapshots = snapshots;
    this.shelves = shelves;
    this.engine = engine;
    this.ports = ports;
  }

  /** Runs one turn; the session has its dialog, what was let go of, and the head that the last prompt had. */
  async run(
    session: Session,
    info: ModelInfo,
    { text, resolve, choice }: MeantMessage,
    { emit, approve, begin }: Required<Pick<TurnPorts, 'emit' | 'approve'>> & { readonly begin: () => void },
    signal: AbortSignal,
  ): Promise<RunTurn> {
    const { setup, latest, tools, agent } = await orStopped(this.prepare(session, info), signal);
    const { counter } = this.ports;
    // What asks the editor may never get an answer.
    const mentioned = await orStopped(attach(text, { resolve }, counter, setup.budget.high, signal), signal);
    begin();
    const beside = besideNext(session, this.ports.changedFiles);
    const attachments = [...beside, ...mentioned.map(({ attachment }) => attachment)];
    const message = { text, ...dayInMessage(modelAgent(info.name), dayOf(this.ports.now())), attachments };
    taken(session, this.ports.changedFiles);
    const prunings = pruningsOf(session, this.ports.now);
    const outcome = await runTurn(
      session.state,
      message,
      setup,
      {
        model: (slot) => {
          const { sampling } = this.ports.settings();
          return stoppable(slotModel(this.engine, this.snapshots, session, slot, sampling), signal);
        },
        tools: timedTools(tools, this.ports.now),
        retrieve: (words, stop) => retrieve({ text: words, choice }, session, setup, info, this.ports, stop),
        newId: this.ports.newId,
        approve,
        ...blockNoteFor(agent, setup.graph),
        emit: (event) => {
          if (event.type === 'called') {
            this.prefilled(session, event.fitted.node, event.call.prefill, event.call.generatedTokens);
            this.ports.measured(info, event.fitted.prompt, event.fitted.measure);
            prunings.folded(event.fitted.node.slot, event.fitted.held, crossingOf(event.fitted));
          }
          emit(event);
        },
      },
      signal,
    );
    for (const call of outcome.report.calls) session.tally.called(call);
    session.apply({ type: 'turnEnded', dialog: outcome.dialog, grown: growthOf(outcome.report) });
    for (const item of pinnedIn(outcome.dialog.path, choice)) session.apply({ type: 'marked', item, as: 'pinned' });
    // A model call that failed emits no `called` event, but the turns that its prompt compacted are out of the next prompt too.
    const { total: after } = outcome.report;
    for (const [slot, held] of outcome.held.entries())
      prunings.ended(slot, held, { before: after, after, stateTokens: 0 });
    this.freeze(session, outcome.stack === setup.fresh ? latest : session.state.bundle);
    session.report({ ...outcome.report, mechanisms: this.mechanisms(session, info.contextSize) });
    return { ...outcome, agent, graph: setup.graph };
  }

  /** What became of the code blocks of an answer, where the agent changes files by them; '' elsewhere. */
  async applyBlocks(
    session: Session,
    outcome: RunTurn,
    run: Required<Pick<TurnPorts, 'emit' | 'approve'>>,
    signal: AbortSignal,
  ): Promise<string> {
    const { newId } = this.ports;
    return applyBlocks(outcome, session, { ...run, newId, tools: this.ports.tools(session.id), signal });
  }

  /** The prompt the next message will extend, as the answering node gets it. Nothing is let go of yet. */
  async ahead(session: Session, info: ModelInfo): Promise<Fitted> {
    const { setup } = await this.prepare(session, info);
    return this.fit(session, setup, answering(setup.graph));
  }

  /** The same before a model is loaded, in estimated tokens and with nothing more let go: only to be shown. */
  async estimate(session: Session): Promise<Fitted> {
    const { agent } = this.ports.settings();
    const { policy } = agent;
    const budget = budgetFor(this.ports.wantedWindow(), policy);
    const bundle = session.state.bundle ?? (await this.bundle(budget));
    const digest = session.state.digest ?? (await this.digest(session, budget));
    const graph = graphFor(agent, null);
    const now = toolsNow(session, this.ports, agent, null);
    const tools = turnTools(session, now, this.ports.settings(), graph, null);
    const stack = headFor(session.system, digest, agent, tools, bundle);
    const { path } = session.state.dialog;
    const node = answering(graph);
    const held = pruneStateOn(path, pruneStateOf(session.state.held, node.slot));
    const prompt = project(stack, path, held, node);
    const measure = await this.ports.estimate(prompt);
    const room = pruneContextOf({ path, policy, marks: session.state.marks, budget }, prompt, measure);
    return { prompt, measure, held, stack, node, budget, room, before: measure.total };
  }

  /**
   * Makes the trim the next message would meet and prefills each slot. Where the session does not wait any more as it
   * did, nothing of it is kept. Returns the answering node's prompt and how warm it is.
   */
  async settle(
    session: Session,
    info: ModelInfo,
    idle: Idling,
  ): Promise<{ readonly fitted: Fitted; readonly warm: WarmView } | null> {
    const { setup, latest } = await this.prepare(session, info);
    let settled: { readonly fitted: Fitted; readonly warm: WarmView } | null = null;
    for (const node of setup.graph.nodes) {
      const { dialog } = session.state;
      // A head that was renewed for one node is every node's.
      const { stack } = settled?.fitted ?? setup;
      const fitted = await this.fit(session, { ...setup, stack }, node);
      if (!idle.still() || session.state.dialog !== dialog) return null;
      pruningsOf(session, this.ports.now).ended(node.slot, fitted.held, crossingOf(fitted));
      this.freeze(session, fitted.stack === setup.fresh ? latest : session.state.bundle);
      const warm = await this.prefill(session, setup, fitted, idle);
      if (warm === null) return null;
      settled = { fitted, warm };
    }
    return settled;
  }

  /** Settles a slot and decodes what any next message will share. Null where the session was left before it had its slot. */
  private async prefill(
    session: Session,
    { cache: { reuse } }: TurnSetup,
    fitted: Fitted,
    { still, signal, progress }: Idling,
  ): Promise<WarmView | null> {
    const { warm, settleMilliseconds } = this.ports.settings();
    const { prompt, measure, node } = fitted;
    if (!warm || reuse === 'none') return coldView(measure.starts.at(-1) ?? 0, reuse);
    const { slot, loaded } = await this.snapshots.bring(session, node.slot, prompt, reuse);
    if (loaded?.loaded === true && this.measured.tokens === 0) this.measured = loaded.pace;
    if (!still()) return null;
    const warmth = await this.engine.prefill({ slot, prompt, reuse, settleMilliseconds }, progress, signal);
    session.tally.warmed(warmth.prefill.decoded);
    if (warmth.warmed === warmth.of && still()) void this.snapshots.keepHead(session, node.slot, warmth.of);
    this.prefilled(session, node, warmth.prefill);
    const begun = session.state.dialog.turns > 0;
    const broke = breakOf(fitted, { prefill: warmth.prefill, stop: 'end' }, { reuse, begun });
    return warmView(warmth, reuse, this.measured, loaded, broke);
  }

  /** What the next turn would be set up with. */
  async setup(session: Session, info: ModelInfo): Promise<TurnSetup> {
    return (await this.prepare(session, info)).setup;
  }

  /** `window`: that of the loaded model, in tokens. */
  mechanisms(session: Session, window: number): Mechanisms {
    const { switches } = this.ports.settings().agent;
    const { workspaceContext, tokenCounter } = this.ports;
    const stale = session.state.bundle !== null && workspaceContext.stale(session.state.bundle);
    return {
      ...session.tally.sums,
      switches: { ...switches, compaction: compacts(switches, window) ? 'on' : 'off' },
      tokenCounter: tokenCounter(),
      workspaceCache: { ...workspaceContext.counts(), stale },
    };
  }

  private async fit(session: Session, setup: TurnSetup, node: GraphNode): Promise<Fitted> {
    const { dialog, held } = session.state;
    const foldId = compacts(setup.switches, setup.budget.window) ? this.ports.newId() : null;
    const { cache, budget } = setup;
    const ahead = {
      erases: cache.erases,
      // A compaction is asked of the model long before high water; by rules it comes as late as it can.
      headroom: foldId === null ? headroomFor(cache, session.state.grown, budget) : 0,
      ...(cache.reuse === 'auto' ? { settling: this.settling(session, node) } : {}),
    };
    const request = { ...setup, path: dialog.path, held: pruneStateOf(held, node.slot), node, foldId, ...ahead };
    return fitAhead(request, this.engine.measure);
  }

  private async prepare(session: Session, info: ModelInfo): Promise<Prepared> {
    if (info !== this.info) {
      this.info = info;
      this.measured = noPace;
    }
    const { agent, reuse, sampling } = this.ports.settings();
    const latest = await this.bundle(budgetFor(info.contextSize, agent.policy));
    const digest = session.state.digest ?? (await this.digest(session, budgetFor(info.contextSize, agent.policy)));
    // Where nothing may be injected, what was frozen goes too.
    const bundle = latest === null ? null : (session.state.bundle ?? latest);
    const now = toolsNow(session, this.ports, agent, info);
    const frozen = session.state.tools ?? now.map(({ schema }) => schema);
    session.apply({ type: 'headFrozen', bundle, digest, tools: frozen });
    const graph = graphFor(agent, this.ports.abilities.of(info));
    const tools = turnTools(session, now, this.ports.settings(), graph, info);
    const day = modelAgent(info.name)?.dayIn === 'head' ? dayOf(this.ports.now()) : '';
    const setup = turnSetup(session, agent, info, tools, latest, { reuse, graph, sampling, day });
    return { setup, latest, tools, agent };
  }

  private async bundle({ workspaceCap }: Budget): Promise<Bundle | null> {
    return workspaceCap === 0 ? null : this.ports.workspaceContext.bundle(workspaceCap);
  }

  private async digest({ workspace }: Session, { high }: Budget): Promise<readonly BundlePart[]> {
    const { settings, counter } = this.ports;
    return settings().memory ? remembered(this.shelves, workspace, high, counter) : [];
  }

  /** How fast prompts are decoded now. */
  get pace(): Pace {
    return this.measured;
  }

  /** Tokens of a slot that idle work is going to decode again, and how many it may. */
  private settling(session: Session, { slot }: GraphNode): { readonly approximate: number; readonly most: number } {
    const tokens = this.snapshots.slots.of(session, slot)?.approximate ?? 0;
    const each = predicted(this.measured, 1) ?? 0;
    const most = each === 0 ? Number.POSITIVE_INFINITY : this.ports.settings().settleMilliseconds / each;
    return { approximate: tokens <= most ? tokens : 0, most };
  }

  private prefilled(session: Session, { slot }: GraphNode, prefill: Prefill, generated = 0): void {
    this.snapshots.slots.filled(session, slot, prefill, generated);
    this.measured = paced(this.measured, prefill.decoded, prefill.milliseconds);
  }

  private freeze(session: Session, bundle: Bundle | null): void {
    const { digest, tools } = session.state;
    session.apply({ type: 'headFrozen', bundle, digest, tools });
  }
}
