// The chat: one session at a time. Takes the view's wishes, runs turns, keeps the slot warm, and publishes what happens.
import { budgetFor, type Policy } from '../core/budget.ts';
import { type Dialog, emptyDialog, type Item, moveHead } from '../core/dialog.ts';
import { faultOf, wordFault } from '../core/faults.ts';
import { heldOn, nothingHeld } from '../core/held.ts';
import { projectAhead, type Stack } from '../core/projection.ts';
import { type Report, stackReport } from '../core/report.ts';
import { roomOf } from '../core/strategies/strategy.ts';
import { systemText } from '../core/systemText.ts';
import type { Tool } from '../core/tool.ts';
import { runTurn } from '../core/turn.ts';
import type { TurnEvent, TurnSetup, TurnState } from '../core/turnPorts.ts';
import type { ModelInfo, Sampling } from '../protocol/engine.ts';
import { emptyView, foldView, type ViewDelta, type ViewState } from '../protocol/view.ts';
import type { Engine, ModelLife } from './modelLife.ts';
import { Transcript } from './transcript.ts';

/** Read anew for every request. */
export interface ChatSettings {
  readonly policy: Policy;
  readonly sampling: Sampling;
  /** Prefill what any next message shares while the user reads. */
  readonly warm: boolean;
}

/** Where sessions are kept. Throws a `storeUnavailable` FaultError; the conversation goes on without it. */
export interface Journal {
  createSession(row: {
    readonly id: string;
    readonly workspace: string;
    readonly system: string;
    readonly created: number;
  }): void;
  appendItem(session: string, item: Item): void;
  addReport(session: string, report: Report): void;
  latestSession(workspace: string): { readonly id: string; readonly system: string; readonly dialog: Dialog } | null;
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
  private state: TurnState = { dialog: emptyDialog, held: nothingHeld };
  private session = { id: '', system: '', stored: false };
  private transcript: Transcript;
  private stop: AbortController | null = null;

  constructor(engine: Engine, life: ModelLife, journal: Journal | null, around: Surroundings) {
    this.engine = engine;
    this.life = life;
    this.journal = journal;
    this.around = around;
    this.transcript = new Transcript((delta) => this.publish(delta));
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

  /** Opens the workspace's latest session, or an empty one. */
  resume(): void {
    const latest = this.guard(() => this.journal?.latestSession(this.workspace()) ?? null) ?? null;
    if (latest === null) this.newSession();
    else this.begin({ id: latest.id, system: latest.system, stored: true }, latest.dialog);
  }

  newSession(): void {
    this.stop?.abort();
    const folders = this.around.folders().map(({ name }) => name);
    const system = systemText({ folders, date: this.around.now().toISOString().slice(0, 10) });
    this.begin({ id: this.around.newId(), system, stored: false }, emptyDialog);
  }

  /** Loads the model and prefills what the first message will share. Failures are in the view. */
  async open(): Promise<void> {
    // Published by the model's life.
    const info = await this.life.ensure().catch(() => null);
    if (info !== null && !this.view.running) await this.settle(info);
  }

  cancel(): void {
    this.stop?.abort();
  }

  /** Replaces an earlier message: what followed it stays stored as another branch. */
  async edit(item: string, text: string): Promise<void> {
    if (this.view.running) return;
    const at = this.state.dialog.path.findIndex(({ id }) => id === item);
    const entry = this.view.entries.find((shown) => shown.kind === 'user' && shown.item === item);
    if (at < 0 || entry === undefined) return;
    const dialog = moveHead(this.state.dialog, this.state.dialog.path[at - 1]?.id ?? null);
    this.state = { dialog, held: heldOn(dialog.path, this.state.held) };
    this.publish({ type: 'cut', from: entry.id });
    await this.send(text);
  }

  async send(text: string): Promise<void> {
    if (this.view.running || text.trim() === '') return;
    const session = this.session;
    const stop = new AbortController();
    this.stop = stop;
    this.set({ running: true, calls: [], prefill: null });
    try {
      const info = await this.life.ensure();
      const outcome = await runTurn(
        this.state,
        text.trim(),
        this.setup(info),
        this.ports(session.id, info),
        stop.signal,
      );
      if (this.session === session) this.finish(outcome, outcome.report);
      this.guard(() => this.journal?.addReport(session.id, outcome.report));
    } catch (error) {
      // No turn has begun, so the words go back to where they were typed.
      if (this.session === session) {
        this.transcript.failed(faultOf(error));
        this.set({ draft: { id: this.view.draft.id + 1, text } });
      }
    } finally {
      if (this.session === session) this.set({ running: false, prefill: null });
    }
    if (this.session === session && this.view.engine.state === 'ready') await this.open();
  }

  private finish(state: TurnState, report: Report): void {
    this.state = state;
    if (report.fault === null) this.life.proven();
    else this.transcript.failed(report.fault);
  }

  /** Measures the stack the next message will extend, shows it, and prefills it while idle. */
  private async settle(info: ModelInfo): Promise<void> {
    const { stack, policy, budget } = this.setup(info);
    const { dialog } = this.state;
    const held = heldOn(dialog.path, this.state.held);
    const prompt = projectAhead(stack, dialog.path, held);
    try {
      const measure = await this.engine.request('measure', { prompt });
      const fitted = { prompt, measure, held, budget, room: roomOf(dialog.path, policy, prompt, measure) };
      if (this.view.running) return;
      this.set({ stack: stackReport(fitted) });
      if (!this.around.settings().warm || measure.total > budget.high) return;
      const { warmed, of, prefill } = await this.engine.request('warm', { slot: 0, prompt });
      this.set({ warm: { warmed, of, decoded: prefill.decoded, milliseconds: prefill.milliseconds } });
    } catch (error) {
      // Idle work that fails costs nothing but warmth; the next request meets the same fault and says it.
      this.set({ warm: null, notice: wordFault(faultOf(error)).message });
    }
  }

  private setup(info: ModelInfo): TurnSetup {
    const { policy } = this.around.settings();
    const stack: Stack = { system: this.session.system, tools: this.toolsFor(info).map(({ schema }) => schema) };
    return { stack, policy, budget: budgetFor(info.contextSize, policy) };
  }

  private toolsFor(info: ModelInfo): readonly Tool[] {
    return info.toolCalls.format === 'none' ? [] : this.around.tools();
  }

  private ports(session: string, info: ModelInfo) {
    const model = this.engine.model(0, this.around.settings().sampling);
    const emit = (event: TurnEvent) => this.happened(session, event);
    return { model, tools: this.toolsFor(info), newId: this.around.newId, emit };
  }

  private happened(session: string, event: TurnEvent): void {
    if (event.type === 'appended') this.store(session, event.item);
    if (session !== this.session.id) return;
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

  private begin(session: { id: string; system: string; stored: boolean }, dialog: Dialog): void {
    this.session = session;
    this.state = { dialog, held: nothingHeld };
    this.publish({ type: 'begin', session: session.id });
    this.transcript = new Transcript((delta) => this.publish(delta));
    for (const item of dialog.path) this.transcript.appended(item);
  }

  private store(session: string, item: Item): void {
    const { journal } = this;
    if (journal === null) return;
    this.guard(() => {
      if (!this.session.stored && session === this.session.id) {
        const { id, system } = this.session;
        journal.createSession({ id, workspace: this.workspace(), system, created: this.around.now().getTime() });
        this.session.stored = true;
      }
      journal.appendItem(session, item);
    });
  }

  /** Storing may fail without ending the conversation; the failure is shown. */
  private guard<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      const { message, advice } = wordFault(faultOf(error));
      this.set({ notice: `${message} ${advice}` });
      return undefined;
    }
  }

  private workspace(): string {
    return this.around
      .folders()
      .map(({ path }) => path)
      .join('\n');
  }

  private set(values: Extract<ViewDelta, { type: 'set' }>['values']): void {
    this.publish({ type: 'set', values });
  }
}
