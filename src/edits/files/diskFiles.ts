// Files on the disk, without an editor. Each is written beside its place and moved there, so that it is whole at any moment.

import { type BigIntStats, constants, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { access, type FileHandle, lstat, open, readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { decoded, type Encoded, encoded } from '../../tools/files/encoding.ts';
import { sha256Of } from '../../tools/files/hash.ts';
import { openedAt } from '../../tools/files/opened.ts';
import type { EditableFiles, EditableText, FileChange, ReadFile } from './editable.ts';
import { changedMeanwhile, type FoundFile, foundAt, largest } from './foundFile.ts';
import { noteWriting } from './leftovers.ts';
import { inFolder, type OpenFolder, systemCode } from './openFolder.ts';

export const diskFiles: EditableFiles = {
  read: async (path) => {
    try {
      return await look(path);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return { is: 'absent' };
      return { is: 'refused', why: `it cannot be read (${(error as Error).message})` };
    }
  },
  change: async (changes) => {
    const written = new Map<string, EditableText>();
    for (const change of changes) {
      const text = await inFolder(dirname(change.path), change.before === null, (folder) => changed(change, folder));
      if (text !== null) written.set(change.path, text);
    }
    return written;
  },
  save: async () => undefined,
};

/** Its bytes are no text in an encoding that is written back. */
export const foreignFile: ReadFile = {
  is: 'refused',
  why: 'it is not a text in UTF-8 or UTF-16; save it with the encoding UTF-8 first',
};

async function look(path: string): Promise<ReadFile> {
  const stats = await lstat(path);
  if (!stats.isFile()) return { is: 'refused', why: 'it is not a regular file' };
  if (stats.size > largest) return { is: 'refused', why: `it has more than ${largest / 1024 / 1024} MB` };
  const bytes = await readFile(path);
  const found = decoded(bytes);
  if (found === null) return foreignFile;
  if (!(await isWritable(path))) return { is: 'refused', why: 'it is read-only' };
  return { is: 'text', text: found.text, hash: sha256Of(bytes), unsaved: false };
}

/** Checks the mode first, because a user who may write everything is told that a read-only file is writable, too. */
async function isWritable(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  return (
    (mode & 0o222) !== 0 &&
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    )
  );
}

/** Makes a change, and returns what the file is afterwards; null where it is gone from its path. */
async function changed(change: FileChange, folder: OpenFolder): Promise<EditableText | null> {
  const { path, before } = change;
  const own = folder.at(basename(path));
  // From here to the next step nothing else of this process runs: what another one can do in between is a matter of microseconds.
  const look = (): FoundFile | null => {
    folder.look();
    const found = foundAt(own);
    if ((found?.hash ?? null) !== before) throw changedMeanwhile(path);
    return found;
  };
  if (change.do === 'delete') {
    look();
    unlinkSync(own);
    return null;
  }
  if (change.do === 'move') {
    await inFolder(dirname(change.to), true, async (other) => {
      const to = other.at(basename(change.to));
      other.look();
      if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw new Error(`${change.to} is there already.`);
      look();
      renameSync(own, to);
    });
    return null;
  }
  const former = look();
  const mode = change.do === 'put' ? change.mode : null;
  const bytes = change.do === 'put' ? change.bytes : encodedLike(change.text, former);
  await replaceFile(path, folder, { bytes, former, mode, look });
  const text = change.do === 'put' ? (decoded(bytes)?.text ?? '') : change.text;
  return { text, hash: sha256Of(bytes), unsaved: false };
}

function encodedLike(text: string, former: FoundFile | null): Buffer {
  const how: Omit<Encoded, 'text'> = (former === null ? null : decoded(former.bytes)) ?? {
    encoding: 'utf8',
    mark: false,
  };
  return encoded(text, how);
}

// Puts bytes in a file's place: written beside it and moved there, so that the file is whole at any moment.

interface FileReplacement {
  readonly bytes: Uint8Array;
  readonly former: FoundFile | null;
  /** Permission bits of a file that was not there; null for the usual ones. */
  readonly mode: number | null;
  /** Throws where the file is not as it was read, or not where it was. */
  readonly look: () => void;
}

/**
 * With the former file's owner and mode. At any moment either that file or this one is there, whole; where it fails nothing is left of this
 * one. Rejects with words where the former file cannot be replaced as it was.
 */
async function replaceFile(
  path: string,
  folder: OpenFolder,
  { bytes, former, mode, look }: FileReplacement,
): Promise<void> {
  const note = await noteWriting(path);
  const names = [path, note.temporary, note.former].map((one) => folder.at(basename(one))) as [string, string, string];
  const [own, beside, aside] = names;
  try {
    const file = await open(beside, 'wx', former === null ? (mode ?? 0o666) : 0o600);
    try {
      if (openedAt(file.fd, note.temporary) !== note.temporary) throw changedMeanwhile(path);
      await note.made((await file.stat({ bigint: true })).ino, former?.stats.ino ?? null);
      await file.writeFile(bytes);
      if (former !== null) await likeFormer(file, path, former.stats);
      else if (mode !== null) await file.chmod(mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    if (former === null) {
      look();
      putNew(beside, own, path);
    } else putOver(beside, own, { aside, path, hash: former.hash, look });
  } finally {
    // A file that cannot be removed now stays noted for the next start.
    if (isRemoved(beside) && isRemoved(aside)) await note.done();
  }
}

/** Not over a file that came this moment, where the file system has links. */
function putNew(beside: string, own: string, path: string): void {
  if (isLinked(beside, own, path)) return;
  renameSync(beside, own);
}

interface Former {
  /** A second name for it. */
  readonly aside: string;
  readonly path: string;
  readonly hash: string;
  readonly look: () => void;
}

/** Replaces a file. Where the file system has links, a file that was written to in the moment of the rename gets its place back. */
function putOver(beside: string, own: string, { aside, path, hash, look }: Former): void {
  const isAside = isLinked(own, aside, path);
  look();
  // Nothing stands between these two: whoever renames a file to here in that moment is not noticed.
  if (isAside && inodeAt(aside) !== inodeAt(own)) throw changedMeanwhile(path);
  renameSync(beside, own);
  if (!isAside || isAt(aside, hash)) return;
  renameSync(aside, own);
  throw changedMeanwhile(path);
}

function inodeAt(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

function isAt(path: string, hash: string): boolean {
  try {
    return foundAt(path)?.hash === hash;
  } catch {
    return false;
  }
}

/** False where the file system has no links, or does not allow this one. */
function isLinked(from: string, to: string, path: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(systemCode(error))) throw changedMeanwhile(path);
    return false;
  }
}

function isRemoved(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return systemCode(error) === 'ENOENT';
  }
}

/** Rejects with words where its owner cannot be kept. */
async function likeFormer(file: FileHandle, path: string, { uid, gid, mode }: BigIntStats): Promise<void> {
  const own = await file.stat({ bigint: true });
  if (own.uid !== uid || own.gid !== gid)
    await file.chown(Number(uid), Number(gid)).catch((error: unknown) => {
      throw new Error(
        `${path} belongs to another user or group, and would not afterwards; nothing of it was written.`,
        {
          cause: error,
        },
      );
    });
  // After the owner, whose change takes bits of it away.
  await file.chmod(Number(mode & 0o7777n));
}
