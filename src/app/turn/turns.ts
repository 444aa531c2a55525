// Runs a session's turns on the engine: sets them up, keeps what they leave, and knows at which pace prompts are decoded.

import { compacts, type Mechanisms } from '../../core/agent/mechanisms.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { noPace, type Pace, paced } from '../../core/kv/pace.ts';
import type { Prefill } from '../../core/model/model.ts';
import { growthOf } from '../../core/turn/cache.ts';
import { begunAnswer, pinnedAgain } from '../../core/turn/continuing.ts';
import { runTurn } from '../../core/turn/turn.ts';
import type { TurnEvent, TurnOutcome, TurnPorts } from '../../core/turn/turnPorts.ts';
import { concealLines } from '../../secrets/lines.ts';
import { drawnWith } from '../model/thinkingNow.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import { orStopped, stoppable } from '../ports/stopping.ts';
import type { TokenCounting } from '../ports/tokens.ts';
import type { Session } from '../session/session.ts';
import { showSecrets } from '../session/showSecrets.ts';
import { TurnClock } from '../session/turnTimes.ts';
import { slotModel } from '../slots/slotModel.ts';
import { applyBlocks, type EditsMade } from './blockEdits.ts';
import { crossingOf, pruningsOf } from './compactionRows.ts';
import { noChoice, pinnedIn } from './finding.ts';
import type { MeantMessage } from './meantNow.ts';
import {
  type AgentContext,
  freezeBundle,
  type Loaded,
  planTurn,
  serverReading,
  setupNow,
  type TurnPlan,
} from './planTurn.ts';
import { retrieve } from './retrieving.ts';
import { timedTools } from './turnTools.ts';
import type { RunTurn } from './turnWork.ts';
import { decidingPorts, runsCommands, userMessage } from './userMessage.ts';

type RunHearing = Required<Pick<TurnPorts, 'emit' | 'approve'>> & { readonly begin: () => void };

export class Turns {
  readonly context: AgentContext;
  readonly tokens: TokenCounting;
  readonly changedFiles: ChangedFiles | null;
  private readonly plans = new WeakMap<Session, TurnPlan>();
  private measured: Pace = noPace;
  /** The model that this was measured with. */
  private info: ModelInfo | null = null;

  constructor(context: AgentContext, tokens: TokenCounting, changedFiles: ChangedFiles | null) {
    this.context = context;
    this.tokens = tokens;
    this.changedFiles = changedFiles;
  }

  /**
   * Runs one turn; the session has its dialog, what was let go of, and the head that the last prompt had. Without a message it goes
   * on with the last answer.
   */
  async run(
    session: Session,
    loaded: ModelInfo,
    meant: MeantMessage | null,
    heard: RunHearing,
    signal: AbortSignal,
  ): Promise<RunTurn> {
    const plan = await orStopped(this.plan(session, loaded), signal);
    const used = plan.setup.graph.nodes.map(({ slot }) => plan.at(slot));
    const end = this.context.engines.hold(used);
    try {
      return { ...(await this.runPlanned(session, plan, meant, heard, signal)), used };
    } finally {
      end();
    }
  }

  private async runPlanned(
    session: Session,
    plan: TurnPlan,
    meant: MeantMessage | null,
    { emit, approve, begin }: RunHearing,
    signal: AbortSignal,
  ): Promise<Omit<RunTurn, 'used'>> {
    const { tools, at } = plan;
    const { clock } = this.context;
    const around = { ...this.context, changedFiles: this.changedFiles, pace: this.measured };
    const timed = new TurnClock(() => clock.now().getTime());
    const setup = setupNow(plan, session);
    const choice = meant?.choice ?? noChoice;
    const begun = meant === null ? begunAnswer(session.state.dialog, setup) : null;
    const mayShow = showSecrets(session, { approve, emit, signal }, serverReading(plan));
    const opening =
      meant === null ? begun : await userMessage(session, meant, around, plan, { begin, mayShow }, signal);
    if (opening === null) throw new Error('There is no answer to go on with.');
    const prunings = pruningsOf(session, () => this.context.clock.now());
    const model = (slot: number) => {
      const { engine, snapshots, info } = at(slot);
      const sampling = drawnWith(plan.settings, info, setup.stack.thinking ?? null);
      return stoppable(slotModel(engine, snapshots, session, slot, sampling), signal);
    };
    const outcome = await runTurn(
      session.state,
      opening,
      setup,
      {
        ...{ model, tools: timedTools(tools, () => clock.now()), conceal: concealLines },
        ...decidingPorts(plan, choice),
        runs: this.runsCommands(session),
        retrieve: (words, stop) => retrieve({ text: words, choice, opening }, session, plan, around, stop),
        newId: () => clock.newId(),
        approve: timed.asking(approve),
        mayShow,
        emit: (event) => {
          timed.heard(event);
          if (event.type === 'called') this.called(session, at(event.fitted.node.slot), event, prunings);
          emit(event);
        },
      },
      signal,
    );
    const report = { ...outcome.report, times: timed.times(outcome.report.calls) };
    const pinned = () => [...pinnedIn(outcome.dialog.path, choice), ...pinnedAgain(session.state, begun)];
    return { ...this.kept(session, { ...outcome, report }, plan, pinned, prunings), plan };
  }

  /** Keeps what a turn leaves in its session. */
  private kept(
    session: Session,
    outcome: TurnOutcome,
    { setup, latest, main }: TurnPlan,
    pinned: () => readonly string[],
    prunings: ReturnType<typeof pruningsOf>,
  ): TurnOutcome {
    const { report } = outcome;
    for (const call of report.calls) session.tally.called(call);
    session.apply({ type: 'turnEnded', dialog: outcome.dialog, grown: growthOf(report) });
    for (const item of pinned()) session.apply({ type: 'marked', item, as: 'pinned' });
    // A model call that failed emits no `called` event, but the turns that its prompt compacted are out of the next prompt too.
    for (const [slot, pruned] of outcome.pruned.entries())
      prunings.ended(slot, pruned, { before: report.total, after: report.total, stateTokens: 0 });
    freezeBundle(session, outcome.stack === setup.fresh ? latest : session.state.bundle);
    session.report({ ...report, mechanisms: this.mechanisms(session, main.info.contextSize) });
    return outcome;
  }

  private called(
    session: Session,
    at: Loaded,
    { fitted, call }: Extract<TurnEvent, { readonly type: 'called' }>,
    prunings: ReturnType<typeof pruningsOf>,
  ): void {
    const { slot } = fitted.node;
    this.prefilled(session, at, slot, call.prefill, call.generatedTokens);
    this.tokens.learn(at.info, fitted.prompt, fitted.measure);
    prunings.compacted(slot, fitted.pruned, crossingOf(fitted));
  }

  /** Puts the code blocks of an answer into their files, where the agent changes files by them, and returns what became of each. */
  async applyBlocks(
    session: Session,
    outcome: RunTurn,
    run: Required<Pick<TurnPorts, 'emit' | 'approve'>>,
    signal: AbortSignal,
  ): Promise<EditsMade> {
    const { clock, project } = this.context;
    const around = { newId: () => clock.newId(), tools: project.tools(session.id) };
    return applyBlocks(outcome, session, { ...run, ...around, conceal: concealLines, signal });
  }

  /** Whether commands run here. */
  runsCommands({ id }: Session): boolean {
    return runsCommands(this.context.project, id);
  }

  /** The plan of the next turn; what it freezes of the head is kept. */
  async plan(session: Session, loaded: ModelInfo): Promise<TurnPlan> {
    const last = this.plans.get(session) ?? null;
    const plan = await planTurn(session, this.context, loaded, last);
    this.plans.set(session, plan);
    if (plan !== last) session.apply({ type: 'headFrozen', ...plan.frozen });
    const { info } = plan.main;
    if (info !== this.info) this.measured = noPace;
    this.info = info;
    return plan;
  }

  /** `window`: that of the loaded model, in tokens. */
  mechanisms(session: Session, window: number): Mechanisms {
    const { switches } = this.context.settings().agent;
    const texts = this.context.project.context;
    const stale = session.state.bundle !== null && texts.stale(session.state.bundle);
    return {
      ...session.tally.sums,
      switches: { ...switches, compaction: compacts(switches, window) ? 'on' : 'off' },
      tokenCounter: this.tokens.counts(),
      workspaceCache: { ...texts.counts(), stale },
    };
  }

  /** How fast prompts are decoded now. */
  get pace(): Pace {
    return this.measured;
  }

  /** A pace that was stored with a slot stands until one is measured. */
  resumePace(pace: Pace): void {
    if (this.measured.tokens === 0) this.measured = pace;
  }

  /** A slot holds another prompt now, of which so much had to be decoded. */
  prefilled(session: Session, at: Loaded, slot: number, prefill: Prefill, generated = 0): void {
    at.snapshots.slots.filled(session, slot, prefill, generated);
    // The pace is that of the model that answers.
    if (at.info === this.info) this.measured = paced(this.measured, prefill.decoded, prefill.milliseconds);
  }
}
