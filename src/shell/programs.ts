// Commands that go on: servers and watchers, each with its ports and its output, until they are stopped or their conversation ends. The commands of a
// conversation share a network of loopback alone, so that one may try what another serves.
import { Emitter } from '../core/emitter.ts';
import { openRoom, type Room } from './fence/room.ts';
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
  readonly timeoutMilliseconds: number;
}

/** Milliseconds: between two looks at the ports, in which a program that goes on says nothing more for now, and that are waited for its first words. */
const [beat, quiet, first] = [200, 1000, 8000];
/** Milliseconds in front of the limit of time at which what listens is let go. */
const beforeLimit = 500;

export class Programs {
  readonly changed = new Emitter<void>();
  private readonly rooms = new Map<string, Promise<Room | null>>();
  private readonly all = new Map<number, Program>();
  /** By conversation: lets the command go that is waited for. */
  private readonly waits = new Map<string, () => void>();

  of(conversation: string): readonly Program[] {
    return [...this.all.values()].filter((one) => one.conversation === conversation);
  }

  get(run: number): Program | null {
    return this.all.get(run) ?? null;
  }

  /** The network of a conversation's commands, made with the first one; null where there can be none. */
  room(conversation: string): Promise<Room | null> {
    const known = this.rooms.get(conversation) ?? openRoom();
    this.rooms.set(conversation, known);
    return known;
  }

  /** The user lets the command go that the conversation waits for. */
  letRun(conversation: string): void {
    this.waits.get(conversation)?.();
  }

  private async ports(conversation: string, running: RunningCommand): Promise<readonly number[]> {
    const processes = running.processes();
    return processes === null ? [] : ((await (await this.rooms.get(conversation))?.listening(processes)) ?? []);
  }

  /** Waits for a command, which may be let go before it ends: then it goes on. */
  async wait(running: RunningCommand, { conversation, goesOn, timeoutMilliseconds }: Waiting): Promise<CommandOutcome> {
    const wanted = Promise.withResolvers<void>();
    this.waits.set(conversation, () => wanted.resolve());
    let isOver = false;
    const over = () => {
      isOver = true;
      wanted.resolve();
    };
    void running.done.then(over, over);
    const listens = async () => (await this.ports(conversation, running)).length > 0;
    const watch = async () => {
      const began = performance.now();
      let [said, since] = [0, began];
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, beat));
        const [now, length] = [performance.now(), running.said()];
        if (length !== said) [said, since] = [length, now];
        const isReady = (said > 0 && now - since >= quiet) || now - began >= first;
        if (goesOn && isReady) return wanted.resolve();
        if (now - began >= timeoutMilliseconds - beforeLimit && (await listens())) return wanted.resolve();
      }
    };
    void watch();
    await wanted.promise;
    this.waits.delete(conversation);
    if (isOver) return running.done;
    isOver = true;
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
    if (room === null || room === undefined)
      throw new Error(`Nothing of this window listens at port ${port} any more.`);
    return room.forward(port);
  }

  /** The conversation ends, and all that goes on in it. */
  async end(conversation: string): Promise<void> {
    await Promise.all(this.of(conversation).map(({ run }) => this.stop(run)));
    const room = await this.rooms.get(conversation);
    this.rooms.delete(conversation);
    room?.close();
  }

  dispose(): void {
    for (const { running } of this.all.values()) running.stop();
    for (const room of this.rooms.values()) void room.then((one) => one?.close());
    this.rooms.clear();
  }
}
