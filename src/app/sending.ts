// Sends messages, one turn at a time. What is sent while an answer is being written waits in a queue.
import { moveHead } from '../core/dialog.ts';
import { faultOf } from '../core/faults.ts';
import { heldOn } from '../core/held.ts';
import { stackReport } from '../core/report.ts';
import type { TurnEvent, TurnOutcome } from '../core/turnPorts.ts';
import type { ModelInfo } from '../protocol/engine.ts';
import type { ViewDelta, ViewState } from '../protocol/view.ts';
import type { Draft } from './draft.ts';
import type { IdleWork } from './idleWork.ts';
import type { ModelLife } from './modelLife.ts';
import type { Prompts } from './prompts.ts';
import type { Session } from './session.ts';
import type { Transcript } from './transcript.ts';
import type { Turns } from './turns.ts';
import { turnView } from './turnView.ts';

/** The chat as it sends. */
export interface Talk {
  readonly snapshot: ViewState;
  readonly session: Session;
  readonly transcript: Transcript;
  readonly draft: Draft;
  readonly prompts: Prompts;
  set(values: Partial<Omit<ViewState, 'entries'>>): void;
  publish(delta: ViewDelta): void;
  /** Answers a typed command; null for words to the model. */
  command(line: string): Promise<void> | null;
  open(): Promise<void>;
}

/** Called when the turn begins. */
type Branch = (session: Session) => void;

export class Sending {
  private readonly chat: Talk;
  private readonly life: ModelLife;
  private readonly turns: Turns;
  private readonly work: IdleWork;
  private stop: AbortController | null = null;
  private queued = 0;

  constructor(chat: Talk, life: ModelLife, turns: Turns, work: IdleWork) {
    this.chat = chat;
    this.life = life;
    this.turns = turns;
    this.work = work;
  }

  /** Ends the running turn. What waits goes back to the composer. */
  cancel(): void {
    this.stop?.abort();
  }

  /** Runs a turn, or answers a command. What cannot be sent goes back to the composer. */
  async send(text: string, branch?: Branch): Promise<void> {
    if (text.trim() === '') return;
    const answer = branch === undefined ? this.chat.command(text.trim()) : null;
    if (answer !== null) return answer;
    if (!this.chat.snapshot.running)
      return text.trim().startsWith('/') ? this.expand(text, branch) : this.run(text, branch);
    if (branch === undefined) this.wait(text);
    else this.chat.draft.giveBack(text);
  }

  /** Replaces an earlier message: what followed it stays stored as another branch. */
  edit(item: string, text: string): Promise<void> {
    const { session, snapshot } = this.chat;
    const at = session.state.dialog.path.findIndex(({ id }) => id === item);
    const entry = snapshot.entries.find((shown) => shown.kind === 'user' && shown.item === item);
    if (at < 0 || entry === undefined) return this.send(text);
    return this.send(text, (current) => {
      const dialog = moveHead(current.state.dialog, current.state.dialog.path[at - 1]?.id ?? null);
      current.state = { ...current.state, dialog };
      current.hold(current.state.held.map((held) => heldOn(dialog.path, held)));
      this.chat.publish({ type: 'cut', from: entry.id });
    });
  }

  /** Asks the last message again: the answer it had stays stored as another branch. */
  async regenerate(): Promise<void> {
    const { session, snapshot } = this.chat;
    const last = session.state.dialog.path.findLast(({ origin }) => origin === 'user');
    if (last?.origin === 'user' && !snapshot.running) await this.edit(last.id, last.text);
  }

  /** Takes a waiting message back into the composer. */
  unqueue(id: number): void {
    const { snapshot, draft } = this.chat;
    const found = snapshot.queue.find((waiting) => waiting.id === id);
    if (found === undefined) return;
    this.chat.set({ queue: snapshot.queue.filter((waiting) => waiting !== found) });
    draft.giveBack(found.text);
  }

  /** The name of a prompt stands for its words; any other line for itself. */
  private async expand(text: string, branch?: Branch): Promise<void> {
    const said = await this.chat.prompts.expand(text);
    if (!said.ok) {
      this.chat.transcript.info('Prompts', said.words, false);
      return this.chat.draft.giveBack(text);
    }
    // Meanwhile another message may have been sent.
    return this.chat.snapshot.running ? this.send(text, branch) : this.run(said.text, branch);
  }

  private wait(text: string): void {
    this.chat.draft.take();
    this.queued += 1;
    this.chat.set({ queue: [...this.chat.snapshot.queue, { id: this.queued, text: text.trim() }] });
  }

  private async run(text: string, branch?: Branch): Promise<void> {
    const { session, transcript, draft } = this.chat;
    draft.take();
    this.work.interrupt();
    const stop = new AbortController();
    this.stop = stop;
    this.chat.set({ running: true, calls: [], prefill: null });
    if (branch === undefined) transcript.ask(text.trim());
    const outcome = await this.life
      .ready(stop.signal)
      .then((info) => this.turn(session, info, text, branch, stop.signal))
      .catch((error: unknown) => {
        transcript.withdraw();
        if (!stop.signal.aborted) transcript.failed(faultOf(error), false);
        draft.giveBack(text);
        return null;
      });
    if (this.chat.session !== session) return;
    this.chat.set({ running: false, prefill: null });
    const well = outcome !== null && outcome.report.fault === null;
    const next = well && !stop.signal.aborted ? this.next() : this.giveBack();
    if (next !== null) await this.send(next);
    else if (well) await this.chat.open();
  }

  /** Takes the first waiting message. */
  private next(): string | null {
    const [first, ...queue] = this.chat.snapshot.queue;
    if (first === undefined) return null;
    this.chat.set({ queue });
    return first.text;
  }

  /** What waited for an answer that did not come is the user's again. */
  private giveBack(): null {
    const { queue } = this.chat.snapshot;
    if (queue.length === 0) return null;
    this.chat.set({ queue: [] });
    this.chat.draft.giveBack(queue.map(({ text }) => text).join('\n\n'));
    return null;
  }

  private async turn(
    session: Session,
    info: ModelInfo,
    text: string,
    branch: Branch | undefined,
    signal: AbortSignal,
  ): Promise<TurnOutcome> {
    const emit = (event: TurnEvent) => this.happened(session, event);
    const outcome = await this.turns.run(session, info, text.trim(), emit, signal, () => branch?.(session));
    if (this.chat.session === session)
      this.chat.set({ turns: [...this.chat.snapshot.turns, turnView(outcome.report)] });
    if (outcome.report.fault === null) this.life.proven();
    else if (this.chat.session === session) this.chat.transcript.failed(outcome.report.fault, true);
    return outcome;
  }

  private happened(session: Session, event: TurnEvent): void {
    if (event.type === 'appended') session.append(event.item);
    if (session !== this.chat.session) return;
    const { snapshot, transcript } = this.chat;
    switch (event.type) {
      case 'appended':
        transcript.appended(event.item);
        return;
      case 'text':
        if (snapshot.prefill !== null) this.chat.set({ prefill: null });
        transcript.streamed(event.text);
        return;
      case 'called':
        this.chat.set({ stack: stackReport(event.fitted), calls: [...snapshot.calls, event.call], prefill: null });
        transcript.counted(this.chat.snapshot.stack?.decisions ?? []);
        return;
      default:
        event satisfies never;
    }
  }
}
