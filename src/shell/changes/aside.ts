// Names that whoever opens the folder later runs or obeys: where a command makes one, it is put aside until the user keeps it.
import { randomUUID } from 'node:crypto';
import { cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { guardedNames } from '../fence/places.ts';

/** A name that was not there before. */
export interface MadeName {
  readonly name: string;
  readonly path: string;
  /** Its files, if it has nothing else and not many; null where it cannot be shown as changes. */
  readonly files: readonly string[] | null;
}

/** The names that are there, links included. */
export async function guardedHere(folder: string): Promise<ReadonlySet<string>> {
  const all = ['.git', ...guardedNames];
  const there = await Promise.all(all.map((name) => isThere(join(folder, name))));
  return new Set(all.filter((_, at) => there[at]));
}

/** `allowsRepository`: the user said yes to a command that makes one. */
export async function guardedMade(
  folder: string,
  before: ReadonlySet<string>,
  allowsRepository: boolean,
): Promise<readonly MadeName[]> {
  const isNew = [...(await guardedHere(folder))].filter((name) => !before.has(name));
  // A part of what is new goes with it.
  const outer = isNew.filter((name) => !isNew.some((other) => name.startsWith(`${other}/`)));
  const made = outer.filter((name) => !(allowsRepository && name === '.git'));
  return Promise.all(
    made.map(async (name) => ({ name, path: join(folder, name), files: await filesIn(join(folder, name)) })),
  );
}

/** Moves it into a folder of ours, and gives its new place. */
export async function moveAside({ name, path }: MadeName, storage: string): Promise<string> {
  const place = join(storage, 'aside', randomUUID(), name);
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  await rename(path, place).catch(async () => {
    // On another disk; a link stays the link that it is.
    await cp(path, place, { recursive: true, verbatimSymlinks: true });
    await rm(path, { recursive: true });
  });
  return place;
}

/** The folders from a made name down to a file, the outermost first. */
export function foldersDown(made: MadeName, file: string): readonly string[] {
  const parts = relative(made.path, file).split(sep).slice(0, -1);
  const isFile = relative(made.path, file) === '';
  return isFile ? [] : [made.path, ...parts.map((_, i) => join(made.path, ...parts.slice(0, i + 1)))];
}

const [mostFiles, mostBytes] = [50, 1_000_000];

async function filesIn(path: string): Promise<readonly string[] | null> {
  const stats = await lstat(path);
  if (stats.isFile()) return stats.size > mostBytes ? null : [path];
  if (!stats.isDirectory()) return null;
  const found: string[] = [];
  for (const name of await readdir(path)) {
    const own = await filesIn(join(path, name));
    if (own === null || found.length + own.length > mostFiles) return null;
    found.push(...own);
  }
  return found;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
