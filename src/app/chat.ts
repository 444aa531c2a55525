// The chat: one session at a time. Takes the view's wishes, runs turns, keeps the slots warm, and publishes what happens.
import { emptyDialog, moveHead } from '../core/dialog.ts';
import { FaultError, faultOf } from '../core/faults.ts';
import { heldOn } from '../core/held.ts';
import { prometheusText } from '../core/prometheus.ts';
import { stackReport } from '../core/report.ts';
import { systemText } from '../core/systemText.ts';
import type { TurnEvent, TurnOutcome } from '../core/turnPorts.ts';
import type { ModelInfo } from '../protocol/engine.ts';
import { emptyView, foldView, type ViewDelta, type ViewState } from '../protocol/view.ts';
import { type ContextCommand, contextHelp, parseContextCommand } from './contextCommand.ts';
import { answerContext, markItem } from './contextDesk.ts';
import { exportReport } from './exportReport.ts';
import type { Engine, ModelLife } from './modelLife.ts';
import { type Journal, resumeSession, type Session, startSession } from './session.ts';
import type { Surroundings } from './surroundings.ts';
import { Transcript } from './transcript.ts';
import { Turns } from './turns.ts';

/** The commands that look at the prompt. */
type Reporting = Exclude<ContextCommand, { readonly kind: 'help' | 'refresh' | 'metrics' | 'unknown' }>;

export class Chat {
  private readonly life: ModelLife;
  private readonly engine: Engine;
  private readonly journal: Journal | null;
  private readonly around: Surroundings;
  private view: ViewState = emptyView;
  private readonly listeners = new Set<(delta: ViewDelta) => void>();
  private session: Session;
  private transcript: Transcript;
  private stop: AbortController | null = null;
  private readonly turns: Turns;

  constructor(engine: Engine, life: ModelLife, journal: Journal | null, around: Surroundings) {
    this.engine = engine;
    this.life = life;
    this.journal = journal;
    this.around = around;
    this.turns = new Turns(engine, around);
    this.transcript = new Transcript((delta) => this.publish(delta));
    this.session = this.emptySession();
  }

  get snapshot(): ViewState {
    return this.view;
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

  /** Opens the workspace's latest session, or an empty one. */
  resume(): void {
    const { folders, newId } = this.around;
    const say = (notice: string) => this.set({ notice });
    const stored = folders().length === 0 ? null : resumeSession(this.journal, this.workspace(), newId, say);
    this.begin(stored ?? this.emptySession());
  }

  newSession(): void {
    this.stop?.abort();
    this.begin(this.emptySession());
  }

  /** Loads the model and prefills what the next message will share. Failures are in the view. */
  async open(): Promise<void> {
    if (this.life.loaded === null) void this.estimate(this.session);
    // Published by the model's life.
    const info = await this.life.ensure().catch(() => null);
    if (info !== null && !this.view.running) await this.settle(this.session, info);
  }

  cancel(): void {
    this.stop?.abort();
  }

  /** A workspace file changed: the view says so until its text is in the prompt. */
  showStale(): void {
    const { bundle } = this.session;
    this.set({ stale: bundle !== null && this.around.grounds.stale(bundle) });
  }

  /** Takes changed workspace texts in with the next prompt. It breaks the prefix in front, once. */
  async refreshWorkspace(): Promise<void> {
    this.around.grounds.renew();
    this.session.bundle = null;
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
      session.state = { dialog, held: session.state.held.map((held) => heldOn(dialog.path, held)) };
      this.publish({ type: 'cut', from: entry.id });
    });
  }

  /** Runs a turn, or answers a command. Words that cannot be sent now go back to the composer. `branch` is called when the turn begins. */
  async send(text: string, branch?: (session: Session) => void): Promise<void> {
    if (text.trim() === '') return;
    if (this.view.running) return this.giveBack(text);
    const command = parseContextCommand(text);
    if (command?.kind === 'unknown') this.giveBack(text);
    else this.set({ draft: { id: this.view.draft.id, text: '' } });
    if (command !== null) return this.command(command);
    const { session, transcript } = this;
    const stop = new AbortController();
    this.stop = stop;
    this.set({ running: true, calls: [], prefill: null });
    if (branch === undefined) transcript.ask(text.trim());
    const outcome = await this.ready(stop.signal)
      .then((info) => this.turn(session, info, text, branch, stop.signal))
      .catch((error: unknown) => {
        transcript.withdraw();
        if (!stop.signal.aborted) transcript.failed(faultOf(error), false);
        this.giveBack(text);
        return null;
      });
    if (this.session !== session) return;
    this.set({ running: false, prefill: null });
    if (outcome !== null && outcome.report.fault === null) await this.open();
  }

  /** `/context` and its kin. */
  async command(command: ContextCommand): Promise<void> {
    const { session, transcript } = this;
    try {
      switch (command.kind) {
        case 'help':
          return transcript.info('Context: commands', contextHelp, false);
        case 'unknown':
          return transcript.info('Context', command.words, false);
        case 'refresh':
          await this.refreshWorkspace();
          return transcript.info('Context', 'The workspace texts are read anew for the next message.', false);
        case 'metrics':
          return this.around.openText('plaintext', prometheusText(this.turns.mechanisms(session)));
        default:
          return await this.report(command, session, transcript);
      }
    } catch (error) {
      transcript.failed(faultOf(error), false);
    }
  }

  /** Shows the prompt that the next message extends, as a whole or an item of it. Without a model its tokens are estimates. */
  private async report(command: Reporting, session: Session, transcript: Transcript): Promise<void> {
    const wanted = this.life.ensure();
    const info = command.kind === 'export' ? await wanted : await wanted.catch(() => null);
    if (session !== this.session) return;
    if ('item' in command) markItem(command, session);
    const fitted = info === null ? await this.turns.estimate(session) : await this.turns.ahead(session, info);
    if (session !== this.session) return;
    const { agent } = this.around.settings();
    const desk = { session, agent, fitted, calls: this.view.calls, mechanisms: this.turns.mechanisms(session) };
    if (command.kind === 'export') {
      const prompt = await this.engine.request('spell', { prompt: fitted.prompt });
      return this.around.openText(command.format, exportReport(command.format, desk, prompt));
    }
    const { title, text } = answerContext(command, desk);
    transcript.info(title, text, false);
    const decided = 'item' in command && command.kind !== 'detail';
    if (decided && info !== null && !this.view.running) await this.settle(session, info);
  }

  /** The model, unless the wait for it is cancelled. */
  private async ready(signal: AbortSignal): Promise<ModelInfo> {
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new FaultError({ kind: 'engineStopped' })), { once: true });
    });
    // When nobody waits any more, a cancel is no failure.
    cancelled.catch(() => undefined);
    const info = await Promise.race([this.life.ensure(), cancelled]);
    if (signal.aborted) throw new FaultError({ kind: 'engineStopped' });
    return info;
  }

  /** Shows the stack while the model loads, in estimated tokens. */
  private async estimate(session: Session): Promise<void> {
    try {
      const fitted = await this.turns.estimate(session);
      if (session === this.session && this.life.loaded === null) this.set({ stack: stackReport(fitted) });
    } catch {
      // Only the picture before the exact one.
    }
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

  /** Makes the crossing the next message would meet, shows the stack it will extend, and prefills it. */
  private async settle(session: Session, info: ModelInfo): Promise<void> {
    const still = () => !this.view.running && session === this.session;
    try {
      const settled = await this.turns.settle(session, info, still);
      if (settled === null || session !== this.session) return;
      const { fitted, warmth } = settled;
      const warm = warmth && {
        warmed: warmth.warmed,
        of: warmth.of,
        decoded: warmth.prefill.decoded,
        milliseconds: warmth.prefill.milliseconds,
      };
      this.set(this.view.running ? { warm } : { warm, stack: stackReport(fitted) });
      this.showStale();
    } catch {
      // Idle work that fails costs nothing but warmth: the next request meets the same fault and says it.
      this.set({ warm: null });
    }
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
    this.session = session;
    this.publish({ type: 'begin', session: session.id });
    this.transcript = new Transcript((delta) => {
      if (this.session === session) this.publish(delta);
    });
    for (const item of session.state.dialog.path) this.transcript.appended(item);
  }

  private emptySession(): Session {
    const { folders, now, newId } = this.around;
    const names = folders().map(({ name }) => name);
    const system = systemText({ folders: names, date: now().toISOString().slice(0, 10) });
    const row = { id: newId(), workspace: this.workspace(), system, created: now().getTime() };
    const state = { dialog: emptyDialog, held: [] };
    return startSession(this.journal, row, state, (notice) => this.set({ notice }));
  }

  /** The same for the same folders in any order. */
  private workspace(): string {
    return this.around
      .folders()
      .map(({ path }) => path)
      .toSorted()
      .join('\n');
  }

  private giveBack(text: string): void {
    this.set({ draft: { id: this.view.draft.id + 1, text } });
  }

  private set(values: Extract<ViewDelta, { type: 'set' }>['values']): void {
    this.publish({ type: 'set', values });
  }
}
