// Sends messages, one turn at a time. What is sent while an answer is being written waits in a queue.

import { commandOf } from '../../core/agent/intent.ts';
import { type Item, messagesFrom } from '../../core/dialog/dialog.ts';
import { modelLabel } from '../../core/engine/modelInfo.ts';
import { faultOf } from '../../core/faults/faults.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import { stackReport } from '../../core/report/report.ts';
import { interrupted } from '../../core/turn/closeTurn.ts';
import { cutAnswer } from '../../core/turn/continuing.ts';
import type { Approve } from '../../core/turn/gate.ts';
import type { TurnEvent, TurnOutcome } from '../../core/turn/turnPorts.ts';
import { continuesAnswers } from '../../protocol/engineView.ts';
import type { IdleWork } from '../idle/idleWork.ts';
import { otherModel } from '../session/answeredBy.ts';
import type { Conversation } from '../session/conversation.ts';
import type { Session } from '../session/session.ts';
import type { Scheduler, Yielding } from '../slots/scheduler.ts';
import type { AgentEngines } from '../slots/windowEngines.ts';
import { askedAgain, besideMessage, unnamedIn } from '../turn/askedAgain.ts';
import { type DraftChoice, noChoice, withoutFolder } from '../turn/finding.ts';
import { drawing, fix } from '../turn/fixing.ts';
import type { MeantMessage } from '../turn/meantNow.ts';
import { spoken } from '../turn/mentions.ts';
import type { EditsMade, Turns } from '../turn/turns.ts';
import type { RunTurn } from '../turn/turnWork.ts';
import { Approvals } from './approvals.ts';
import { approving, decidedAtOnce } from './choosing.ts';
import { Queue } from './queue.ts';
import { type CommandSeen, commandAtEnd, runBlock, tellOutput } from './runBlock.ts';
import { expanded, type SendingPorts } from './sendingPorts.ts';

/** The prompt of a model call, with the fingerprint of its model. */
export interface Sent {
  readonly session: string;
  readonly model: string;
  readonly prompt: Prompt;
}

export class Sending {
  private readonly conversation: Conversation;
  private readonly ports: SendingPorts;
  private readonly engines: AgentEngines;
  private readonly turns: Turns;
  private readonly work: IdleWork;
  private stop: AbortController | null = null;
  private last: Sent | null = null;
  private readonly queue: Queue;
  readonly approvals = new Approvals();
  /** Words of the running turn, until they are part of the dialog. */
  private unbegun: string | null = null;
  private closing = false;
  /** Words that were given back because another window has the model. */
  private refused: string | null = null;
  /** Resolves when the turn that runs has ended. */
  ended: Promise<unknown> = Promise.resolve();

  constructor(conversation: Conversation, ports: SendingPorts, turns: Turns, work: IdleWork) {
    this.conversation = conversation;
    this.ports = ports;
    this.queue = new Queue((queue) => conversation.emit(conversation.session, { type: 'queued', queue }));
    this.engines = turns.context.engines;
    this.turns = turns;
    this.work = work;
  }

  /** The prompt of the latest model call in this window. */
  get sent(): Sent | null {
    return this.last;
  }

  /** Words that were sent and are in no session yet, in the order of sending. */
  get unsaid(): readonly string[] {
    return [this.unbegun ?? [], this.queue.texts].flat();
  }

  /** Ends the running turn. What waits goes back to the composer. */
  cancel(): void {
    this.stop?.abort();
  }

  /** The window closes, which ends the running turn. */
  interrupt(): void {
    this.closing = true;
    this.cancel();
    this.work.end();
  }

  /** The session is left: its turn ends, and what was not said yet goes along in the composer. */
  leave(): void {
    this.cancel();
    this.giveBack();
    this.queue.release();
  }

  /** A command waits for the model, shown in the queue; false where it was taken out. Rejects with a FaultError. */
  forModel(line: string): Promise<boolean> {
    return this.queue.hold(line, (signal) => this.engines.life.ready(signal));
  }

  /** Runs a turn, or answers a command; a space in front makes any line a message. What cannot be sent goes back to the composer. */
  async send(text: string, branch?: Branch, choice?: DraftChoice): Promise<void> {
    if (text.trim() === '') return;
    const isCommand = branch === undefined && text.startsWith('/');
    const answer = isCommand ? this.ports.command(text.trimEnd(), true) : null;
    if (answer !== null) return answer;
    const { running } = this.conversation.now;
    if (running && branch !== undefined) return this.ports.composer.giveBack(text);
    const meant = this.ports.meant(text.trimEnd(), choice);
    const written = branch?.meant(meant) ?? meant;
    this.ports.composer.take();
    if (running) this.queue.add(written);
    else await this.run(written, branch);
  }

  /** Sends a message without what would be found for it. */
  sendAlone(text: string): Promise<void> {
    return this.send(text, undefined, withoutFolder);
  }

  /** The model is here by now: the message that missed it goes, unless the user wrote another one. */
  async resend(): Promise<void> {
    const words = this.refused;
    this.refused = null;
    if (words !== null && !this.conversation.now.running && this.ports.composer.takeBack(words)) await this.send(words);
  }

  /** Replaces an earlier message: what followed it stays stored as another branch. */
  async edit(item: string, text: string, choice?: DraftChoice): Promise<void> {
    const { session: open } = this.conversation;
    const { path: former } = open.state.dialog;
    const asked = former.findIndex(({ id }) => id === item);
    // A message that is being answered is not part of the dialog yet.
    if (asked < 0 && item !== '' && this.conversation.now.running) return this.ports.composer.giveBack(text);
    if (asked < 0) return this.send(text, undefined, choice);
    const may = this.conversation.now.running || (await this.ports.offerUndo(messagesFrom(former, item)));
    // Another conversation may be open by then.
    if (!may || this.conversation.session !== open) return this.ports.composer.giveBack(text);
    return this.send(text, branchAt(this.conversation, former, asked), choice);
  }

  /** Asks a message again, for an answer in words. */
  answerInstead(item: string, text: string): Promise<void> {
    return this.edit(item, text, { ...noChoice, intent: { act: 'answer' } });
  }

  /** Goes on with the last answer from its last token. An engine that cannot is sent the words as a message. */
  async continueAnswer(words: string): Promise<void> {
    const { session } = this.conversation;
    if (this.conversation.now.running || cutAnswer(session.state.dialog.path) === null) return;
    const loaded = this.engines.life.shown.model;
    if (loaded === null || continuesAnswers(loaded)) await this.run(null);
    else await this.send(words);
  }

  /** Asks the last message again: the answer it had stays stored as another branch. */
  async regenerate(): Promise<void> {
    const { session } = this.conversation;
    const last = session.state.dialog.path.findLast(({ origin }) => origin === 'user');
    if (last?.origin === 'user' && !this.conversation.now.running) await this.edit(last.id, last.text);
  }

  /** Runs a shell block: messages wait for it, and Stop ends it. False where commands do not run here. Rejects with words while a turn runs. */
  async runBlock(command: string, withNetwork = false): Promise<boolean> {
    if (!this.turns.runsCommands(this.conversation.session)) return false;
    if (this.conversation.now.running) throw new Error('Wait until the answer is there, or stop it.');
    await this.running((_, signal) =>
      this.runCommand(command, withNetwork ? 'with network' : 'pressed', this.approvals.ask, signal).then(() => 'well'),
    );
    return true;
  }

  private async runCommand(command: string, seen: CommandSeen, ask: Approve, signal: AbortSignal): Promise<void> {
    const answer = await runBlock(this.conversation, this.turns, command, seen, ask, signal);
    if (answer !== null) tellOutput(this.conversation.session, answer);
  }

  /** Runs a command, the project's tests where none is given, and mends what fails. Rejects with words where it cannot. */
  async fix(command = ''): Promise<void> {
    const { conversation, turns } = this;
    const { project, settings } = turns.context;
    if (conversation.now.running) throw new Error('Wait until the answer is there, or stop it.');
    const line = command === '' ? commandOf(await project.finding.named('')) : command;
    const problem = !turns.runsCommands(conversation.session)
      ? 'Commands do not run here.'
      : !settings().agent.edits
        ? 'Choose the mode Edit first: in this one no files are changed.'
        : line === ''
          ? 'No manifest of the folder names its tests. Run them once by their command, and press **Fix this** below what they say.'
          : null;
    if (problem !== null) return conversation.emit(conversation.session, { type: 'told', title: 'Fix', text: problem });
    await this.running(async (session, signal) => {
      conversation.emit(session, { type: 'modelAsked' });
      const done = await this.atPlace(session, signal, (ask) => this.fixAt(session, line, 'pressed', ask, signal));
      return done === null ? 'failed' : 'well';
    });
  }

  /** Each run and each change of a task has the user's yes of its first one, as long as there is no other reason to ask. */
  private async fixAt(
    session: Session,
    command: string,
    seen: CommandSeen,
    ask: Approve,
    signal: AbortSignal,
  ): Promise<true> {
    const { conversation, turns } = this;
    const allowed = new Set<string>();
    let refused = false;
    const approve: Approve = async (request, stop) => {
      const key = `${request.effect} ${request.because}`;
      if (request.doubt !== '') return false;
      if (allowed.has(key)) return true;
      const told = request.effect === 'run' ? runsAgain : isTested;
      const isYes = (await ask({ ...request, preview: `${request.preview}\n\n${told}` }, stop)) !== false;
      if (isYes) allowed.add(key);
      else refused = true;
      return isYes;
    };
    const tell = (text: string) => conversation.emit(session, { type: 'told', title: 'Fix', text });
    const undo = async (message: string) => {
      const left = await this.ports.undo(message);
      if (left.length > 0) throw new Error(`Not taken back: ${left.join(', ')}.`);
    };
    const turn = async (meant: MeantMessage) => {
      conversation.emit(session, { type: 'asked', text: meant.text });
      return this.turn(session, meant, undefined, approving(session, approve), signal);
    };
    const draws = drawing(session, { turn, undo, resolve: this.ports.meant('').resolve });
    const takeBack = async () => {
      const message = await draws.takeBack();
      if (message !== null) conversation.emit(session, { type: 'rewound', to: message });
    };
    const run = async (line: string, limit: number | null) => {
      const stop = limit === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(limit)]);
      const { ran, body = '' } =
        (await runBlock(conversation, turns, line, limit === null ? seen : 'pressed', approve, stop)) ?? {};
      return ran === undefined ? null : { ...ran, body };
    };
    const failing = (output: string) => turns.context.project.finding.failing(output);
    const now = () => turns.context.clock.now().getTime();
    const fixed = await fix(
      command,
      { run, failing, draw: draws.draw, takeBack, tell, now },
      () => signal.aborted || refused,
    );
    // The model did not see what the program did.
    if (fixed !== null)
      tellOutput(session, {
        head: `A fix of ${command} was tried. ${fixed.words.replace(/\n- /g, '; ')}`,
        body: fixed.said,
      });
    return true;
  }

  /** Answers a command that was not typed; null for words to the model. */
  command(line: string): Promise<void> | null {
    return this.ports.command(line, false);
  }

  /** Puts the words of a message into the composer as a command. */
  remember(item: string): void {
    const said = this.conversation.session.state.dialog.path.find(({ id }) => id === item);
    if (said?.origin === 'user') this.ports.composer.giveBack(`/remember ${said.text.replace(/\s+/g, ' ').trim()}`);
  }

  /** Takes a waiting message back into the composer. */
  unqueue(id: number): void {
    const text = this.queue.remove(id);
    if (text !== null) this.ports.composer.giveBack(text);
  }

  /**
   * Runs a turn for a message, then one for each message that waits in the queue, in order. The composer is left alone. Without a message
   * the last answer goes on.
   */
  private async run(written: MeantMessage | null, branch?: Branch): Promise<void> {
    [this.refused, this.unbegun] = [null, written?.text ?? null];
    await this.running(async (session, signal) => {
      const outcome = await this.attempt(session, written, branch, signal);
      return outcome === 'unsaid' ? 'unsaid' : outcome?.report.fault === null ? 'well' : 'failed';
    });
  }

  /** Then sends what waits, where all went well, or goes on with idle work, unless the model failed. */
  private async running(
    work: (session: Session, signal: AbortSignal) => Promise<'well' | 'unsaid' | 'failed'>,
  ): Promise<void> {
    const { conversation } = this;
    const { session } = conversation;
    this.work.interrupt();
    const stop = new AbortController();
    this.stop = stop;
    conversation.emit(session, { type: 'running', on: true });
    const done = work(session, stop.signal);
    this.ended = done;
    const went = await done;
    if (conversation.session !== session) return;
    conversation.emit(session, { type: 'running', on: false });
    const next = went === 'well' && !stop.signal.aborted ? this.queue.next() : this.giveBack();
    if (this.closing) return;
    if (next !== null) await this.run(next);
    else if (went !== 'failed') await this.ports.open();
    else this.work.scheduler.rested(this.work);
  }

  /** Returns null where a turn failed before it began, and `unsaid` where there was nothing to say; the transcript has the reason. */
  private async attempt(
    session: Session,
    written: MeantMessage | null,
    branch: Branch | undefined,
    signal: AbortSignal,
  ): Promise<TurnOutcome | 'unsaid' | null> {
    const { conversation } = this;
    // A line that went to the model as a message once does so again, even if it begins with a slash.
    const isNamed = written?.text.startsWith('/') === true && written.text !== branch?.said;
    const tell = (text: string) => conversation.emit(session, { type: 'told', title: 'Commands', text });
    const meant = isNamed ? await expanded(this.ports, written, tell) : written;
    if ((written !== null && meant === null) || signal.aborted) return 'unsaid';
    conversation.emit(session, { type: 'modelAsked' });
    if (meant === null) conversation.emit(session, { type: 'continued' });
    else if (branch === undefined) conversation.emit(session, { type: 'asked', text: spoken(meant.text) });
    const mayWait = written !== null && branch === undefined;
    return this.atPlace(
      session,
      signal,
      (ask) => this.ask(session, meant, branch, approving(session, ask), signal),
      mayWait,
    );
  }

  /** Works once the conversation has its place: the model answers one at a time. Null where that failed, which is said. */
  private async atPlace<T>(
    session: Session,
    signal: AbortSignal,
    work: (ask: Approve) => Promise<T>,
    mayWait = false,
  ): Promise<T | null> {
    const { conversation } = this;
    try {
      const waits = (on: boolean) => conversation.emit(session, { type: 'waits', on });
      // The view says that this one waits.
      const place = await takePlace(this.work.scheduler, this.work, async (waiting) => {
        waits(true);
        return waiting(signal).finally(() => waits(false));
      });
      return await work((request, stop) => place.outside(() => this.approvals.ask(request, stop))).finally(() =>
        place.leave(),
      );
    } catch (error) {
      conversation.emit(session, { type: 'withdrawn' });
      const fault = faultOf(error);
      if (!signal.aborted) conversation.emit(session, { type: 'failed', fault, canContinue: false });
      this.refused = fault.kind === 'modelElsewhere' && mayWait ? this.unsaid.join('\n\n') : null;
      return null;
    }
  }

  /** Gives unsent words back to the user, those of the queue too: all at once, because a view shows the latest draft only. */
  private giveBack(): null {
    const words = this.unsaid;
    this.unbegun = null;
    this.queue.clear();
    if (words.length > 0) this.ports.composer.giveBack(words.join('\n\n'));
    return null;
  }

  /** Runs one turn of the session on the model that is loaded by then, and puts its changes into files: while the request waited for its place, another may have been. */
  private async turn(
    session: Session,
    written: MeantMessage | null,
    branch: Branch | undefined,
    approve: Approve,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: RunTurn; readonly edits: EditsMade }> {
    await this.engines.release();
    const info = await this.engines.life.ready(signal);
    const emit = (event: TurnEvent) => {
      if (event.type === 'asking' && decidedAtOnce(session, event.request) !== null) return;
      const isMain = event.type === 'called' && (event.call.model ?? modelLabel(info)) === modelLabel(info);
      if (isMain) this.last = { session: session.id, model: info.fingerprint, prompt: event.fitted.prompt };
      this.happened(session, event);
    };
    const other = otherModel(session.state.dialog.path, info);
    if (other !== null) this.conversation.emit(session, { type: 'told', ...other });
    const known = session.state.compactions.length;
    const begin = () => branch?.begin(session);
    const withheld = (why: string) =>
      this.conversation.emit(session, {
        type: 'told',
        title: 'Nothing of the folder was sent',
        text: `Nothing there is surely what you mean: ${why}. Name a file or a function, or keep a passage above the message.`,
      });
    const outcome = await this.turns.run(session, info, written, { emit, approve, begin, withheld }, signal);
    const edits = await this.turns.applyBlocks(
      session,
      outcome,
      { approve, emit },
      signal,
      written?.draw !== undefined,
    );
    if (edits.words !== '') this.conversation.emit(session, { type: 'told', title: 'Changes', text: edits.words });
    this.conversation.emit(session, { type: 'ended', report: outcome.report });
    this.conversation.compactedByRules(session, known);
    const { fault } = outcome.report;
    for (const { life } of outcome.used) {
      if (fault === null) life.proven();
      else life.lost(fault);
    }
    return { outcome, edits };
  }

  private async ask(
    session: Session,
    written: MeantMessage | null,
    branch: Branch | undefined,
    approve: Approve,
    signal: AbortSignal,
  ): Promise<TurnOutcome> {
    const { outcome, edits } = await this.turn(session, written, branch, approve, signal);
    const { fault, end } = outcome.report;
    const { act = 'answer', command = '' } = outcome.intent ?? {};
    if (end === 'done' && act === 'run') await this.runOf(outcome, written, approve, signal);
    const isShown = written?.choice.intent.shown?.act === 'fix' || outcome.intent?.by === 'user';
    if (end === 'done' && act === 'fix' && command !== '' && this.turns.runsCommands(session))
      await this.fixAt(session, command, isShown ? 'pressed' : 'taken', approve, signal);
    if (written !== null) this.goOnWith(edits.left, written);
    if (fault !== null) this.conversation.emit(session, { type: 'failed', fault, canContinue: true });
    return outcome;
  }

  /** Runs the command that a message wants: the known one, or the line that the model wrote. */
  private async runOf(
    { intent, dialog }: TurnOutcome,
    written: MeantMessage | null,
    approve: Approve,
    signal: AbortSignal,
  ): Promise<void> {
    const command = commandAtEnd(dialog.path);
    if (command === null || !this.turns.runsCommands(this.conversation.session)) return;
    const isKnown = intent !== null && intent.command !== '';
    const isShown = isKnown && written?.choice.intent.shown?.act === 'run';
    await this.runCommand(command, isShown ? 'shown' : isKnown ? 'taken' : 'written', approve, signal);
  }

  /** The next of the files that a message names is changed by a turn of its own. */
  private goOnWith(files: readonly string[], { text }: MeantMessage): void {
    const [file] = files;
    if (file === undefined) return;
    const rest = text.replace(/^Now \S+: /, '');
    this.queue.add(this.ports.meant(`Now ${file}: ${rest}`, { ...noChoice, intent: { act: 'change', files } }));
  }

  private happened(session: Session, event: TurnEvent): void {
    if (event.type === 'appended') session.append(this.closing ? interrupted(event.item) : event.item);
    if (event.type === 'text') session.saying(event);
    if (event.type === 'appended' && session === this.conversation.session) this.unbegun = null;
    if (event.type === 'called')
      this.conversation.emit(session, { type: 'called', call: event.call, stack: stackReport(event.fitted) });
    else this.conversation.emit(session, { type: 'turn', event });
  }
}

const runsAgain =
  'This is a fix: it runs again after each change of the code that fails. What does not help is taken back.';
const isTested =
  'It is tested at once, and taken back unless fewer tests fail. Your yes holds for all changes of this fix; a no ends it.';

// A message that is asked again, or in other words: another branch, which begins in front of it.

interface Branch {
  /** The words of the message that is asked again. */
  readonly said: string;
  /** Called when the turn begins. */
  readonly begin: (session: Session) => void;
  /** Gives the message the choices and files that it had when it was asked before. */
  readonly meant: (written: MeantMessage) => MeantMessage;
}

/** `asked`: where the message stands on the path. */
function branchAt(conversation: Conversation, former: readonly Item[], asked: number): Branch {
  const beside = besideMessage(former, asked);
  const replaced = former[asked];
  const item = replaced?.id ?? '';
  const said = replaced?.origin === 'user' ? replaced.text : '';
  const begin = (session: Session) => {
    const { path } = session.state.dialog;
    const at = path.findIndex(({ id }) => id === item);
    if (at < 0) return;
    const attachments = [...unnamedIn(beside, said), ...session.state.restored];
    session.apply({ type: 'restored', attachments });
    session.apply({ type: 'headMoved', to: path[at - 1]?.id ?? null });
    conversation.emit(session, { type: 'rewound', to: item });
  };
  return { said, begin, meant: (written) => askedAgain(written, said, beside) };
}

// A request's place with the scheduler: others may have it while the request waits for the user, and it ends once.

interface SchedulerPlace {
  /** Waits without holding others up. Rejects as the work does, or as the wait for the next place. */
  outside<T>(work: () => Promise<T>): Promise<T>;
  leave(): void;
}

type Back = () => void;

/** `wait` is called where another has it. Rejects as the wait does. */
async function takePlace(
  scheduler: Scheduler,
  own: Yielding,
  wait: (take: (signal: AbortSignal) => Promise<Back>) => Promise<Back>,
): Promise<SchedulerPlace> {
  const enter = async () => scheduler.enter(own) ?? (await wait((signal) => scheduler.take(own, signal)));
  let back: Back | null = await enter();
  const leave = () => {
    back?.();
    back = null;
  };
  return {
    leave,
    outside: async (work) => {
      leave();
      scheduler.rested(own);
      try {
        return await work();
      } finally {
        back = await enter();
      }
    },
  };
}
