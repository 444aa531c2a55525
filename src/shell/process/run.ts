// Runs a command: in a process group of its own, without stdin, with a limit of time, and all that it started ends with it.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Signal } from '../../core/dialog/tool.ts';
import type { Started } from '../fence/walls.ts';
import { threadsHere } from './processes.ts';
import { mostProcesses, soughtNetwork } from './shell.ts';

export interface CommandRun {
  readonly started: Started;
  readonly cwd: string;
  readonly environment: Record<string, string>;
  /** The command runs in a namespace of processes, whose first one is told on the fifth output: with that one all others end. */
  readonly contained: boolean;
  readonly timeoutMilliseconds: number;
  readonly signal: Signal;
  /** Called with the command's output as it comes. */
  readonly onText?: (text: string) => void;
}

export interface CommandOutcome {
  /** The exit code; null where a signal ended the command, and while it goes on. */
  readonly code: number | null;
  /** `processes`: it started more than it may. `goesOn`: it has not ended. */
  readonly ended: 'itself' | 'timeout' | 'cancelled' | 'processes' | 'goesOn';
  readonly milliseconds: number;
  /** Its words, both outputs in their order, the middle left out where they are too many. */
  readonly output: string;
  /** Lines that were left out. */
  readonly leftOut: number;
  /** Names of programs that were still there when it had ended, and were ended. */
  readonly left: readonly string[];
  /** It asked for a network that the fence does not have. */
  readonly soughtNetwork: boolean;
}

/** A command that was started. */
export interface RunningCommand {
  readonly done: Promise<CommandOutcome>;
  /** As it is now. */
  soFar(): CommandOutcome;
  /** Characters of its output so far. */
  said(): number;
  /** The number of its namespace of processes; null where it has none of its own, or that is not known yet. */
  processes(): number | null;
  /** Neither the limit of time nor the signal ends it from now on. */
  letGo(): void;
  stop(): void;
}

const patience = 500;

/** Rejects with words where it cannot be started. */
export async function startCommand(run: CommandRun): Promise<RunningCommand> {
  const began = performance.now();
  const threads = await threadsHere();
  const child = spawn(run.started.program, [...run.started.args], {
    ...{ cwd: run.cwd, env: run.environment, stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'], windowsHide: true },
    detached: process.platform !== 'win32',
  });
  const output = new OutputText();
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output.push(text);
      run.onText?.(text);
    });
  let names = '';
  const told = child.stdio[3] as Readable | null;
  told?.setEncoding('utf8').on('data', (text: string) => {
    if (names.length < mostNames) names += text;
  });
  let first = '';
  const info = child.stdio[4] as Readable | null;
  info?.setEncoding('utf8').on('data', (text: string) => {
    first += text;
  });
  const firstOf = () => Number(/"child-pid": (\d+)/.exec(first)?.[1] ?? 0);
  // Heard from the start on: a short command has ended before anybody asks.
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await once(child, 'spawn');
  const limits = limitsOf(run, exited, threads);
  const outcome = (ended: CommandOutcome['ended'], code: number | null): CommandOutcome => {
    const { text, leftOut } = output.told();
    const said = names.split('\n').filter((name) => name !== '');
    const left = ended === 'itself' ? said.filter((name) => name !== soughtNetwork) : [];
    const milliseconds = performance.now() - began;
    return { code, ended, milliseconds, output: text, leftOut, left, soughtNetwork: said.includes(soughtNetwork) };
  };
  const end = async () => {
    const { ended, code } = await untilEnd({ child, exited, closed, firstOf }, run.contained, limits.over);
    if (child.pid !== undefined) await endTree(child.pid);
    for (const stream of [child.stdout, child.stderr, told, info]) stream?.destroy();
    return outcome(ended, code);
  };
  return {
    done: end().finally(limits.end),
    soFar: () => outcome('goesOn', null),
    said: () => output.said,
    processes: () => Number(/"pid-namespace": (\d+)/.exec(first)?.[1] ?? 0) || null,
    letGo: limits.letGo,
    stop: limits.stop,
  };
}

const mostNames = 4000;

interface Running {
  readonly child: ChildProcess;
  /** Its code; null where a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Both outputs have ended as well. */
  readonly closed: Promise<void>;
  /** The number of the namespace's first process; 0 where it is not known yet. */
  readonly firstOf: () => number;
}

/** Tells when a command is over, and why. */
function limitsOf({ signal, timeoutMilliseconds }: CommandRun, exited: Promise<unknown>, threads: number) {
  const over = Promise.withResolvers<'itself' | 'timeout' | 'cancelled' | 'processes'>();
  const stop = () => over.resolve('cancelled');
  void exited.then(() => over.resolve('itself'));
  const timer = setTimeout(() => over.resolve('timeout'), timeoutMilliseconds);
  // The kernel holds nobody to a number who is root, in whatever namespace.
  const watch = setInterval(async () => {
    if ((await threadsHere()) - threads > mostProcesses) over.resolve('processes');
  }, 200);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const letGo = () => {
    clearTimeout(timer);
    // Later the rest of the machine would be counted with it.
    clearInterval(watch);
    signal.removeEventListener('abort', stop);
  };
  const end = letGo;
  return { over: over.promise, stop, letGo, end };
}

async function untilEnd(
  { child, exited, closed, firstOf }: Running,
  contained: boolean,
  over: ReturnType<typeof limitsOf>['over'],
): Promise<Pick<CommandOutcome, 'ended' | 'code'>> {
  const ended = await over;
  if (ended !== 'itself') await (contained ? endContained(child, firstOf) : endGently(child, ended === 'processes'));
  const code = await exited;
  // Processes that the command left running may hold its outputs open.
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 100))]);
  return { ended, code: ended === 'itself' ? code : null };
}

/** The program in front of the namespace ends once all within it have gone. One that is just being made is waited for. */
async function endContained(child: ChildProcess, firstOf: () => number): Promise<void> {
  for (let waited = 0; waited < patience && firstOf() === 0 && child.exitCode === null; waited += 5)
    await new Promise((resolve) => setTimeout(resolve, 5));
  if (firstOf() > 0 && child.exitCode === null) signalTo(firstOf(), 'SIGKILL');
  else if (child.pid !== undefined) await endTree(child.pid);
}

/** Asks first, unless it must go at once; then tells its keeper to end all that it started. */
async function endGently(child: ChildProcess, atOnce: boolean): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const wait = async () => {
    for (let waited = 0; waited < patience && !hasEnded(); waited += 25)
      await new Promise((resolve) => setTimeout(resolve, 25));
  };
  if (process.platform !== 'win32') {
    if (!atOnce) signalTo(-pid, 'SIGTERM');
    if (!atOnce) await wait();
    if (!hasEnded()) signalTo(pid, 'SIGUSR1');
    await wait();
  }
  await endTree(pid);
}

/** Windows has no process groups: its own program ends a tree by following the parents. */
async function endTree(pid: number): Promise<void> {
  if (process.platform !== 'win32') return signalTo(-pid, 'SIGKILL');
  await new Promise<void>((resolve) => {
    execFile('taskkill', ['/T', '/F', '/PID', String(pid)], () => resolve());
  });
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has gone.
  }
}

// The words of a command as far as they are kept: all of them up to a limit, then the first and the latest.

/** UTF-16 units of the first part and of the latest. */
const [firstKept, lastKept] = [1_000_000, 3_000_000];

class OutputText {
  private first = '';
  private last: string[] = [];
  private lastLength = 0;
  private leftOut = 0;
  /** Characters that came. */
  said = 0;

  push(text: string): void {
    this.said += text.length;
    const space = firstKept - this.first.length;
    this.first += text.slice(0, Math.max(0, space));
    const rest = text.slice(Math.max(0, space));
    if (rest === '') return;
    this.last.push(rest);
    this.lastLength += rest.length;
    while (this.lastLength - (this.last[0]?.length ?? 0) >= lastKept) {
      const gone = this.last.shift() ?? '';
      this.lastLength -= gone.length;
      this.leftOut += Math.max(gone.split('\n').length - 1, this.leftOut === 0 ? 1 : 0);
    }
  }

  told(): { readonly text: string; readonly leftOut: number } {
    const gap = this.leftOut === 0 ? '' : `\n[${this.leftOut} lines were not kept]\n`;
    return { text: this.first + gap + this.last.join(''), leftOut: this.leftOut };
  }
}
