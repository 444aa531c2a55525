// Runs a session's turns on the engine: sets them up, keeps what they leave, and knows at which pace prompts are decoded.

import type { Agent } from '../../core/agent/agent.ts';
import { refusalForUser } from '../../core/agent/editing.ts';
import { answering, callsTools, type Graph } from '../../core/agent/graph.ts';
import type { Act } from '../../core/agent/intent.ts';
import { compacts, type Mechanisms } from '../../core/agent/mechanisms.ts';
import { modelAgent } from '../../core/agent/modelAgent.ts';
import { blocksIn } from '../../core/answer/readAnswer.ts';
import { isShellBlock } from '../../core/answer/shellBlock.ts';
import type { ToolCall } from '../../core/dialog/dialog.ts';
import { filesNamed } from '../../core/dialog/filesNamed.ts';
import type { ShowRequest, Signal } from '../../core/dialog/tool.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { noPace, type Pace, paced } from '../../core/kv/pace.ts';
import type { Prefill } from '../../core/model/model.ts';
import { pruneStateOf } from '../../core/pruning/pruneState.ts';
import { amountFor } from '../../core/turn/amount.ts';
import { growthOf } from '../../core/turn/cache.ts';
import { type BegunAnswer, begunAnswer, pinnedAgain } from '../../core/turn/continuing.ts';
import { act, askUser, filesKnown, type MayCallShow, type ToolAnswer, type ToolRun } from '../../core/turn/gate.ts';
import { runTurn } from '../../core/turn/turn.ts';
import type {
  Attachment,
  Retrieved,
  TurnEvent,
  TurnOutcome,
  TurnPorts,
  UserMessage,
} from '../../core/turn/turnPorts.ts';
import { concealLines } from '../../secrets/lines.ts';
import { drawnWith } from '../model/thinkingNow.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import { orStopped, stoppable } from '../ports/stopping.ts';
import type { TokenCounting } from '../ports/tokens.ts';
import { becameOf, newsOf } from '../session/news.ts';
import type { Session } from '../session/session.ts';
import { TurnClock } from '../session/turnTimes.ts';
import { slotModel } from '../slots/slotModel.ts';
import { crossingOf, pruningsOf } from './compactionRows.ts';
import { findingState, foundFor, groundOf, noChoice, pinnedIn, retrieved, sentOf } from './finding.ts';
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
import { timedTools } from './turnTools.ts';
import type { RunTurn } from './turnWork.ts';
import { decidingPorts, runsCommands, userMessage } from './userMessage.ts';

type RunHearing = Required<Pick<TurnPorts, 'emit' | 'approve'>> & {
  readonly begin: () => void;
  /** Passages were found and do not go with the message: why, in words. */
  readonly withheld: (why: string) => void;
};

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
    { emit, approve, begin, withheld }: RunHearing,
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
      const { temperature, seed } = meant?.draw ?? {};
      const sampling = {
        ...drawnWith(plan.settings, info, setup.stack.thinking ?? null),
        ...(temperature !== undefined && { temperature }),
        ...(seed !== undefined && { seed }),
      };
      return stoppable(slotModel(engine, snapshots, session, slot, sampling), signal);
    };
    const outcome = await runTurn(
      session.state,
      opening,
      setup,
      {
        ...{ model, tools: timedTools(tools, () => clock.now()), conceal: concealLines },
        ...decidingPorts(plan, meant, this.context.project),
        runs: this.runsCommands(session),
        retrieve: (words, stop) =>
          retrieve({ text: words, choice, opening }, session, plan, { ...around, withheld }, stop),
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

  /** Puts the code blocks of an answer into their files, where the agent changes files by them or they were drawn for it, and returns what became of each. */
  async applyBlocks(
    session: Session,
    outcome: RunTurn,
    run: Required<Pick<TurnPorts, 'emit' | 'approve'>>,
    signal: AbortSignal,
    isDrawn = false,
  ): Promise<EditsMade> {
    const { clock, project } = this.context;
    const around = { newId: () => clock.newId(), tools: project.tools(session.id) };
    return applyBlocks(outcome, session, { ...run, ...around, conceal: concealLines, signal }, isDrawn);
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

// Whether lines with secrets may go into a prompt: the user is asked once for each file, and each time where a server would read them.

/** Asks the user one question after the other. `server` names the server that reads the prompt; null where this machine does. */
function showSecrets(
  { shown }: Pick<Session, 'shown'>,
  run: Omit<ToolRun, 'tools' | 'conceal'>,
  server: string | null,
): MayCallShow {
  let before: Promise<unknown> = Promise.resolve();
  const answer = async (call: ToolCall, { about, because }: ShowRequest): Promise<boolean> => {
    const known = server === null ? shown.get(about) : undefined;
    if (known !== undefined) return known;
    const where = server === null ? because : `${because}, and the prompt goes to ${server}`;
    const request = { call, calls: 1, effect: 'read', preview: '', because: where, doubt: '', lasting: [] } as const;
    const may = (await askUser(request, run)) === null;
    if (!run.signal.aborted && server === null) shown.set(about, may);
    return may;
  };
  return (call, request) => {
    const asked = before.then(() => answer(call, request));
    before = asked;
    return asked;
  };
}

// Finds the passages with which a turn begins, besides its message.

/** Nothing for a model that was trained without. Never rejects. */
async function retrieve(
  { text, choice, opening }: Pick<MeantMessage, 'text' | 'choice'> & { readonly opening: UserMessage | BegunAnswer },
  session: Session,
  { settings, setup: { graph }, main, least }: TurnPlan,
  {
    project,
    counter,
    pace,
    withheld,
  }: Pick<AgentContext, 'project' | 'counter'> & Pick<RunHearing, 'withheld'> & { readonly pace: Pace },
  signal: Signal,
): Promise<Retrieved> {
  const { retrieval, edits } = settings.agent;
  const looksUp = retrieval !== null && modelAgent(main.info.name)?.looksUp !== false;
  if (!looksUp || choice.none === true) return { knowledge: null, passages: [] };
  const talked = findingState(session.state, answering(graph).slot);
  const amount = amountFor(main.info.parameters, pace, Math.floor(least.high * retrieval.share));
  const beside = 'attachments' in opening ? opening.attachments : [];
  const ground = groundOf(project.finding, counter, amount, { choice, beside, edits });
  const found = await foundFor(text, talked, ground, signal);
  const passages = sentOf(found, choice);
  if (passages.length === 0 && found.weak !== '') withheld(found.weak);
  return retrieved(passages, text, retrieval, graph.nodes);
}

// Changes by a model that calls no tools: its code blocks that name a file are put into it, once the answer is there.
const writes: ReadonlySet<Act> = new Set(['change', 'make']);

/** Whether the agent changes files by blocks of its answers. */
const byBlocks = (agent: Agent, graph: Graph) => agent.edits && !callsTools(graph);

/** An edit, and what became of it. */
type EditMade = Pick<ToolAnswer, 'ok' | 'head' | 'body'>;

/** The outcome of the code blocks of an answer. */
export interface EditsMade {
  readonly made: readonly EditMade[];
  /** Files of the message that were not changed, where one was: a small model is told the form of the first one only. */
  readonly left: readonly string[];
  /** The outcome as Markdown; '' where there is nothing to say. */
  readonly words: string;
}

const nothingSaid: EditsMade = { made: [], left: [], words: '' };

/** Says what was not done, which the user was told, and names parameters of a tool. */
function forUser(words: string): string {
  return refusalForUser(words.replace(/^Not (?:made|done): /, '').replace(/^the user did not/, 'You did not'));
}

/** Markdown, with the file that the answer is about. */
function rowOf(answer: EditMade | undefined, path: string): string | null {
  if (answer === undefined) return null;
  const { ok, head, body } = answer;
  const file = head.includes(path) ? '' : ` (${path})`;
  // An underscore of a name is no emphasis.
  const words = forUser(head).replace(/\.?$/, `${file}$&`).replaceAll('_', '\\_');
  // A place at the end is a link, and its full stop would stand in a line of its own.
  return `- ${ok ? words.replace(/\.$/, '') : `**Not made.** ${words}`}${body === '' ? '' : `\n\n${body}`}`;
}

/** Lines of a file that the note to the model shows behind each refusal. */
const mostLines = 8;

/** The model is told with the next message what became of its blocks: first in a line, then with the lines that were meant. */
function toldOf(answers: readonly EditMade[]): Attachment {
  const heads = answers.map(({ head }) => refusalForUser(head).replace(/(?<=[.;])[^.;]*:$/, ''));
  const details = answers.flatMap(({ head, body }) =>
    body === '' ? [] : [`${refusalForUser(head)}\n${body.split('\n').slice(0, mostLines).join('\n')}`],
  );
  return { head: `${becameOf}${heads.join(' ')}`, body: details.join('\n'), of: newsOf };
}

/** Puts the blocks of an answer into their files, after a yes. */
async function applyBlocks(
  { dialog, report, pruned, plan, intent }: RunTurn,
  session: Session,
  { newId, ...run }: ToolRun & Pick<TurnPorts, 'newId'>,
  isDrawn: boolean,
): Promise<EditsMade> {
  const { graph } = plan.setup;
  const source = run.tools
    .flatMap((tool) => (tool.effect === 'read' ? [] : [tool.deeds]))
    .find(({ callsIn }) => callsIn !== undefined);
  const last = dialog.path.at(-1);
  const isWanted = isDrawn || (byBlocks(plan.settings.agent, graph) && (intent === null || writes.has(intent.act)));
  if (
    byBlocks(plan.settings.agent, graph) &&
    intent?.act === 'answer' &&
    intent.by === 'model' &&
    intent.files.length > 0
  )
    return { ...nothingSaid, words: asQuestion };
  if (!isWanted || source === undefined || last?.origin !== 'assistant') return nothingSaid;
  const blocks = blocksIn(last.text);
  if (blocks.every(isShellBlock)) return nothingSaid;
  if (report.end !== 'done') return report.end === 'length' ? { ...nothingSaid, words: wasCut } : nothingSaid;
  const isNew = intent?.act === 'make' && intent.makes !== '';
  const [file = null, another] = isNew ? [intent.makes] : (intent?.files ?? []);
  // A new file holds what the answer has, whatever other files declare.
  const among = isNew ? [] : filesNamed(dialog.path);
  const places = isDrawn && file !== null ? [file] : among;
  const calls = (await source.callsIn?.(last.text, places, newId, another === undefined ? file : null)) ?? [];
  const isEmpty = blocks.every(({ code }) => code.trim() === '');
  if (calls.length === 0) return { ...nothingSaid, words: isEmpty ? noCode : noPlace };
  const known = filesKnown(dialog.path, pruneStateOf(pruned, answering(graph).slot));
  const answers = await act(calls, source, { ...run, known });
  const all = calls.flatMap(({ id }) => answers.get(id) ?? []);
  // A draw that is not taken back did what it was to do.
  if (!isDrawn) session.apply({ type: 'restored', attachments: [...session.state.restored, toldOf(all)] });
  const rows = calls.flatMap(({ id, arguments: { path } }) => rowOf(answers.get(id), String(path)) ?? []);
  const paths = calls.map(({ arguments: { path } }) => String(path));
  const isMade = all.length > 0 && all.every(({ ok }) => ok);
  // The first file had its turn, whatever the answer changed: so turns that follow each other come to an end.
  const left = (intent?.files.slice(1) ?? []).filter((file) => !paths.includes(file));
  return { made: all, left: isMade ? left : [], words: rows.join('\n') };
}

const asQuestion =
  'Nothing was changed: the model took the message for a question. For a change send it again, with Alt+Down in the message box until it says “Changes”.';

const noCode =
  'Nothing was changed: the model named a file and wrote no code for it. Ask again, with the function that is to change.';

const noPlace =
  'Nothing was changed: it is not clear where in which file the code goes. Use **Apply** on a block, or ask again and name the file and the function.';

const wasCut =
  'Nothing was changed: the answer was cut off at its length limit. Press **Continue**, or use **Apply** on the blocks that are whole.';
