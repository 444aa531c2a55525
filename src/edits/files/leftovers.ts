// Notes of the files that are being written, so that what a killed process left beside its target goes at the next start.
import { randomUUID } from 'node:crypto';
import { lstatSync, unlinkSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../../tools/files/alive.ts';
import { inFolder, type OpenFolder, systemCode } from './openFolder.ts';

/** Milliseconds after which a note goes, also where its folder is not there, or its process id is another's by now. */
const longest = 30 * 86_400_000;

export interface WritingNote {
  /** To be written first: it has a new name beside the target. */
  readonly temporary: string;
  /** A second name for the former file, while it is replaced. */
  readonly former: string;
  /** Notes which file was made, before anything is written into it, and which one it is to replace. */
  readonly made: (inode: bigint, former: bigint | null) => Promise<void>;
  /** The file is in its place, or gone. Never rejects: of a note that stays, the next start finds no file. */
  readonly done: () => Promise<void>;
}

/** Returns the folder that all windows and commands of this user share. */
function notesFolder(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tidemark', 'writing');
}

/** Stores, before it is there, which file will be written first where `path` is to be replaced. */
export async function noteWriting(path: string): Promise<WritingNote> {
  const id = randomUUID();
  const [temporary, former] = namesOf(id).map((name) => join(dirname(path), name)) as [string, string];
  const note = join(notesFolder(), `${process.pid}-${id}`);
  await mkdir(notesFolder(), { recursive: true, mode: 0o700 });
  const done = () => rm(note, { force: true }).catch(() => undefined);
  try {
    await writeFile(note, `${JSON.stringify(temporary)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    await done();
    throw error;
  }
  return { temporary, former, made: (...inodes) => appendFile(note, `${inodes.join(' ')}\n`), done };
}

const namesOf = (id: string) => [`.${id}.tidemark`, `.${id}.former.tidemark`] as const;

/**
 * Removes what processes that are no longer there were writing. Called at a start, before this process writes anything. Rejects where the
 * notes cannot be read.
 */
export async function removeLeftovers(): Promise<void> {
  const names = await readdir(notesFolder()).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const note = join(notesFolder(), name);
    // Another start may have been faster.
    const stats = await stat(note).catch(() => null);
    if (stats === null) continue;
    const isOld = Date.now() - stats.mtimeMs > longest;
    const [pid = '', ...id] = name.split('-');
    if (!isOld && Number(pid) !== process.pid && isAlive(Number(pid))) continue;
    const isGone = await removeListed(note, id.join('-'));
    if (isGone || isOld) await rm(note, { force: true });
  }
}

/** False where its folder is not there, or cannot be written now: a later start tries again. */
async function removeListed(note: string, id: string): Promise<boolean> {
  const [first = '', second = ''] = (await readFile(note, 'utf8')).split('\n');
  const path = pathIn(first);
  // A note that is not whole was cut short before its file was opened.
  if (path === null || basename(path) !== namesOf(id)[0]) return true;
  const inodes = second.split(' ');
  const remove = async ({ at }: OpenFolder) => {
    for (const [i, name] of namesOf(id).entries()) {
      const stats = lstatSync(at(name), { bigint: true, throwIfNoEntry: false });
      // Until inodes are noted the file is empty.
      const isOurs = second === '' ? stats?.size === 0n : String(stats?.ino) === inodes[i];
      if (stats?.isFile() === true && isOurs) unlinkSync(at(name));
    }
    return true;
  };
  return inFolder(dirname(path), false, remove).catch(() => false);
}

function pathIn(line: string): string | null {
  try {
    const path: unknown = JSON.parse(line);
    return typeof path === 'string' ? path : null;
  } catch {
    return null;
  }
}
