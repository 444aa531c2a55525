// The folder as it stands, by a look that needs no Git: every file with a stamp that any change alters, and every repository, at any depth.
import { lstatSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { obeyedPart, plainName } from '../../core/obeyed.ts';

export interface FileStamp {
  /**
   * Inode, size and times to the nanosecond: ctime changes with bytes, rights and names, and no program can set it; of a link where it leads. '' where it
   * cannot be told.
   */
  readonly stamp: string;
  /** Permission bits. */
  readonly mode: number;
  readonly kind: 'file' | 'link' | 'other';
}

export interface FolderTree {
  /**
   * Files by their paths from the folder on, with `/`. Nothing within `.git` and `node_modules`, and of what Git ignores only names that others obey.
   */
  readonly files: ReadonlyMap<string, FileStamp>;
  readonly folders: ReadonlySet<string>;
  /** Entries that make a folder a repository: each `.git`, and `HEAD` of a bare one, with what tells it from another one. */
  readonly repositories: ReadonlyMap<string, string>;
  /** Sockets and pipes. */
  readonly doors: readonly string[];
  /** More entries than are looked at. */
  readonly isPartial: boolean;
}

/** Entries that are looked at; each takes some microseconds. */
const mostEntries = 500_000;

/** `ignored`: folders whose files are not stamped, with a `/` at the end; repositories in them are found all the same. */
export async function walkFolder(folder: string, ignored: readonly string[]): Promise<FolderTree> {
  const files = new Map<string, FileStamp>();
  const folders = new Set<string>();
  const repositories = new Map<string, string>();
  const doors: string[] = [];
  const skipped = new Set(ignored);
  let count = 0;
  const visit = async (at: string, isSkipped: boolean, isPackages: boolean): Promise<void> => {
    const entries = count > mostEntries ? [] : await readdir(join(folder, at), { withFileTypes: true }).catch(() => []);
    count += entries.length;
    const below: Promise<void>[] = [];
    for (const entry of entries) {
      const path = at + entry.name;
      if (plainName(entry.name) === '.git') repositories.set(path, identityOf(join(folder, path)));
      else if (entry.isDirectory()) {
        folders.add(path);
        below.push(
          visit(`${path}/`, isSkipped || skipped.has(`${path}/`), isPackages || entry.name === 'node_modules'),
        );
      } else {
        if (entry.isSocket() || entry.isFIFO()) doors.push(join(folder, path));
        const isStamped = (!isSkipped && !skipped.has(path)) || obeyedPart(path) !== null;
        if (isStamped && !isPackages) files.set(path, stampOf(join(folder, path)));
      }
    }
    if (isBare(new Set(entries.map(({ name }) => plainName(name)))))
      repositories.set(`${at}HEAD`, identityOf(join(folder, at, 'HEAD')));
    await Promise.all(below);
  };
  await visit('', false, false);
  return { files, folders, repositories, doors, isPartial: count > mostEntries };
}

/** A folder that Git takes for a repository by what stands in it: gitrepository-layout(5). */
function isBare(names: ReadonlySet<string>): boolean {
  return names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
}

function stampOf(path: string): FileStamp {
  try {
    const stats = lstatSync(path, { bigint: true });
    const kind = stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other';
    const stamp =
      kind === 'link' ? `link ${readlinkSync(path)}` : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
    return { stamp, mode: Number(stats.mode & 0o7777n), kind };
  } catch {
    return { stamp: '', mode: 0, kind: 'other' };
  }
}

/** Another one has another identity; what is written within a folder does not change it. */
function identityOf(path: string): string {
  try {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`;
    return stats.isDirectory()
      ? `folder ${stats.dev} ${stats.ino}`
      : `file ${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  } catch {
    return '';
  }
}
