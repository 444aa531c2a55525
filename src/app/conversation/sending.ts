// Sends messages, one turn at a time. What is sent while an answer is being written waits in a queue.

import { branchPlaces } from '../../core/dialog/branches.ts';
import { faultOf } from '../../core/faults/faults.ts';
import type { PrefillProgress } from '../../core/model/model.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import { stackReport } from '../../core/report/report.ts';
import { interrupted } from '../../core/turn/closeTurn.ts';
import type { Approve } from '../../core/turn/runTool.ts';
import type { TurnEvent, TurnOutcome } from '../../core/turn/turnPorts.ts';
import { loadQuestion } from '../../protocol/loadQuestion.ts';
import type { Entry, ViewDelta, ViewState } from '../../protocol/view.ts';
import type { Draft } from '../composer/draft.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { IdleWork } from '../idle/idleWork.ts';
import type { ModelLife } from '../model/modelLife.ts';
import type { Session } from '../session/session.ts';
import type { Transcript } from '../session/transcript.ts';
import { turnView } from '../session/turnView.ts';
import { type SchedulerPlace, takePlace } from '../slots/schedulerPlace.ts';
import { askedAgain, besideMessage, broughtBack } from '../turn/askedAgain.ts';
import type { MeantMessage } from '../turn/meantNow.ts';
import type { Turns } from '../turn/turns.ts';
import { Approvals, approvalView } from './approvals.ts';
import { Queue } from './queue.ts';

/** The chat as it sends. */
export interface SendingConversation {
  readonly snapshot: ViewState;
  readonly session: Session;
  readonly transcript: Transcript;
  readonly draft: Draft;
  readonly prompts: Prompts;
  /** What a text means as it is written now. */
  meant(text: string): MeantMessage;
  set(values: Partial<Omit<ViewState, 'entries'>>): void;
  publish(delta: ViewDelta): void;
  /** Answers a typed command; null for words to the model. */
  command(line: string, typed: boolean): Promise<void> | null;
  open(): Promise<void>;
  showPrefill(progress: PrefillProgress): void;
  /** Shows what trims compacted by rules since there were `known` attempts. */
  foldedByRules(known: number): void;
}

/** What the model got in a call, and whose it was. */
export interface Sent {
  readonly session: string;
  /** The model's fingerprint. */
  readonly model: string;
  readonly prompt: Prompt;
}

interface Branch {
  /** Called when the turn begins. */
  readonly begin: (session: Session) => void;
  /** What the message meant when it was asked before. */
  readonly meant: (written: MeantMessage) => MeantMessage;
}

export class Sending {
  private readonly chat: SendingConversation;
  private readonly life: ModelLife;
  private readonly turns: Turns;
  private readonly work: IdleWork;
  private stop: AbortController | null = null;
  private last: Sent | null = null;
  private readonly queue: Queue;
  readonly approvals = new Approvals();
  /** Words of the running turn, until they are part of the dialog. */
  private unbegun: string | null = null;
  private closing = false;
  /** Resolves when the turn that runs has ended. */
  ended: Promise<unknown> = Promise.resolve();

  constructor(chat: SendingConversation, life: ModelLife, turns: Turns, work: IdleWork) {
    this.chat = chat;
    this.queue = new Queue(chat);
    this.life = life;
    this.turns = turns;
    this.work = work;
  }

  /** The prompt of the latest model call in this window. */
  get sent(): Sent | null {
    return this.last;
  }

  /** What was sent and is in no session yet, in its order. */
  get unsaid(): readonly string[] {
    return [...(this.unbegun === null ? [] : [this.unbegun]), ...this.chat.snapshot.queue.map(({ text }) => text)];
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
  }

  /** Runs a turn, or answers a command. What cannot be sent goes back to the composer. */
  async send(text: string, branch?: Branch): Promise<void> {
    if (text.trim() === '') return;
    const answer = branch === undefined ? this.chat.command(text.trim(), true) : null;
    if (answer !== null) return answer;
    if (this.chat.snapshot.running && branch !== undefined) return this.chat.draft.giveBack(text);
    const meant = this.chat.meant(text.trim());
    const written = branch?.meant(meant) ?? meant;
    this.chat.draft.take();
    if (this.chat.snapshot.running) this.queue.add(written);
    else await this.run(written, branch);
  }

  /** Replaces an earlier message: what followed it stays stored as another branch. */
  edit(item: string, text: string): Promise<void> {
    const shown = (one: Entry) => one.kind === 'user' && one.item === item;
    if (item === '' || !this.chat.snapshot.entries.some(shown)) return this.send(text);
    const { path: former } = this.chat.session.state.dialog;
    const asked = former.findIndex(({ id }) => id === item);
    const beside = besideMessage(former, asked);
    const said = former[asked];
    const meant = (written: MeantMessage) => askedAgain(written, said?.origin === 'user' ? said.text : '', beside);
    const begin = (session: Session) => {
      const { path } = session.state.dialog;
      const at = path.findIndex(({ id }) => id === item);
      const entry = this.chat.snapshot.entries.find(shown);
      if (at < 0 || entry === undefined) return;
      const attachments = [...broughtBack(beside), ...session.state.restored];
      session.apply({ type: 'restored', attachments });
      session.apply({ type: 'headMoved', to: path[at - 1]?.id ?? null });
      this.chat.publish({ type: 'cut', from: entry.id, alone: false });
    };
    return this.send(text, { begin, meant });
  }

  /** Asks the last message again: the answer it had stays stored as another branch. */
  async regenerate(): Promise<void> {
    const { session, snapshot } = this.chat;
    const last = session.state.dialog.path.findLast(({ origin }) => origin === 'user');
    if (last?.origin === 'user' && !snapshot.running) await this.edit(last.id, last.text);
  }

  /** Takes a waiting message back into the composer. */
  unqueue(id: number): void {
    const text = this.queue.remove(id);
    if (text !== null) this.chat.draft.giveBack(text);
  }

  /** What stands in the composer meanwhile may be another message. */
  private async run(written: MeantMessage, branch?: Branch): Promise<void> {
    const { session } = this.chat;
    this.work.interrupt();
    const stop = new AbortController();
    this.stop = stop;
    this.unbegun = written.text;
    this.chat.set({ running: true, calls: [], prefill: null });
    const attempt = this.attempt(session, written, branch, stop.signal);
    this.ended = attempt;
    const outcome = await attempt;
    if (this.chat.session !== session) return;
    this.chat.set({ running: false, prefill: null });
    const well = outcome?.report.fault === null;
    const next = well && !stop.signal.aborted ? this.queue.next() : this.giveBack();
    if (this.closing) return;
    if (next !== null) await this.run(next);
    else if (well) await this.chat.open();
    else this.work.scheduler.rested(this.work);
  }

  /** Null where no turn began; why is in the transcript. */
  private async attempt(
    session: Session,
    { text, resolve, choice }: MeantMessage,
    branch: Branch | undefined,
    signal: AbortSignal,
  ): Promise<TurnOutcome | null> {
    const { transcript } = this.chat;
    try {
      const words = text.startsWith('/') ? await this.expand(text, transcript) : text;
      if (words === null || signal.aborted) return null;
      this.settle();
      if (branch === undefined) transcript.ask(words);
      const place = await this.place(signal);
      const approve: Approve = (request, stop) => place.outside(() => this.approvals.ask(request, stop));
      const meant = { text: words, resolve, choice };
      return await this.ask(session, meant, branch, approve, signal).finally(() => place.leave());
    } catch (error) {
      transcript.withdraw();
      if (!signal.aborted) transcript.failed(faultOf(error), false);
      return null;
    }
  }

  /** One conversation asks the model at a time; the view says that this one waits. */
  private async place(signal: AbortSignal): Promise<SchedulerPlace> {
    return takePlace(this.work.scheduler, this.work, async (waiting) => {
      this.chat.set({ waitsForOther: true });
      return waiting(signal).finally(() => this.chat.set({ waitsForOther: false }));
    });
  }

  /** There is a model now, or it is asked for anew: the question whether to load one here too is over. */
  settle(): void {
    const question = loadQuestion(this.chat.snapshot.entries);
    if (question !== null) this.chat.publish({ type: 'cut', from: question.id, alone: true });
  }

  /** The name of a prompt stands for its words; any other line for itself. */
  private async expand(text: string, transcript: Transcript): Promise<string | null> {
    const said = await this.chat.prompts.expand(text);
    if (said.ok) return said.text.trim();
    transcript.info('Prompts', said.words, false);
    return null;
  }

  /** What was not said, and what waited behind it, is the user's again: at once, because a view shows the latest only. */
  private giveBack(): null {
    const words = this.unsaid;
    this.unbegun = null;
    this.queue.clear();
    if (words.length === 0) return null;
    const { id } = this.chat.snapshot.draft;
    this.chat.set({ queue: [], draft: { id: id + 1, text: words.join('\n\n') } });
    return null;
  }

  /** Whoever waited may find another model than there was when it was asked. */
  private async ask(
    session: Session,
    written: MeantMessage,
    branch: Branch | undefined,
    approve: Approve,
    signal: AbortSignal,
  ): Promise<TurnOutcome> {
    const info = await this.life.ready(signal);
    const emit = (event: TurnEvent) => {
      if (event.type === 'called')
        this.last = { session: session.id, model: info.fingerprint, prompt: event.fitted.prompt };
      this.happened(session, event);
    };
    const known = session.state.folds.length;
    const begin = () => branch?.begin(session);
    const outcome = await this.turns.run(session, info, written, { emit, approve, begin }, signal);
    if (this.chat.session === session) {
      this.chat.set({ turns: [...this.chat.snapshot.turns, turnView(outcome.report)] });
      this.chat.foldedByRules(known);
    }
    if (outcome.report.fault === null) this.life.proven();
    else if (this.chat.session === session) this.chat.transcript.failed(outcome.report.fault, true);
    return outcome;
  }

  private happened(session: Session, event: TurnEvent): void {
    if (event.type === 'appended') session.append(this.closing ? interrupted(event.item) : event.item);
    if (event.type === 'text') session.saying(event);
    if (session !== this.chat.session) return;
    const { snapshot, transcript } = this.chat;
    switch (event.type) {
      case 'appended':
        this.unbegun = null;
        transcript.appended(event.item, branchPlaces(session.state.dialog.items));
        return;
      case 'text':
        if (snapshot.prefill !== null) this.chat.set({ prefill: null });
        transcript.streamed(event);
        return;
      case 'prefilling':
        this.chat.showPrefill(event.progress);
        return;
      case 'called':
        this.chat.set({ stack: stackReport(event.fitted), calls: [...snapshot.calls, event.call], prefill: null });
        transcript.counted(this.chat.snapshot.stack?.decisions ?? []);
        return;
      case 'asking':
        this.chat.set({ asks: approvalView(event.request) });
        return;
      case 'decided':
        this.chat.set({ asks: null });
        return;
      default:
        event satisfies never;
    }
  }
}
