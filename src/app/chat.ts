// The chat: one session at a time. Takes the view's wishes, runs turns, keeps the slot warm, and publishes what happens.
import { budgetFor, type Policy } from '../core/budget.ts';
import { emptyDialog, moveHead } from '../core/dialog.ts';
import { FaultError, faultOf } from '../core/faults.ts';
import { fitAhead } from '../core/fitPrompt.ts';
import { heldOn, nothingHeld } from '../core/held.ts';
import { stackReport } from '../core/report.ts';
import { systemText } from '../core/systemText.ts';
import type { Tool } from '../core/tool.ts';
import { runTurn } from '../core/turn.ts';
import type { TurnEvent, TurnOutcome, TurnSetup } from '../core/turnPorts.ts';
import type { ModelInfo, Sampling } from '../protocol/engine.ts';
import { emptyView, foldView, type ViewDelta, type ViewState } from '../protocol/view.ts';
import type { Engine, ModelLife } from './modelLife.ts';
import { type Journal, resumeSession, type Session, startSession } from './session.ts';
import { Transcript } from './transcript.ts';

/** Read anew for every request. */
export interface ChatSettings {
  readonly policy: Policy;
  readonly sampling: Sampling;
  /** Prefill what any next message shares while the user reads. */
  readonly warm: boolean;
}

/** The world around a chat. */
export interface Surroundings {
  readonly folders: () => readonly { readonly name: string; readonly path: string }[];
  readonly tools: () => readonly Tool[];
  readonly settings: () => ChatSettings;
  readonly newId: () => string;
  readonly now: () => Date;
}

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

  constructor(engine: Engine, life: ModelLife, journal: Journal | null, around: Surroundings) {
    this.engine = engine;
    this.life = life;
    this.journal = journal;
    this.around = around;
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
    // Published by the model's life.
    const info = await this.life.ensure().catch(() => null);
    if (info !== null && !this.view.running) await this.settle(this.session, info);
  }

  cancel(): void {
    this.stop?.abort();
  }

  /** Replaces an earlier message: what followed it stays stored as another branch. */
  edit(item: string, text: string): Promise<void> {
    const at = this.session.state.dialog.path.findIndex(({ id }) => id === item);
    const entry = this.view.entries.find((shown) => shown.kind === 'user' && shown.item === item);
    if (at < 0 || entry === undefined) return this.send(text);
    return this.send(text, (session) => {
      const dialog = moveHead(session.state.dialog, session.state.dialog.path[at - 1]?.id ?? null);
      session.state = { dialog, held: heldOn(dialog.path, session.state.held) };
      this.publish({ type: 'cut', from: entry.id });
    });
  }

  /** Runs a turn. Words that cannot be sent now go back to the composer. `branch` is called when the turn begins. */
  async send(text: string, branch?: (session: Session) => void): Promise<void> {
    if (text.trim() === '') return;
    if (this.view.running) return this.giveBack(text);
    const { session, transcript } = this;
    const stop = new AbortController();
    this.stop = stop;
    this.set({ running: true, calls: [], prefill: null, draft: { id: this.view.draft.id, text: '' } });
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

  private async turn(
    session: Session,
    info: ModelInfo,
    text: string,
    branch: ((session: Session) => void) | undefined,
    signal: AbortSignal,
  ): Promise<TurnOutcome> {
    branch?.(session);
    const tools = this.toolsFor(info);
    const model = this.engine.model(0, this.around.settings().sampling);
    const emit = (event: TurnEvent) => this.happened(session, event);
    const ports = { model, tools, newId: this.around.newId, emit };
    const outcome = await runTurn(session.state, text.trim(), this.setup(session, info, tools), ports, signal);
    session.state = outcome;
    session.report(outcome.report);
    if (outcome.report.fault === null) this.life.proven();
    else if (this.session === session) this.transcript.failed(outcome.report.fault, true);
    return outcome;
  }

  /** Makes the crossing the next message would meet, shows the stack it will extend, and prefills it. */
  private async settle(session: Session, info: ModelInfo): Promise<void> {
    const { state } = session;
    const request = { ...this.setup(session, info, this.toolsFor(info)), path: state.dialog.path, held: state.held };
    try {
      const fitted = await fitAhead(request, (prompt) => this.engine.request('measure', { prompt }));
      if (this.view.running || session.state !== state || session !== this.session) return;
      session.state = { ...state, held: fitted.held };
      this.set({ stack: stackReport(fitted) });
      if (!this.around.settings().warm) return this.set({ warm: null });
      const { warmed, of, prefill } = await this.engine.request('warm', { slot: 0, prompt: fitted.prompt });
      this.set({ warm: { warmed, of, decoded: prefill.decoded, milliseconds: prefill.milliseconds } });
    } catch {
      // Idle work that fails costs nothing but warmth: the next request meets the same fault and says it.
      this.set({ warm: null });
    }
  }

  private setup(session: Session, info: ModelInfo, tools: readonly Tool[]): TurnSetup {
    const { policy } = this.around.settings();
    const stack = { system: session.system, tools: tools.map(({ schema }) => schema) };
    const syntax = info.toolCalls.format === 'none' ? null : info.toolCalls.syntax;
    return { stack, policy, budget: budgetFor(info.contextSize, policy), syntax };
  }

  private toolsFor(info: ModelInfo): readonly Tool[] {
    return info.toolCalls.format === 'none' ? [] : this.around.tools();
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
    const state = { dialog: emptyDialog, held: nothingHeld };
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
