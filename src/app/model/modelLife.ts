// The life of the loaded model: loading on first need, restart with back-off after a crash, reload when settings change.
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { Fault } from '../../core/faults/fault.ts';
import { restartAction } from '../../core/faults/faultActions.ts';
import { FaultError, faultOf, wordFault } from '../../core/faults/faults.ts';
import type { MemoryPlan } from '../../core/machine/memoryPlan.ts';
import type { LoadParams } from '../../protocol/engine.ts';
import { type EngineView, emptyView } from '../../protocol/view.ts';
import type { Abilities } from '../ports/abilities.ts';
import type { LocalEngine } from '../ports/engine.ts';
import { orStopped } from '../ports/stopping.ts';
import { connectingView, elsewhereView, loadingView, readyView, stateView, stillView } from './engineViews.ts';
import type { OneModel } from './oneModel.ts';

/** Waits in milliseconds before the first, second and third restart; after that the user decides. */
const restartWaits: readonly number[] = [500, 2000, 8000];

export interface ModelLifePorts {
  readonly engine: Pick<LocalEngine, 'load' | 'dispose'>;
  /** Completes the parameters of a server once it may be used. Rejects with a FaultError where it may not; left out where nobody is asked. */
  readonly prepare?: (params: LoadParams) => Promise<LoadParams>;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly publish: (view: EngineView) => void;
  /** The words for what a model was seen to do. */
  readonly abilities: Pick<Abilities, 'words'>;
  /** The machine's place for a model. */
  readonly place: Pick<OneModel, 'take' | 'release' | 'share'>;
  /** Whether the model fits comfortably beside that of another window. */
  readonly fitsBeside: (params: LoadParams) => Promise<boolean>;
}

type State =
  /** Nobody asked for it yet, or it failed. */
  | { readonly is: 'none' }
  /** It lacks a reason to load: nobody needed it, or another window has one. */
  | { readonly is: 'waiting' }
  /** `plan`: the memory that it will take, once that is known. */
  | { readonly is: 'loading'; readonly model: Promise<ModelInfo>; readonly plan: MemoryPlan | null }
  | { readonly is: 'loaded'; readonly info: ModelInfo }
  /** No agent names its engine any more. */
  | { readonly is: 'closed' };

export class ModelLife {
  private readonly ports: ModelLifePorts;
  private readonly wanted: () => LoadParams;
  private state: State = { is: 'none' };
  /** With these it was loaded last, or was to be. */
  private params: LoadParams | null = null;
  private crashes = 0;
  private latest = emptyView.engine;

  constructor(ports: ModelLifePorts, wanted: () => LoadParams) {
    this.ports = ports;
    this.wanted = wanted;
  }

  /** The view that was published last. */
  get shown(): EngineView {
    return this.latest;
  }

  private publish(view: EngineView): void {
    this.latest = view;
    this.ports.publish(view);
  }

  private leave(): void {
    this.ports.place.release(this);
  }

  /** Settings changed that count at once: a server that is asked, or connected to, is so with them, or not at all. */
  recheck(): void {
    if (!this.isAsked || this.params?.server === undefined || sameParams(this.params, this.wanted())) return;
    void this.ensure().catch(() => undefined);
  }

  /** Connects anew where it runs on the server of that address, or tried to. */
  reconnect(origin: string): void {
    const url = this.params?.server?.url;
    if (this.state.is === 'closed' || url === undefined || URL.parse(url)?.origin !== origin) return;
    void this.restart().catch(() => undefined);
  }

  /** The model that is loaded now. */
  get loaded(): ModelInfo | null {
    return this.state.is === 'loaded' ? this.state.info : null;
  }

  private get isAsked(): boolean {
    return this.state.is === 'loading' || this.state.is === 'loaded';
  }

  /** Whether nothing failed and the model only lacks a reason to load. */
  get waits(): boolean {
    return this.state.is === 'waiting';
  }

  /** The loaded model, loading it first where needed. Rejects with a FaultError; the state published says the same. */
  ensure(): Promise<ModelInfo> {
    const { state } = this;
    if (state.is === 'closed') return Promise.reject(new FaultError({ kind: 'engineStopped' }));
    const wanted = this.wanted();
    if (this.isAsked && !sameParams(this.params, wanted)) return this.restart();
    if (state.is === 'loading') return state.model;
    if (state.is === 'loaded') return Promise.resolve(state.info);
    if (!sameParams(this.params, wanted)) this.crashes = 0;
    this.params = wanted;
    return this.load(wanted);
  }

  /** The same, unless the wait for it is cancelled. */
  ready(signal: AbortSignal): Promise<ModelInfo> {
    return orStopped(this.ensure(), signal);
  }

  /** Ends the process and loads again, with the settings of now. */
  async restart(): Promise<ModelInfo> {
    this.crashes = 0;
    this.state = { is: 'none' };
    this.publish(stateView('loading', 'Restarting the model…', '', 0));
    await this.ports.engine.dispose();
    return this.ensure();
  }

  /** Loads a model also where another window has one. */
  loadHere(): Promise<ModelInfo> {
    this.ports.place.share();
    return this.ensure();
  }

  /** Nothing needed the model for so many minutes: its memory is free until it is asked for. */
  unload(minutes: number): Promise<void> {
    const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    return this.end(
      stateView(
        'off',
        `The model was unloaded after ${time} of rest.`,
        'It is loaded again with your next message.',
        null,
      ),
    );
  }

  /** No agent names its engine any more: it is not loaded again, whoever still knows of it. */
  async close(): Promise<void> {
    this.state = { is: 'closed' };
    await this.ports.engine.dispose();
    this.leave();
  }

  /** Another window has the machine's place. */
  giveWay(): Promise<void> {
    return this.end(elsewhereView());
  }

  private async end(shown: EngineView): Promise<void> {
    this.state = { is: 'waiting' };
    this.publish(shown);
    await this.ports.engine.dispose();
    // The model may have been asked for while the process ended.
    if (!this.isAsked) this.leave();
  }

  /** Shows how much memory the model that is about to be loaded will take. */
  planned(memory: MemoryPlan): void {
    if (this.state.is !== 'loading') return;
    this.state = { ...this.state, plan: memory };
    this.progress(0);
  }

  progress(share: number): void {
    if (this.state.is === 'loading') this.publish(loadingView(share, this.state.plan));
  }

  /** Says of the loaded model what is known of it now. */
  show(): void {
    const shown = this.view();
    if (shown !== null) this.publish(shown);
  }

  /** Gives the view of the loaded model; null where none is loaded. */
  private view(): EngineView | null {
    const { loaded, params } = this;
    return loaded === null || params === null ? null : readyView(loaded, params, this.ports.abilities.words(loaded));
  }

  /** Its server has a smaller window than it told, in tokens: prompts are made for that one from now on. */
  narrowed(contextSize: number): void {
    const { loaded } = this;
    if (loaded === null || loaded.contextSize <= contextSize) return;
    this.state = { is: 'loaded', info: { ...loaded, contextSize } };
    this.show();
  }

  /** The process has not answered for so many seconds; null: it does again. */
  quiet(seconds: number | null): void {
    const shown = this.view();
    if (shown !== null) this.publish(seconds === null ? shown : stillView(shown, seconds));
    else if (seconds !== null && this.state.is === 'loading' && this.params?.server !== undefined)
      this.publish(connectingView(seconds));
  }

  /** A request failed with this: a server that is not as it was is looked at anew with the next message. */
  lost(fault: Fault): void {
    if (fault.kind !== 'server' || fault.problem.is !== 'changed') return;
    if (fault.problem.host !== this.loaded?.server?.host) return;
    this.state = { is: 'none' };
    this.failed(fault);
  }

  private failed(fault: Fault): void {
    const { message, advice, actions } = wordFault(fault);
    this.publish(stateView('failed', message, advice, null, actions));
  }

  /** A turn ended well: crashes before it no longer count. */
  proven(): void {
    this.crashes = 0;
  }

  /** Called when the process died unasked. Loads again after a wait that grows, three times at most. */
  async crashed(fault: Fault): Promise<void> {
    if (this.state.is === 'closed') return;
    this.state = { is: 'none' };
    if (fault.kind !== 'engineCrashed') {
      // The same file would do it again.
      this.leave();
      return this.failed(fault);
    }
    const { message, advice: own, actions } = wordFault(fault);
    const pause = restartWaits[this.crashes++];
    if (pause === undefined) {
      this.leave();
      const advice = `It crashed too often to be restarted automatically. ${own}`;
      this.publish(stateView('failed', message, advice, null, [restartAction, ...actions]));
      return;
    }
    this.publish(stateView('restarting', message, 'It restarts automatically.', null));
    await this.ports.wait(pause);
    // A failure to load is published by ensure; nobody waits here for its result.
    await this.ensure().catch(() => undefined);
  }

  private load(params: LoadParams): Promise<ModelInfo> {
    // A model elsewhere takes no memory of this machine.
    if (params.server !== undefined) this.leave();
    const isElsewhere = params.server === undefined && !this.ports.place.take(this);
    this.publish(params.server === undefined ? loadingView(0, null) : connectingView(0));
    // None of them looks at `model` before its first wait.
    const isWanted = () => this.state.is === 'loading' && this.state.model === model;
    const model = isElsewhere ? this.loadBeside(params, isWanted) : this.loadNow(params, isWanted);
    this.state = { is: 'loading', model, plan: null };
    return model;
  }

  /** Another window has a model: there is a second one without a question where both fit. */
  private async loadBeside(params: LoadParams, isWanted: () => boolean): Promise<ModelInfo> {
    const fits = await this.ports.fitsBeside(params);
    if (!isWanted() && this.isAsked) return this.ensure();
    if (isWanted()) {
      this.state = { is: 'waiting' };
      if (fits) return this.loadHere();
      this.publish(elsewhereView());
    }
    throw new FaultError({ kind: 'modelElsewhere' });
  }

  /** Only a load that is still wanted may speak, and a crash is answered by `crashed`, which comes next. */
  private async loadNow(params: LoadParams, isWanted: () => boolean): Promise<ModelInfo> {
    try {
      const info = await this.prepared(params, isWanted);
      if (isWanted()) {
        this.state = { is: 'loaded', info };
        this.show();
      }
      return info;
    } catch (error) {
      const fault = faultOf(error);
      if (isWanted()) {
        this.state = { is: 'none' };
        if (fault.kind !== 'engineCrashed') {
          this.leave();
          this.failed(fault);
        }
      }
      throw new FaultError(fault);
    }
  }

  /** The user may have been asked, and may have chosen something else meanwhile. */
  private async prepared(params: LoadParams, isWanted: () => boolean): Promise<ModelInfo> {
    const { engine, prepare } = this.ports;
    if (params.server === undefined || prepare === undefined) return engine.load(params);
    const complete = await prepare(params);
    if (!isWanted()) throw new FaultError({ kind: 'engineStopped' });
    return engine.load(complete);
  }
}

function sameParams(a: LoadParams | null, b: LoadParams): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
