// The engines of an editor window: the one that the settings name for all, and those that agents name besides.
import { type Agent, engineOf } from '../../core/agent/agent.ts';
import type { GraphNode } from '../../core/agent/graph.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import type { ModelLife } from '../model/modelLife.ts';
import type { Abilities } from '../ports/abilities.ts';
import type { OwnSummariser } from '../ports/engine.ts';
import type { Snapshots } from './snapshots.ts';

/** An engine, and what is its alone. */
export interface WindowEngine {
  readonly engine: Engine;
  readonly life: ModelLife;
  /** Its slots, and what is kept of them on disk. */
  readonly snapshots: Snapshots;
  /** Counts texts as its model does, as far as it can be asked; left out where one counter serves the window. */
  readonly counter?: TokenCounter;
}

/** Starts and ends engines of other names. An engine that was started has no model loaded yet. */
export interface OtherEngines {
  /** Name of the engine that is there for all. */
  main(): string;
  /** Whether an agent of the settings names it. */
  isNamed(name: string): boolean;
  start(name: string): Omit<WindowEngine, 'snapshots'>;
  /** Called after an engine was ended for good, so that nothing of it is kept. */
  ended(engine: Pick<WindowEngine, 'life'>): Promise<void>;
}

/** Models of a window besides the one of the engine for all. */
export interface ModelSources {
  /** Engines that agents name; null where one engine serves all. */
  readonly others: OtherEngines | null;
  readonly abilities: Abilities;
  /** Loads the model that is set for compaction; null where the chat's own does it. Rejects with a FaultError. */
  readonly summariser: () => Promise<OwnSummariser | null>;
}

export class WindowEngines {
  private readonly main: WindowEngine;
  private readonly named: OtherEngines | null;
  private readonly models: ModelSources;
  private readonly snapshotsOf: (parts: Omit<WindowEngine, 'snapshots'>) => Snapshots;
  private readonly others = new Map<string, WindowEngine>();
  /** Engines that are at work, each with the number of turns that use it. */
  private readonly users = new Map<WindowEngine, number>();

  constructor(main: Omit<WindowEngine, 'snapshots'>, models: ModelSources, snapshotsOf: WindowEngines['snapshotsOf']) {
    this.main = { ...main, snapshots: snapshotsOf(main) };
    this.models = models;
    this.named = models.others;
    this.snapshotsOf = snapshotsOf;
  }

  /** The one of that name, made where it is asked for first; null is the one for all. */
  of(name: string | null): WindowEngine {
    if (name === null || this.named === null || name === this.named.main()) return this.main;
    const known = this.others.get(name);
    if (known !== undefined) return known;
    const parts = this.named.start(name);
    const made = { ...parts, snapshots: this.snapshotsOf(parts) };
    this.others.set(name, made);
    return made;
  }

  /** Counts the engines as at work until the returned function is called. */
  hold(engines: readonly WindowEngine[]): () => void {
    const count = (engine: WindowEngine, more: number) => this.users.set(engine, (this.users.get(engine) ?? 0) + more);
    for (const engine of engines) count(engine, 1);
    return () => {
      for (const engine of engines) if (count(engine, -1).get(engine) === 0) this.users.delete(engine);
    };
  }

  /** Ends those that no agent names any more, or that are the one for all by now, unless they are at work; null where there is none. */
  release(): Promise<unknown> | null {
    const { named } = this;
    const isGone = (name: string) => name === named?.main() || named?.isNamed(name) !== true;
    const gone = [...this.others].filter(([name, engine]) => isGone(name) && !this.users.has(engine));
    for (const [name] of gone) this.others.delete(name);
    return gone.length === 0 ? null : Promise.all(gone.map(([, engine]) => this.end(engine)));
  }

  private async end(engine: WindowEngine): Promise<void> {
    await engine.snapshots.keep();
    await engine.life.close();
    await this.named?.ended(engine);
  }

  /** Tells which abilities models were seen to have. */
  get abilities(): Abilities {
    return this.models.abilities;
  }

  /** Loads the model that is set for compaction; null where the chat's own does it. Rejects with a FaultError. */
  loadSummariser(): Promise<OwnSummariser | null> {
    return this.models.summariser();
  }

  get all(): readonly WindowEngine[] {
    return [this.main, ...this.others.values()];
  }

  /** Stores what the slots hold. Never rejects. */
  async keep(): Promise<void> {
    for (const { snapshots } of this.all) await snapshots.keep();
  }

  /** A session was deleted. Never rejects. */
  async forget(session: string): Promise<void> {
    for (const { snapshots } of this.all) await snapshots.forget(session);
  }

  /** Deletes stored slots that are of no use any more. Never rejects. */
  async tidy(): Promise<void> {
    for (const { snapshots } of this.all) await snapshots.tidy();
  }
}

/** The engines of a conversation, as its agent names them now. */
export class AgentEngines {
  private readonly editor: WindowEngines;
  private readonly agent: () => Agent;
  private readonly changed: () => void;
  /** The engines of each running turn: the agent may be another one by now, and a turn of a session that was left may still be ending. */
  private readonly working = new Set<readonly WindowEngine[]>();

  /** `changed` is called when others are in use than the agent of now names, or no more. */
  constructor(editor: WindowEngines, agent: () => Agent, changed: () => void = () => undefined) {
    this.editor = editor;
    this.agent = agent;
    this.changed = changed;
  }

  /** Counts engines as at work for this conversation until the returned function is called. */
  hold(used: readonly Pick<WindowEngine, 'life'>[]): () => void {
    const engines = this.editor.all.filter(({ life }) => used.some((one) => one.life === life));
    const end = this.editor.hold(engines);
    this.working.add(engines);
    return () => {
      end();
      this.working.delete(engines);
      this.changed();
    };
  }

  /** Ends engines of the window that nothing needs any more; null where there is none. */
  release(): Promise<unknown> | null {
    return this.editor.release();
  }

  /** The engines of this agent's nodes and summaries, the answering one first, and those that are at work. */
  get all(): readonly WindowEngine[] {
    const agent = this.agent();
    const nodes = agent.graph?.nodes ?? [];
    const others = [...nodes.map((node) => engineOf(agent, node)), agent.summariser].filter((name) => name !== null);
    const working = [...this.working].flat();
    return [...new Set([this.answering(agent), ...others.map((name) => this.editor.of(name)), ...working])];
  }

  /** The one that answers. */
  answering(agent = this.agent()): WindowEngine {
    return this.editor.of(engineOf(agent));
  }

  /** Counts as the model that answers does; `counter` does where its engine has none of its own. */
  counterOr(counter: TokenCounter): TokenCounter {
    return { count: (texts) => (this.answering().counter ?? counter).count(texts) };
  }

  /** The one that runs a node. */
  of(agent: Agent, node: GraphNode): WindowEngine {
    return this.editor.of(engineOf(agent, node));
  }

  get abilities(): Abilities {
    return this.editor.abilities;
  }

  /** Loads the model that is set for compaction; null where an engine of the window does it. Rejects with a FaultError. */
  loadSummariser(): Promise<OwnSummariser | null> {
    return this.editor.loadSummariser();
  }

  /** The one that writes summaries, where it is not the one that answers. */
  get summariser(): WindowEngine | null {
    const { summariser } = this.agent();
    const found = summariser === null ? null : this.editor.of(summariser);
    return found === this.answering() ? null : found;
  }

  /** Tokens of the smallest window among the models that its nodes run on, as far as they are loaded; null while none is. */
  get window(): number | null {
    const loaded = this.running.flatMap(({ life }) => life.loaded?.contextSize ?? []);
    return loaded.length === 0 ? null : Math.min(...loaded);
  }

  /** The model that answers; null where one that a node runs on is not loaded. */
  get ready(): ModelInfo | null {
    const { running } = this;
    return running.some(({ life }) => life.loaded === null) ? null : this.life.loaded;
  }

  /** The one that answers, and those that this agent's nodes run on. */
  private get running(): readonly WindowEngine[] {
    const agent = this.agent();
    const nodes = (agent.graph?.nodes ?? []).map((node) => this.of(agent, node));
    return [this.answering(agent), ...nodes];
  }

  get engine(): Engine {
    return this.answering().engine;
  }

  get life(): ModelLife {
    return this.answering().life;
  }

  get snapshots(): Snapshots {
    return this.answering().snapshots;
  }
}
