// Processes as Linux tells of them below /proc.
import { readdir, readFile, stat } from 'node:fs/promises';

/** The number of this user's processes on the whole machine. */
export async function processesOfUser(): Promise<number> {
  const own = process.getuid?.();
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const users = await Promise.all(
    pids.map((pid) =>
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
