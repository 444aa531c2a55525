// The engine process as the host sees it: started on demand, typed requests that always settle, told when it dies.

import type { ChildProcess } from 'node:child_process';
import {
  CancellationTokenSource,
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageConnection,
  ResponseError,
} from 'vscode-jsonrpc/node';
import type { Signal } from '../core/dialog/tool.ts';
import { Emitter } from '../core/emitter.ts';
import type { Engine } from '../core/engine/engine.ts';
import type { ModelInfo } from '../core/engine/modelInfo.ts';
import type { Fault } from '../core/faults/fault.ts';
import { FaultError, faultOf, reasonOf } from '../core/faults/faults.ts';
import type { MemoryPlan } from '../core/machine/memoryPlan.ts';
import type { Model, PrefillProgress } from '../core/model/model.ts';
import type { SeededSampling } from '../core/model/sampling.ts';
import { leastToldWindow } from '../core/prompt/budget.ts';
import type { Prompt } from '../core/prompt/prompt.ts';
import {
  beat,
  type EngineErrorData,
  type EngineNotices,
  type EngineRequests,
  type GenerateParams,
  type LoadParams,
  type PromptByNumber,
} from '../protocol/engine.ts';
import { isMessage } from '../protocol/message.ts';

// Tells an engine process that hangs from one that works: it beats once a second while it has work, and a generation tells how far it is.
// Beats are counted by this process's own ticks, so a machine that slept is no process that hung.

/** Without a beat for so many ticks it is said; one that was told to stop is ended after fewer. */
const saidAfter = 10;
const endedAfter = 3;
/** A chat template gets no longer: on a slow machine one is tried within a second. */
const templateAfter = 10;
/** A request that tells nothing for so many times its longest silence before, or for so many ticks where there was none, makes no progress. */
const longer = 10;
const fewest = 60;
/** The same for one that a server answers: who waits for it is told soon, and may stop it. */
const fewestElsewhere = 20;

/** A running request: ticks since its last progress, and the most ticks between two. A request that reports no progress is never late. */
interface Progress {
  silent: number;
  longest: number;
  /** A server answers it: that it is silent says nothing of this process. */
  readonly elsewhere: boolean;
}

/** The reports that a request makes to the watch. */
interface WatchedRequest {
  readonly told: () => void;
  /** The user stopped it. */
  readonly stopped: () => void;
  readonly end: () => void;
}

interface HangPorts {
  /** The process has not answered for so many seconds; null once it answers again. */
  readonly quiet: (seconds: number | null) => void;
  /** The process is to be ended. */
  readonly end: () => void;
  /** Runs it at each tick, until the function that comes back is called. */
  readonly every: (run: () => void) => () => void;
}

export class HangWatch {
  private readonly ports: HangPorts;
  private readonly asked = new Set<Progress>();
  private stopping = 0;
  private silent = 0;
  private said: number | null = null;
  private still: (() => void) | null = null;
  /** The chat template is tried now. */
  inTemplate = false;
  /** Why the process was ended; '' where it was not. */
  reason = '';

  constructor(ports: HangPorts) {
    this.ports = ports;
  }

  /** The process said something. */
  heard(): void {
    this.silent = 0;
    this.say();
  }

  /** A request was sent. `tells`: it says how far it is. `elsewhere`: a server answers it. */
  begin(tells: boolean, elsewhere = false): WatchedRequest {
    const own: Progress = { silent: tells ? 0 : Number.NEGATIVE_INFINITY, longest: 0, elsewhere };
    this.asked.add(own);
    this.still ??= this.ports.every(() => this.tick());
    let isStopping = false;
    return {
      told: () => {
        own.longest = Math.max(own.longest, own.silent);
        // The others may wait for this one.
        for (const one of this.asked) if (one.silent > 0) one.silent = 0;
        this.heard();
      },
      stopped: () => {
        if (isStopping) return;
        isStopping = true;
        this.stopping += 1;
      },
      end: () => {
        if (isStopping) this.stopping -= 1;
        this.asked.delete(own);
        if (this.asked.size === 0) this.rest();
      },
    };
  }

  /** Nothing waits any more. */
  rest(): void {
    this.still?.();
    this.still = null;
    this.silent = 0;
    this.say();
  }

  private tick(): void {
    this.silent += 1;
    for (const one of this.asked) one.silent += 1;
    this.say();
    if (this.inTemplate && this.silent >= templateAfter) this.end(`it did not end within ${templateAfter} seconds`);
    const stuck = this.stuck(({ elsewhere }) => !elsewhere);
    if (this.stopping > 0 && (this.silent >= endedAfter || stuck > 0))
      this.end(`it did not answer for ${Math.max(this.silent, stuck)} seconds`);
  }

  private end(reason: string): void {
    this.reason = reason;
    this.ports.end();
  }

  /** Seconds for which one of such requests has told nothing, where that is much longer than before; 0 otherwise. */
  private stuck(counts: (request: Progress) => boolean): number {
    const isLate = ({ silent, longest, elsewhere }: Progress) =>
      silent >= (elsewhere ? fewestElsewhere : Math.max(fewest, longer * longest));
    return Math.max(0, ...[...this.asked].filter((one) => counts(one) && isLate(one)).map(({ silent }) => silent));
  }

  private say(): void {
    const silent = this.silent >= saidAfter ? this.silent : this.stuck(() => true);
    const seconds = silent > 0 ? silent : null;
    if (seconds === this.said) return;
    this.said = seconds;
    this.ports.quiet(seconds);
  }
}

/** Which fault the end of the process is. A chat template is a program of whoever made the file, and this is how a bad one ends. */
function faultAt({ inTemplate, reason }: HangWatch, ended: string): Fault {
  if (inTemplate)
    return { kind: 'templateUnusable', reason: reason === '' ? `the process ended over it (${ended})` : reason };
  return { kind: 'engineCrashed', reason: reason === '' ? ended : reason };
}

// The engine's port over requests: each method is one request, and what is told while it runs goes to who asked.

/** The notices of a running request. */
export interface Hearing {
  readonly text?: (text: string) => void;
  readonly prefilling?: (progress: PrefillProgress) => void;
}

export type AskEngine = <K extends keyof EngineRequests>(
  name: K,
  params: EngineRequests[K]['params'],
  signal?: Signal,
  hearing?: Hearing,
) => Promise<EngineRequests[K]['result']>;

type Methods = Omit<Engine, 'model'> & { load(params: LoadParams): Promise<ModelInfo> };

export function engineMethods(ask: AskEngine): Methods {
  return {
    load: (params) => ask('load', params),
    measure: (prompt, signal) => ask('measure', { prompt }, signal),
    count: (texts) => ask('count', { texts }),
    prefill: (request, prefilling, signal) => ask('warm', request, signal, { prefilling }),
    states: {
      save: (request) => ask('saveSnapshot', request),
      load: (request) => ask('loadSnapshot', request),
    },
    spelling: {
      text: (prompt) => ask('spell', { prompt }),
      pieces: (prompt) => ask('spellPieces', { prompt }),
    },
    speed: (signal) => ask('speed', {}, signal),
    attempt: (attempt, signal) => ask('attempt', attempt, signal),
    complete: (request, text, signal) => ask('complete', request, signal, { text }),
  };
}

/** Reports progress to the watch whenever the request is heard. */
function heardBy({ text, prefilling }: Hearing, { told }: WatchedRequest): Hearing {
  return {
    text: (words) => {
      told();
      text?.(words);
    },
    prefilling: (progress) => {
      told();
      prefilling?.(progress);
    },
  };
}

type Forced = NonNullable<GenerateParams['forced']>;

interface Running {
  readonly child: ChildProcess;
  readonly connection: MessageConnection;
  readonly ended: Promise<Fault>;
  readonly watch: HangWatch;
  /** The requests that have no answer yet. */
  readonly waiting: Set<(fault: Fault) => void>;
}

/** Leaves out what is no message. */
class SoundReader extends IPCMessageReader {
  override listen(hear: Parameters<IPCMessageReader['listen']>[0]) {
    return super.listen((message) => isMessage(message) && hear(message));
  }
}

export class EngineClient implements Engine {
  private readonly start: () => ChildProcess;
  /** The memory that the model will take, told before it is loaded. */
  readonly planned = new Emitter<MemoryPlan>();
  /** 0 to 1 while a model loads. */
  readonly loading = new Emitter<number>();
  /** A request other than for vectors was sent or answered: whether any is under way. */
  readonly working = new Emitter<boolean>();
  /** The process ended without being asked to. Everything pending has been rejected with the same fault. */
  readonly crashed = new Emitter<Fault>();
  /** Seconds without an answer from the process; null once it answers again. */
  readonly quiet = new Emitter<number | null>();
  /** Tokens: the server refused a prompt, and its window is smaller than it told. */
  readonly narrowed = new Emitter<number>();
  private running: Running | null = null;
  private closed = false;
  /** Requests under way, but those for vectors. */
  private asked = 0;
  /** Who hears what is told while a request runs, by the request's number. */
  private readonly hearers = new Map<number, Hearing>();
  private number = 0;
  /** The prompts that the process was sent, by the number that names them there. */
  private prompts = new WeakMap<Prompt, number>();
  private readonly methods = engineMethods((...asked) => this.request(...asked));
  readonly measure = this.methods.measure;
  readonly count = this.methods.count;
  readonly prefill = this.methods.prefill;
  readonly attempt = this.methods.attempt;
  complete: Engine['complete'] = null;

  /** The server that runs the model, if any: then no states of slots are kept here, and no speed is measured. */
  private server: ModelInfo['server'];
  private window = 0;

  /** `start` forks the engine with an IPC channel and advanced serialization. */
  constructor(start: () => ChildProcess) {
    this.start = start;
  }

  async load(params: LoadParams): Promise<ModelInfo> {
    const info = await this.methods.load(params);
    this.server = info.server;
    this.window = info.contextSize;
    this.complete = info.completes === true ? this.methods.complete : null;
    return info;
  }

  get states(): Engine['states'] {
    return this.server === undefined ? this.methods.states : null;
  }

  get spelling(): Engine['spelling'] {
    return (this.server?.grade ?? 'exact') === 'exact' ? this.methods.spelling : null;
  }

  get speed(): Engine['speed'] {
    return this.server === undefined ? this.methods.speed : null;
  }

  /** Process id of the engine, for tests and for the user who wants to look at it. */
  get pid(): number | undefined {
    return this.running?.child.pid;
  }

  /** Whether a request waits for its answer. */
  get busy(): boolean {
    return (this.running?.waiting.size ?? 0) > 0;
  }

  private work(more: 1 | -1): void {
    this.asked += more;
    this.working.emit(this.asked > 0);
  }

  /** Sends a request, starting the process if there is none. Rejects with a FaultError only. */
  async request<K extends keyof EngineRequests>(
    name: K,
    params: EngineRequests[K]['params'],
    signal?: Signal,
    hearing?: Hearing,
  ): Promise<EngineRequests[K]['result']> {
    const { connection, ended, waiting, watch } = this.connected();
    const of = this.number++;
    const connects = 'server' in params && params.server !== undefined;
    const watched = watch.begin(connects || hearing !== undefined, connects || this.server !== undefined);
    if (hearing !== undefined) this.hearers.set(of, heardBy(hearing, watched));
    const source = new CancellationTokenSource();
    const cancel = () => {
      source.cancel();
      watched.stopped();
    };
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    let lose: (fault: Fault) => void = () => undefined;
    const died = new Promise<never>((_, reject) => {
      lose = (fault) => reject(new FaultError(fault));
    });
    waiting.add(lose);
    if (name !== 'embed') this.work(1);
    try {
      const send = (whole: boolean) => {
        const sent = { ...this.numbered(params, whole), ...(hearing === undefined ? {} : { of }) };
        return connection.sendRequest<EngineRequests[K]['result']>(name, sent, source.token);
      };
      const answer = send(false).catch((error: unknown) => {
        if (!isUnknownPrompt(error)) throw error;
        return send(true);
      });
      return await Promise.race([answer, died]);
    } catch (error) {
      const thrown = await this.faultFrom(error, ended);
      this.hearWindow(thrown.fault);
      throw thrown;
    } finally {
      this.hearers.delete(of);
      waiting.delete(lose);
      watched.end();
      if (name !== 'embed') this.work(-1);
      signal?.removeEventListener('abort', cancel);
    }
  }

  private hearWindow(fault: Fault): void {
    if (fault.kind !== 'doesNotFit' || this.server === undefined) return;
    if (fault.window >= this.window || fault.window < leastToldWindow) return;
    this.window = fault.window;
    this.narrowed.emit(fault.window);
  }

  /** A prompt crosses the channel once: from then on it is named by its number. */
  private numbered<T extends object>(params: T, whole: boolean): T | PromptByNumber {
    if (!('prompt' in params)) return params;
    const prompt = params.prompt as Prompt;
    const known = whole ? undefined : this.prompts.get(prompt);
    if (known !== undefined) return { ...params, prompt: known };
    const as = this.number++;
    this.prompts.set(prompt, as);
    return { ...params, as };
  }

  /** A slot as the turn loop's model. `forced` supplies recorded assistant messages instead of sampling. */
  model(slot: number, sampling: SeededSampling, forced?: () => Forced): Model {
    return {
      measure: this.measure,
      generate: (request, text, signal, prefilling) => {
        const params = { ...request, slot, sampling, ...(forced === undefined ? {} : { forced: forced() }) };
        return this.request('generate', params, signal, { text, ...(prefilling === undefined ? {} : { prefilling }) });
      },
    };
  }

  /** Ends the process for good: every later request rejects with `engineStopped`. */
  async close(): Promise<void> {
    this.closed = true;
    await this.dispose();
  }

  /** Ends the process; the next request starts another. Pending requests reject with `engineStopped`. */
  async dispose(): Promise<void> {
    const running = this.running;
    if (running === null) return;
    this.running = null;
    const gone = new Promise((resolve) => running.child.once('exit', resolve));
    if (running.child.exitCode === null && running.child.signalCode === null) {
      running.child.kill('SIGKILL');
      await gone;
    }
    running.connection.dispose();
  }

  private connected(): Running {
    if (this.closed) throw new FaultError({ kind: 'engineStopped' });
    try {
      this.running ??= this.launch();
      return this.running;
    } catch (error) {
      throw new FaultError(faultOf(error));
    }
  }

  private launch(): Running {
    const child = this.start();
    this.prompts = new WeakMap();
    const connection = createMessageConnection(new SoundReader(child), new IPCMessageWriter(child));
    connection.onNotification('planned', ({ memory }: EngineNotices['planned']) => this.planned.emit(memory));
    connection.onNotification('loading', ({ progress }: EngineNotices['loading']) => this.loading.emit(progress));
    connection.onNotification('prefilling', ({ of, progress }: EngineNotices['prefilling']) =>
      this.hearers.get(of)?.prefilling?.(progress),
    );
    connection.onNotification('text', ({ of, text }: EngineNotices['text']) => this.hearers.get(of)?.text?.(text));
    // A channel that closes under a write is reported by the exit below, with the reason.
    connection.onError(() => undefined);
    connection.onNotification('alive', () => watch.heard());
    connection.onNotification('template', ({ runs }: EngineNotices['template']) => {
      watch.heard();
      watch.inTemplate = runs;
    });
    connection.listen();
    const watch = new HangWatch({
      quiet: (seconds) => this.quiet.emit(seconds),
      end: () => child.kill('SIGKILL'),
      every: (run) => {
        const timer = setInterval(run, beat).unref();
        return () => clearInterval(timer);
      },
    });
    const waiting = new Set<(fault: Fault) => void>();
    const ended = this.endOf(child, watch).then((fault) => {
      for (const lose of waiting) lose(fault);
      return fault;
    });
    return { child, connection, ended, waiting, watch };
  }

  private async endOf(child: ChildProcess, watch: HangWatch): Promise<Fault> {
    let output = '';
    child.stderr?.on('data', (data: Buffer) => {
      output = `${output}${data.toString('utf8')}`.slice(-20_000);
    });
    const reason = await new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    if (this.running?.child !== child) return { kind: 'engineStopped' };
    this.running = null;
    const last = lastWords(output);
    const fault = faultAt(watch, last === '' ? reason : `${reason}; ${last}`);
    // After those who wait for an answer have been told.
    setImmediate(() => this.crashed.emit(fault));
    return fault;
  }

  private async faultFrom(error: unknown, ended: Promise<Fault>): Promise<FaultError> {
    if (error instanceof FaultError) return error;
    const data = error instanceof ResponseError ? (error.data as EngineErrorData | undefined) : undefined;
    if (data?.fault !== undefined) return new FaultError(data.fault);
    // The channel broke: the process is ending, and its end says why.
    const silent: Fault = { kind: 'engineFailed', reason: reasonOf(error) };
    const late = new Promise<Fault>((resolve) => setTimeout(() => resolve(silent), 2000).unref());
    return new FaultError(await Promise.race([ended, late]));
  }
}

function isUnknownPrompt(error: unknown): boolean {
  return error instanceof ResponseError && (error.data as EngineErrorData | undefined)?.unknownPrompt === true;
}

// Why a process of llama.cpp ended, from what it wrote to stderr.

/** A frame of a backtrace as glibc prints it: `libggml-base.so(ggml_abort+0x152)[0x7efed82a3f42]`. */
const frame = /\[0x[0-9a-f]+\]$/i;
/** The folder where somebody built the library; the file's name is enough to look a line up. */
const folder = /^\/\S*\/(?=[^/\s]+:\d+: )/;

/** The last line that is not part of a backtrace; empty where there is none. */
export function lastWords(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  return (lines.findLast((line) => line !== '' && !frame.test(line)) ?? '').replace(folder, '');
}
