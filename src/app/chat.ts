// The chat: one session at a time. Takes the view's wishes, runs turns, keeps the slots warm, and publishes what happens.
import { moveHead } from '../core/dialog.ts';
import { faultOf } from '../core/faults.ts';
import type { FoldRow } from '../core/fold/foldRow.ts';
import { heldOn } from '../core/held.ts';
import { stackReport } from '../core/report.ts';
import type { TurnEvent, TurnOutcome } from '../core/turnPorts.ts';
import type { ModelInfo, Prefilling } from '../protocol/engine.ts';
import { emptyView, foldView, type ViewDelta, type ViewState } from '../protocol/view.ts';
import { Commands } from './commands.ts';
import { checkpointText, foldWords } from './compactCommand.ts';
import { Desks } from './desks.ts';
import { Draft } from './draft.ts';
import { Folding } from './folding.ts';
import { IdleWork } from './idleWork.ts';
import type { Engine, ModelLife } from './modelLife.ts';
import type { Session } from './session.ts';
import { Sessions } from './sessions.ts';
import { Snapshots } from './snapshots.ts';
import type { Storage } from './storage.ts';
import type { Surroundings } from './surroundings.ts';
import { Transcript } from './transcript.ts';
import { Turns } from './turns.ts';

/** Turns without an idle fold after one was undone. */
const afterUndo = 4;

export class Chat {
  private readonly life: ModelLife;
  private readonly around: Surroundings;
  private view: ViewState = emptyView;
  private readonly listeners = new Set<(delta: ViewDelta) => void>();
  private current: Session;
  private transcript: Transcript;
  private stop: AbortController | null = null;
  private readonly turns: Turns;
  private readonly folding: Folding;
  private readonly desks: Desks;
  private readonly commands: Commands;
  private readonly sessions: Sessions;
  private readonly work: IdleWork;
  readonly draft: Draft;
  readonly snapshots: Snapshots;

  constructor(engine: Engine, life: ModelLife, storage: Storage | null, around: Surroundings) {
    this.life = life;
    this.around = around;
    this.snapshots = new Snapshots(engine, around, () => life.loaded, storage?.sessions ?? null);
    this.turns = new Turns(engine, around, storage?.shelves ?? null, this.snapshots);
    this.folding = new Folding(engine, around, storage?.leases ?? null, this.snapshots);
    this.work = new IdleWork(this, this.turns, this.folding, this.snapshots);
    this.draft = new Draft(this, around.counter, () => this.turns.pace);
    this.sessions = new Sessions(
      storage,
      around,
      (notice) => this.set({ notice }),
      (words) => this.beginInstead(words),
    );
    this.desks = new Desks(storage, around, this);
    const parts = { engine, life, turns: this.turns, work: this.work };
    this.commands = new Commands(this, parts, around, this.desks.all);
    this.transcript = new Transcript((delta) => this.publish(delta));
    this.current = this.sessions.fresh();
  }

  get snapshot(): ViewState {
    return this.view;
  }

  get session(): Session {
    return this.current;
  }

  /** Names the open folders. */
  get workspace(): string {
    return this.sessions.workspace;
  }

  /** Calls back with every change until the returned function is called. */
  listen(listener: (delta: ViewDelta) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  publish(delta: ViewDelta): void {
    this.view = foldView(this.view, delta);
    for (const listener of this.listeners) listener(delta);
  }

  /** The model's state changed; a slot that is not there is not warm. */
  showModel(engine: ViewState['engine']): void {
    this.set(engine.state === 'ready' ? { engine } : { engine, warm: null });
  }

  /** Prompt tokens decoded so far by the request that runs. */
  showPrefill({ done, of, decoded, milliseconds }: Omit<Prefilling, 'slot'>): void {
    this.folding.progress();
    const remaining = decoded === 0 ? null : ((of - done) * milliseconds) / decoded;
    if (this.view.running) this.set({ prefill: { done, of, remaining } });
  }

  /** Opens the workspace's latest session, or an empty one. */
  resume(): void {
    const latest = this.sessions.latest();
    if (typeof latest === 'string') this.beginInstead(latest);
    else this.begin(latest ?? this.sessions.fresh());
  }

  newSession(): void {
    this.stop?.abort();
    this.begin(this.sessions.fresh());
  }

  /** A new session, because of what the words say. */
  private beginInstead(words: string): void {
    this.newSession();
    this.transcript.info('Sessions', `${words} Here begins a new one.`, false);
  }

  /** Goes on with a stored session. Words when it cannot be. */
  openSession(id: string): string | null {
    if (id === this.session.id) return 'It is open already.';
    const session = this.sessions.stored(id);
    if (typeof session === 'string') return session;
    this.stop?.abort();
    this.begin(session);
    void this.open();
    return null;
  }

  /** Deletes a stored session for good; the open one gives way to a new one. Words when it cannot be. */
  deleteSession(id: string): string | null {
    if (id === this.session.id) this.newSession();
    const problem = this.sessions.delete(id);
    if (problem === null) void this.snapshots.forget(id);
    return problem;
  }

  /** Loads the model and prefills what the next message will share. Failures are in the view. */
  async open(): Promise<void> {
    const estimated = this.work.estimate(this.session, this.life);
    // Published by the model's life.
    const info = await this.life.ensure().catch(() => null);
    if (info === null) await estimated;
    else if (!this.view.running && !this.view.folding) await this.work.settle(this.session, info);
  }

  cancel(): void {
    this.stop?.abort();
  }

  /** The window closes: what it has is free for others. */
  dispose(): void {
    this.work.interrupt();
    this.sessions.release();
  }

  /** A workspace file changed: the view says so until its text is in the prompt. */
  showStale(): void {
    const { bundle } = this.session;
    this.set({ stale: bundle !== null && this.around.grounds.stale(bundle) });
  }

  /** Takes changed workspace texts and memories in with the next prompt. It breaks the prefix in front, once. */
  async refreshWorkspace(): Promise<void> {
    this.around.grounds.renew();
    this.session.bundle = null;
    this.session.digest = null;
    this.set({ stale: false });
    if (!this.view.running && this.view.engine.state === 'ready') await this.open();
  }

  /** Replaces an earlier message: what followed it stays stored as another branch. */
  edit(item: string, text: string): Promise<void> {
    const at = this.session.state.dialog.path.findIndex(({ id }) => id === item);
    const entry = this.view.entries.find((shown) => shown.kind === 'user' && shown.item === item);
    if (at < 0 || entry === undefined) return this.send(text);
    return this.send(text, (session) => {
      const dialog = moveHead(session.state.dialog, session.state.dialog.path[at - 1]?.id ?? null);
      session.state = { ...session.state, dialog };
      session.hold(session.state.held.map((held) => heldOn(dialog.path, held)));
      this.publish({ type: 'cut', from: entry.id });
    });
  }

  /** Puts the words of a message into the composer as a command, for the user to look at and send. */
  remember(item: string): void {
    const said = this.session.state.dialog.path.find(({ id }) => id === item);
    if (said?.origin === 'user') this.draft.giveBack(`/remember ${said.text.replace(/\s+/g, ' ').trim()}`);
  }

  /** Runs a turn, or answers a command. Words that cannot be sent now go back to the composer. `branch` is called when the turn begins. */
  async send(text: string, branch?: (session: Session) => void): Promise<void> {
    if (text.trim() === '') return;
    if (this.view.running) return this.draft.giveBack(text);
    const answer = this.command(text.trim());
    if (answer !== null) return answer;
    this.draft.take();
    this.work.interrupt();
    const { session, transcript } = this;
    const stop = new AbortController();
    this.stop = stop;
    this.set({ running: true, calls: [], prefill: null });
    if (branch === undefined) transcript.ask(text.trim());
    const outcome = await this.life
      .ready(stop.signal)
      .then((info) => this.turn(session, info, text, branch, stop.signal))
      .catch((error: unknown) => {
        transcript.withdraw();
        if (!stop.signal.aborted) transcript.failed(faultOf(error), false);
        this.draft.giveBack(text);
        return null;
      });
    if (this.session !== session) return;
    this.set({ running: false, prefill: null });
    if (outcome !== null && outcome.report.fault === null) await this.open();
  }

  /** A typed command, answered in the transcript; null for words to the model. */
  command(line: string): Promise<void> | null {
    const answer = this.commands.answer(line);
    // Of the session that is open now, which the command may have opened.
    const { transcript } = this;
    if (answer !== null) this.draft.take();
    return (
      answer?.then(
        async (said) => {
          if (said?.again === true) this.draft.giveBack(line);
          if (said !== null && said.text !== '') transcript.info(said.title, said.text, false);
          if (!this.view.running) await said?.after?.();
        },
        (error: unknown) => transcript.failed(faultOf(error), false),
      ) ?? null
    );
  }

  /** The user took a fold back: it does not come again at once. */
  keepUnfolded(session: Session): void {
    this.folding.pause(session, afterUndo);
  }

  /** What the user says to a fold's proposal: only then it is kept beyond the session. */
  answerProposal(fold: string, proposal: string, keep: boolean): Promise<void> {
    return this.desks.answerProposal(this.session, this.transcript, { fold, proposal, keep });
  }

  folded(row: FoldRow): void {
    const { checkpoint, proposals } = row;
    if (checkpoint !== null) this.transcript.info(foldWords(row), checkpointText(checkpoint), true);
    if (proposals.length > 0) this.transcript.propose(row.id, proposals);
  }

  private async turn(
    session: Session,
    info: ModelInfo,
    text: string,
    branch: ((session: Session) => void) | undefined,
    signal: AbortSignal,
  ): Promise<TurnOutcome> {
    const emit = (event: TurnEvent) => this.happened(session, event);
    const outcome = await this.turns.run(session, info, text.trim(), emit, signal, () => branch?.(session));
    if (outcome.report.fault === null) this.life.proven();
    else if (this.session === session) this.transcript.failed(outcome.report.fault, true);
    return outcome;
  }

  private happened(session: Session, event: TurnEvent): void {
    if (event.type === 'appended') session.append(event.item);
    if (session !== this.session) return;
    switch (event.type) {
      case 'appended':
        this.transcript.appended(event.item);
        return;
      case 'text':
        if (this.view.prefill !== null) this.set({ prefill: null });
        this.transcript.streamed(event.text);
        return;
      case 'called':
        this.set({ stack: stackReport(event.fitted), calls: [...this.view.calls, event.call], prefill: null });
        return;
      default:
        event satisfies never;
    }
  }

  private begin(session: Session): void {
    this.work.interrupt();
    void this.snapshots.keep();
    this.current = session;
    this.publish({ type: 'begin', session: session.id });
    this.transcript = new Transcript((delta) => {
      if (this.session === session) this.publish(delta);
    });
    this.transcript.begin(session);
  }

  set(values: Extract<ViewDelta, { type: 'set' }>['values']): void {
    this.publish({ type: 'set', values });
  }
}
