// A host as its watcher sees it: started, listened to line by line, told things, stopped, killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './judge/ledger.ts';
import { hostScript } from './places.ts';
import { type HostOptions, type Moment, moments, type Said, type Shown, type Told } from './said.ts';

export type Resumed = Extract<Said, { readonly say: 'resumed' }>;

/** Milliseconds after which a host that does not do what it should is given up. */
const patience = 30_000;

export class HostProcess {
  resumed: Resumed | null = null;
  still: Shown | null = null;
  /** The engine that was started last. */
  engine: number | null = null;
  asked = 0;
  answered = 0;
  /** How turns ended that were not answered, and what the store refused. */
  readonly complaints: string[] = [];
  private readonly child: ChildProcess;
  private readonly ledger: Ledger;
  private readonly looks = new Set<() => void>();
  private readonly within = new Map<Moment, number>();
  private readonly closed: Promise<unknown>;
  private ended = false;
  private stderr = '';
  private part = '';

  constructor(options: HostOptions, ledger: Ledger) {
    this.ledger = ledger;
    // Compiled modules are kept: that saves half of the start.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'tidemark-test-compiled') };
    this.child = spawn(process.execPath, [hostScript, JSON.stringify(options)], { env, stdio: 'pipe' });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.read(text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-2000);
    });
    this.child.stdin?.on('error', () => undefined);
    // All that was written has been read then.
    this.closed = once(this.child, 'close').then(() => {
      this.ended = true;
      this.look();
    });
  }

  /** The work that the host is in the middle of, as far as its lines have told. */
  get moment(): Moment {
    if (this.ledger.pending !== null) return 'store';
    return moments.find((moment) => (this.within.get(moment) ?? 0) > 0) ?? 'idle';
  }

  tell(word: Told): void {
    this.child.stdin?.write(`${word}\n`);
  }

  /** Resolves at the very line that makes it so, or in the end with false. Rejects when the process ends by itself. */
  until(what: () => boolean, milliseconds = patience): Promise<boolean> {
    if (what()) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        this.looks.delete(look);
        end();
      };
      const look = () => {
        if (this.ended) settle(() => reject(new Error(`the host ended by itself: ${this.stderr}`)));
        else if (what()) settle(() => resolve(true));
      };
      const timer = setTimeout(() => settle(() => resolve(false)), milliseconds);
      this.looks.add(look);
    });
  }

  /** Resolves when the process is gone and its last words are read. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.closed;
  }

  async end(): Promise<void> {
    this.tell('end');
    await this.closed;
  }

  /** Stops the process between two things it does; what the chat shows then. */
  async stop(): Promise<Shown> {
    this.still = null;
    this.tell('be still');
    await this.until(() => this.still !== null);
    for (let waited = 0; stateOf(this.child.pid) !== 'T' && waited < 1000; waited += 1) await sleep(1);
    return this.still ?? Promise.reject(new Error('the host does not come to rest'));
  }

  goOn(): void {
    this.child.kill('SIGCONT');
  }

  private read(text: string): void {
    const lines = (this.part + text).split('\n');
    this.part = lines.pop() ?? '';
    for (const line of lines) {
      this.hear(JSON.parse(line));
      this.look();
    }
  }

  private look(): void {
    for (const look of this.looks) look();
  }

  private hear(said: Said): void {
    switch (said.say) {
      case 'begin':
        this.ledger.begin(said.write);
        break;
      case 'done':
        this.ledger.done();
        break;
      case 'refused':
        this.complaints.push(`the store refused: ${said.words}`);
        this.ledger.refused();
        break;
      case 'in':
      case 'out':
        this.within.set(said.moment, (this.within.get(said.moment) ?? 0) + (said.say === 'in' ? 1 : -1));
        break;
      case 'engine':
        this.engine = said.pid;
        break;
      case 'resumed':
        this.resumed = said;
        break;
      case 'asked':
        this.asked = said.turn;
        break;
      case 'answered':
        if (said.problem === '') this.answered = said.turn;
        else this.complaints.push(said.problem);
        break;
      case 'still':
        this.still = said.shown;
        break;
      case 'ended':
        break;
      default:
        said satisfies never;
    }
  }
}

/** The letter of Linux for what a process does; '' where there is none, or only its remains. */
export function stateOf(pid: number | undefined): string {
  try {
    const state = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
    return state === 'Z' || state === 'X' ? '' : state;
  } catch {
    return '';
  }
}
