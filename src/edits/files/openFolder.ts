// A folder that is held while something in it is changed: the change lands there, also where a link stands at its path by now.
import { constants, existsSync, readlinkSync, realpathSync } from 'node:fs';
import { lstat, mkdir, open, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Only Linux has paths that lead by an open folder. */
const openFiles = '/proc/self/fd';
const leadsByHandles = process.platform === 'linux' && existsSync(openFiles);

export interface OpenFolder {
  /** The path of a file in it. On Linux it leads by the open folder, whatever stands at the folder's own path. */
  readonly at: (name: string) => string;
  /** Throws with words where the folder is not at its path any more. Waits for nothing, so that the change can follow at once. */
  readonly look: () => void;
}

/**
 * `path` is absolute and free of links. `makes`: folders that are missing are made one by one, each in one that is held, and go again where
 * the work fails. Rejects with words where the folder is another one, or gone.
 */
export async function inFolder<T>(path: string, makes: boolean, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
  if (!makes || (await isThere(path))) return withOpenFolder(path, work);
  return inFolder(dirname(path), true, async (parent) => {
    const own = parent.at(basename(path));
    const isOurs = await mkdir(own).then(
      () => true,
      (error: unknown) => {
        if (systemCode(error) === 'EEXIST') return false;
        throw error;
      },
    );
    try {
      return await withOpenFolder(path, work);
    } catch (error) {
      // A new folder that somebody has put something into stays.
      if (isOurs) await rmdir(own).catch(() => undefined);
      throw error;
    }
  });
}

/** The folders above a path that are missing, the deepest first. */
export async function missingAbove(path: string): Promise<readonly string[]> {
  const folder = dirname(path);
  return (await isThere(folder)) ? [] : [folder, ...(await missingAbove(folder))];
}

/** Removes the folders above a path, from the deepest, as far as they are empty and among these. Never rejects. */
export async function removeEmptyAbove(path: string, among: ReadonlySet<string>): Promise<void> {
  const folder = dirname(path);
  if (!among.has(folder)) return;
  const isRemoved = await inFolder(dirname(folder), false, (parent) => rmdir(parent.at(basename(folder)))).then(
    () => true,
    () => false,
  );
  if (isRemoved) await removeEmptyAbove(folder, among);
}

async function withOpenFolder<T>(path: string, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
  const wrong = () => new Error(`${path} is another folder by now, or gone; nothing was changed there.`);
  const handle = leadsByHandles
    ? await open(path, constants.O_RDONLY | constants.O_DIRECTORY).catch((error: unknown) => {
        throw ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error)) ? wrong() : error;
      })
    : null;
  try {
    const byHandle = handle === null ? null : `${openFiles}/${handle.fd}`;
    const isHere = () => placeOf(byHandle, path) === path;
    const look = () => {
      if (!isHere()) throw wrong();
    };
    look();
    return await named(work({ at: (name) => join(byHandle ?? path, name), look }), byHandle, path);
  } finally {
    await handle?.close();
  }
}

/** Returns the folder's path, free of links; null where it is gone. */
function placeOf(byHandle: string | null, path: string): string | null {
  try {
    return byHandle === null ? realpathSync.native(path) : readlinkSync(byHandle);
  } catch {
    return null;
  }
}

/** Errors of the system name the folder by its path. */
async function named<T>(work: Promise<T>, byHandle: string | null, path: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (byHandle !== null && error instanceof Error)
      error.message = error.message.replaceAll(`${byHandle}/`, `${path}/`);
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (systemCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

/** The system's name for an error, such as ENOENT; '' for any other error. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
