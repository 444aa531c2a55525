// Runs a command: in a process group of its own, without stdin, with a limit of time, and its tree ends with it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Signal } from '../../core/dialog/tool.ts';
import type { Started } from '../fence/fence.ts';
import { OutputText } from './outputText.ts';
import { type KnownProcess, startTimeOf, stragglersOf, threadsHere } from './processes.ts';
import { mostProcesses } from './shell.ts';

export interface CommandRun {
  readonly started: Started;
  readonly cwd: string;
  readonly environment: Record<string, string>;
  /** The mark that its environment has. */
  readonly run: string;
  readonly timeoutMilliseconds: number;
  readonly signal: Signal;
  /** Called with the command's output as it comes. */
  readonly onText?: (text: string) => void;
  /** Called once it runs. */
  readonly onStart?: (process: KnownProcess) => void;
}

export interface CommandOutcome {
  /** The exit code; null where a signal ended the command. */
  readonly code: number | null;
  /** `processes`: it started more than it may. */
  readonly ended: 'itself' | 'timeout' | 'cancelled' | 'processes';
  readonly milliseconds: number;
  /** Its words, both outputs in their order, the middle left out where they are too many. */
  readonly output: string;
  /** Bytes that were left out. */
  readonly leftOut: number;
  /** Processes that were still there when it had ended, and were ended. */
  readonly left: number;
}

const patience = 500;

/** Rejects with words where it cannot be started. */
export async function runCommand(run: CommandRun): Promise<CommandOutcome> {
  const began = performance.now();
  const threads = await threadsHere();
  const child = spawn(run.started.program, [...run.started.args], {
    ...{ cwd: run.cwd, env: run.environment, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true },
    detached: process.platform !== 'win32',
  });
  const output = new OutputText();
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output.push(text);
      run.onText?.(text);
    });
  // Heard from the start on: a short command has ended before its start is known.
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error('it has no process');
  run.onStart?.({ pid, start: await startTimeOf(pid) });
  const { ended, code } = await untilEnd({ child, exited, closed }, run, threads);
  await endTree(pid);
  const left = await endStragglers(run.run);
  child.stdout?.destroy();
  child.stderr?.destroy();
  const { text, leftOut } = output.told();
  return { code, ended, milliseconds: performance.now() - began, output: text, leftOut, left };
}

interface Running {
  readonly child: ChildProcess;
  /** Its code; null where a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Both outputs have ended as well. */
  readonly closed: Promise<void>;
}

async function untilEnd(
  { child, exited, closed }: Running,
  { signal, timeoutMilliseconds }: CommandRun,
  threads: number,
): Promise<Pick<CommandOutcome, 'ended' | 'code'>> {
  const over = Promise.withResolvers<CommandOutcome['ended']>();
  const cancel = () => over.resolve('cancelled');
  void exited.then(() => over.resolve('itself'));
  const timer = setTimeout(() => over.resolve('timeout'), timeoutMilliseconds);
  // The kernel holds nobody to a number who is root, in whatever namespace.
  const watch = setInterval(async () => {
    if ((await threadsHere()) - threads > mostProcesses) over.resolve('processes');
  }, 200);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const ended = await over.promise;
    if (ended !== 'itself') await endGently(child, ended === 'processes');
    const code = await exited;
    // Processes that the command left running may hold its outputs open.
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 100))]);
    return { ended, code: ended === 'itself' ? code : null };
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener('abort', cancel);
  }
}

/** Asks first, unless it must go at once. */
async function endGently(child: ChildProcess, atOnce: boolean): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform !== 'win32' && !atOnce) {
    signalGroup(pid, 'SIGTERM');
    for (let waited = 0; waited < patience && child.exitCode === null && child.signalCode === null; waited += 25)
      await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await endTree(pid);
}

/** Windows has no process groups: its own program ends a tree by following the parents. */
export async function endTree(pid: number): Promise<void> {
  if (process.platform !== 'win32') return signalGroup(pid, 'SIGKILL');
  await new Promise<void>((resolve) => {
    execFile('taskkill', ['/T', '/F', '/PID', String(pid)], () => resolve());
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has gone.
  }
}

/** Ends those that left the group. Those of a process that is just being started are found the next time. */
async function endStragglers(run: string): Promise<number> {
  let count = 0;
  for (let round = 0; round < 5; round++) {
    const found = await stragglersOf(run);
    if (found.length === 0) break;
    count += found.length;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has gone.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return count;
}
