// The embedding model in the editor: loaded into the engine's process, gives passages their vectors while nothing else runs.
import type * as vscode from 'vscode';
import type { Signal } from '../../core/dialog/tool.ts';
import { FaultError, reasonOf, wordFault } from '../../core/faults/faults.ts';
import type { FindingClient } from '../../finding/client.ts';
import { type Embed, embedAll, questionVector, type TextModel, textModelOf } from '../../finding/embed.ts';
import type { Query } from '../../finding/finder.ts';
import type { EngineRequests, LoadParams } from '../../protocol/engine.ts';

interface Engine {
  readonly busy: boolean;
  request<K extends 'loadEmbedding' | 'embed'>(
    name: K,
    params: EngineRequests[K]['params'],
    signal?: Signal,
  ): Promise<EngineRequests[K]['result']>;
}

/** The index, as far as its vectors are concerned. */
export interface Indexed {
  client(): Promise<Pick<FindingClient, 'request'> | null>;
  /** Paths that get theirs before all others. */
  readonly near: readonly string[];
}

export interface EmbeddingPorts {
  readonly engine: Engine;
  /** Path of the model; '' for none. */
  readonly path: () => string;
  readonly load: () => Pick<LoadParams, 'gpu' | 'packs' | 'threads'>;
  /** Whether a chat model is loaded, so that its process runs anyway. */
  readonly running: () => boolean;
  /** Whether the machine saves its battery. */
  readonly saving: () => Promise<boolean>;
  readonly log: (words: string) => void;
  /** Tells the user that the model at a path cannot be used. */
  readonly complain: (path: string, reason: string) => void;
}

/** Milliseconds between two looks at whether there is something to do, and without a request before it is done. */
export interface Pauses {
  readonly look: number;
  readonly quiet: number;
}

const pauses: Pauses = { look: 2000, quiet: 3000 };

export class LoadedEmbedding implements vscode.Disposable {
  private readonly ports: EmbeddingPorts;
  private loaded: { readonly path: string; readonly model: Promise<TextModel> } | null = null;
  private stop = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private quietSince = Date.now();
  private working = false;
  private done = false;
  private failed = '';
  private readonly finding: () => Indexed;
  private readonly quiet: number;

  constructor(ports: EmbeddingPorts, finding: () => Indexed, { look, quiet } = pauses) {
    this.ports = ports;
    this.finding = finding;
    this.quiet = quiet;
    this.timer = setInterval(() => void this.work(), look);
    this.timer.unref();
  }

  get active(): boolean {
    return this.ports.path() !== '' && this.ports.path() !== this.failed;
  }

  /** The engine is asked for something else: what is being embedded stops behind its text. */
  busy(busy: boolean): void {
    this.quietSince = Date.now();
    if (busy) this.stop.abort();
  }

  /** The index changed: there may be passages without a vector again. */
  changed(): void {
    this.done = false;
  }

  async vectorOf(text: string, signal: Signal): Promise<Query['vector']> {
    if (!this.active || !this.ports.running()) return undefined;
    return questionVector(text, await this.model(), this.embed, signal);
  }

  private readonly embed: Embed = (texts, signal) => this.ports.engine.request('embed', { texts }, signal);

  private model(): Promise<TextModel> {
    const modelPath = this.ports.path();
    if (this.loaded?.path === modelPath) return this.loaded.model;
    const { gpu, packs, threads } = this.ports.load();
    const params = { modelPath, gpu, threads, ...(packs === undefined ? {} : { packs }) };
    const model = this.ports.engine.request('loadEmbedding', params).then(textModelOf);
    this.loaded = { path: modelPath, model };
    model
      .then(({ words }) => this.ports.log(`embedding: ${words}`))
      .catch((error: unknown) => {
        this.failed = modelPath;
        this.loaded = null;
        // A fault's advice is about the chat model.
        const fault = error instanceof FaultError ? wordFault(error.fault).message : null;
        this.ports.complain(modelPath, fault ?? reasonOf(error));
      });
    return model;
  }

  /** The engine's process was started anew. */
  forget(): void {
    this.loaded = null;
  }

  private async work(): Promise<void> {
    const rests = this.working || this.done || !this.active || !this.ports.running() || this.ports.engine.busy;
    if (rests || Date.now() - this.quietSince < this.quiet) return;
    this.working = true;
    this.stop = new AbortController();
    try {
      const client = await this.finding().client();
      if (client === null || (await this.ports.saving())) return;
      this.done = await embedAll(client, await this.model(), this.embed, this.finding().near, this.stop.signal);
    } catch (error) {
      this.ports.log(`embedding: ${reasonOf(error)}`);
    } finally {
      this.working = false;
    }
  }

  dispose(): void {
    clearInterval(this.timer);
    this.stop.abort();
  }
}
