// Commands that go on: servers and watchers, each with its ports and its output, until they are stopped or their conversation ends. The commands of a
// conversation share a network of loopback alone, so that one may try what another serves.
import type { Signal } from '../core/dialog/tool.ts';
import { Emitter } from '../core/emitter.ts';
import { openRoom, type Room } from './fence/room.ts';
import type { Way } from './fence/way.ts';
import type { CommandOutcome, RunningCommand } from './process/run.ts';

/** A program that goes on. */
export interface Program {
  /** The number of its run, by which its output is read. */
  readonly run: number;
  readonly conversation: string;
  /** Its command line. */
  readonly command: string;
  /** The real path of the folder where it began. */
  readonly cwd: string;
  /** When it was started, in milliseconds since 1970. */
  readonly began: number;
  /** Ports at which it began to listen, in order. */
  readonly ports: readonly number[];
  readonly running: RunningCommand;
}

/** How a command is waited for. */
export interface Waiting {
  readonly conversation: string;
  /** It is to go on from the start: a moment is waited, for what it says first. */
  readonly goesOn: boolean;
  /** Where it is to go on it is ended, to be started anew in another way. */
  readonly restarts: boolean;
  readonly timeoutMilliseconds: number;
  /** Ends it as long as it is waited for. */
  readonly signal: Signal;
}

/** Milliseconds: between two looks at the ports, in which a program that goes on says nothing more for now, and that are waited for its first words. */
const [beat, quiet, first] = [200, 1000, 4000];
/** Milliseconds in front of the limit of time at which what listens is let go. */
const beforeLimit = 500;

export class Programs {
  readonly changed = new Emitter<void>();
  private readonly rooms = new Map<string, Promise<Room | null>>();
  private readonly all = new Map<number, Program>();
  /** All that was started and has not ended, waited for or not. */
  private readonly active = new Map<RunningCommand, string>();
  private readonly ways = new Map<number, Way[]>();
  /** By conversation: each lets a command go that is waited for. */
  private readonly waits = new Map<string, Set<() => void>>();

  of(conversation: string): readonly Program[] {
    return [...this.all.values()].filter((one) => one.conversation === conversation);
  }

  get(run: number): Program | null {
    return this.all.get(run) ?? null;
  }

  /**
   * The network of a conversation's commands, made with the first one, and anew where its holder has gone; null where there can be none. `path`: the search path of
   * programs of the system.
   */
  async room(conversation: string, path: string): Promise<Room | null> {
    const known = this.rooms.get(conversation);
    const room = (await known) ?? null;
    if (known !== undefined && room?.isOpen() !== false) return room;
    const fresh = openRoom(path);
    this.rooms.set(conversation, fresh);
    return fresh;
  }

  /** The user lets go what the conversation waits for. */
  letRun(conversation: string): void {
    for (const one of this.waits.get(conversation) ?? []) one();
  }

  private async ports(conversation: string, running: RunningCommand): Promise<readonly number[]> {
    const processes = running.processes();
    return processes === null ? [] : ((await (await this.rooms.get(conversation))?.listening(processes)) ?? []);
  }

  /** Waits for a command, which may be let go before it ends: then it goes on. */
  async wait(running: RunningCommand, waiting: Waiting): Promise<CommandOutcome> {
    const { conversation, goesOn, restarts, timeoutMilliseconds, signal } = waiting;
    this.active.set(running, conversation);
    const wanted = Promise.withResolvers<void>();
    const waits = this.waits.get(conversation) ?? new Set();
    this.waits.set(conversation, waits.add(wanted.resolve));
    let isOver = false;
    const over = () => {
      isOver = true;
      this.active.delete(running);
      wanted.resolve();
    };
    void running.done.then(over, over);
    signal.addEventListener('abort', running.stop, { once: true });
    if (signal.aborted) running.stop();
    const watch = async () => {
      const began = performance.now();
      let [said, since] = [0, began];
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, beat));
        const [now, length] = [performance.now(), running.said()];
        if (length !== said) [said, since] = [length, now];
        const isReady = (said > 0 && now - since >= quiet) || now - began >= first;
        const isLate = now - began >= timeoutMilliseconds - beforeLimit;
        if ((goesOn && isReady) || (isLate && (await this.ports(conversation, running)).length > 0))
          return wanted.resolve();
      }
    };
    void watch();
    await wanted.promise;
    waits.delete(wanted.resolve);
    signal.removeEventListener('abort', running.stop);
    if (isOver) return running.done;
    isOver = true;
    if (restarts) {
      running.stop();
      return { ...(await running.done), ended: 'goesOn' };
    }
    running.letGo();
    return running.soFar();
  }

  /** Keeps a program that was let go, until it ends. */
  async keep(program: Omit<Program, 'ports'>): Promise<Program> {
    const look = async () => ({ ...program, ports: await this.ports(program.conversation, program.running) });
    const now = await look();
    this.all.set(program.run, now);
    const timer = setInterval(async () => {
      const next = await look();
      const known = this.all.get(program.run);
      if (known === undefined || JSON.stringify(known.ports) === JSON.stringify(next.ports)) return;
      this.all.set(program.run, next);
      this.changed.emit();
    }, quiet);
    timer.unref();
    const over = () => {
      clearInterval(timer);
      this.all.delete(program.run);
      for (const way of this.ways.get(program.run) ?? []) way.close();
      this.ways.delete(program.run);
      this.changed.emit();
    };
    void program.running.done.then(over, over);
    this.changed.emit();
    return now;
  }

  /** Resolves once it has ended. */
  async stop(run: number): Promise<void> {
    const program = this.all.get(run);
    program?.running.stop();
    await program?.running.done.catch(() => undefined);
  }

  /** Opens the way from a port of this machine to one of the program. Rejects with words where it has none. */
  async forward(run: number, port: number): Promise<number> {
    const program = this.all.get(run);
    const room = program === undefined ? null : await this.rooms.get(program.conversation);
    if (room === null || room === undefined || program?.ports.includes(port) !== true)
      throw new Error(`Nothing of this window listens at port ${port} any more.`);
    const way = await room.open(port);
    this.ways.set(run, [...(this.ways.get(run) ?? []), way]);
    return way.port;
  }

  /** The conversation ends, and all that it started. */
  async end(conversation: string): Promise<void> {
    const own = [...this.active].flatMap(([running, of]) => (of === conversation ? [running] : []));
    for (const running of own) running.stop();
    await Promise.all(own.map(({ done }) => done.catch(() => undefined)));
    const room = await this.rooms.get(conversation);
    this.rooms.delete(conversation);
    room?.close();
  }

  dispose(): void {
    for (const running of this.active.keys()) running.stop();
    for (const way of [...this.ways.values()].flat()) way.close();
    for (const room of this.rooms.values()) void room.then((one) => one?.close());
    this.rooms.clear();
  }
}
