// Processes as Linux tells of them below /proc: when one started, and which belong to a run.
import { readdir, readFile, stat } from 'node:fs/promises';
import { runMark } from './environment.ts';

/** A process by its number and its start, because numbers come again. `start`: ticks since the machine started; '' where nobody tells. */
export interface KnownProcess {
  readonly pid: number;
  readonly start: string;
}

export async function startTimeOf(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, may hold anything; behind it stand 19 fields, then the start: proc(5).
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

export async function stillRuns({ pid, start }: KnownProcess): Promise<boolean> {
  return start !== '' && (await startTimeOf(pid)) === start;
}

/** Processes whose environment has the mark of a run. */
export async function stragglersOf(run: string): Promise<readonly number[]> {
  const found = await Promise.all(
    (await pids()).map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return `\0${environment}`.includes(`\0${runMark}=${run}\0`) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

/** The number of this user's processes on the whole machine. */
export async function processesOfUser(): Promise<number> {
  const own = process.getuid?.();
  const users = await Promise.all(
    (await pids()).map((pid) =>
      stat(`/proc/${pid}`).then(
        ({ uid }) => uid,
        () => null,
      ),
    ),
  );
  return users.filter((uid) => uid === own).length;
}

/** Threads of the whole machine; 0 where nobody tells. */
export async function threadsHere(): Promise<number> {
  const line = await readFile('/proc/loadavg', 'utf8').catch(() => '');
  return Number(/\/(\d+)/.exec(line)?.[1] ?? 0);
}

async function pids(): Promise<readonly string[]> {
  return (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
}
