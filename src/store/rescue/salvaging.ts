// Brings back what a damaged file still holds, beside the work of its window: in a thread, for a bounded time, by one window at a time.
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { reasonOf } from '../../core/faults/faults.ts';
import type { Leases } from '../../core/stored/storedSession.ts';
import { inThread } from '../searching/inThread.ts';
import type { Salvaged, SalvageParams } from './salvage.ts';

/** Milliseconds after which the thread is ended; what it has brought back by then stays. */
const longest = 60_000;
const lease = 'salvage';
/** The end of the name of the note beside a damaged file that is still to be read: it lists what came back. */
export const owed = '.salvage';

/** Notes beside a damaged file that it is still to be read, so that a window that ends first leaves it to the next. */
export function owe(aside: string): void {
  writeFileSync(aside + owed, '', { mode: 0o600 });
}

/** The damaged files beside a database that are still to be read. */
export function owedBeside(path: string): readonly string[] {
  return readdirSync(dirname(path))
    .filter((name) => name.endsWith(owed))
    .map((name) => join(dirname(path), name.slice(0, -owed.length)));
}

/** Resolves to what the user should know; '' where another window is at it, or there was nothing. Never rejects. */
export async function salvageOwed(path: string, leases: Leases, script: string | URL): Promise<string> {
  const holder = `${process.pid}:${lease}`;
  const take = () => leases.acquire(lease, holder, Date.now(), 2 * longest);
  const words: string[] = [];
  try {
    if (!take()) return '';
    for (const from of owedBeside(path)) {
      if (!take()) break;
      if (existsSync(from)) words.push(await salvageFile({ from, into: path }, script));
      tidy(from);
    }
  } catch (error) {
    words.push(`What is left of the damaged database could not be looked for: ${reasonOf(error)}`);
  }
  try {
    leases.release(lease, holder);
  } catch {
    // The lease expires by itself.
  }
  return words.join(' ');
}

/** Deletes the note, and the empty log and index that a reader leaves beside a database. */
function tidy(from: string): void {
  rmSync(from + owed, { force: true });
  rmSync(`${from}-shm`, { force: true });
  if (statSync(`${from}-wal`, { throwIfNoEntry: false })?.size === 0) rmSync(`${from}-wal`);
}

async function salvageFile(params: SalvageParams, script: string | URL): Promise<string> {
  const kept = `The damaged file is kept as ${basename(params.from)} in ${dirname(params.from)}.`;
  const found = await readInThread(params, script);
  if (typeof found === 'string')
    return `The database was damaged, and reading what is left of it ended early: ${found}. What came back until then is there. ${kept}`;
  return `${wordsFor(found)} ${kept}`;
}

/** Returns what was brought back, or why the reading ended early. */
function readInThread(params: SalvageParams, script: string | URL): Promise<Salvaged | string> {
  const tooLong = AbortSignal.timeout(longest);
  return inThread<Salvaged>(script, 'tidemark-salvage', params, tooLong).catch((error) =>
    tooLong.aborted ? `it took longer than ${longest / 1000} s` : reasonOf(error),
  );
}

function wordsFor({ sessions, records, files }: Salvaged): string {
  const of = (n: number, one: string, more: string) => (n === 0 ? [] : [`${n} ${n === 1 ? one : more}`]);
  const taken = [
    ...of(sessions, 'conversation', 'conversations'),
    ...of(records, 'entry of the memory or the work board', 'entries of the memory and the work board'),
    ...of(files, 'changed file', 'changed files'),
  ];
  if (taken.length === 0) return 'The database was damaged, and nothing of it could be read: a new one is used.';
  return `The database was damaged. What could be read is in a new one: ${taken.join(' and ')}.`;
}
