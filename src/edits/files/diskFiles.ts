// Files on the disk, without an editor. Each is written beside its place and moved there, so that it is whole at any moment.
import { constants, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { access, lstat, readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { decoded, type Encoded, encoded } from '../../tools/files/encoding.ts';
import { sha256Of } from '../../tools/files/hash.ts';
import type { EditableFiles, EditableText, FileChange, ReadFile } from './editable.ts';
import { changedMeanwhile, type FoundFile, foundAt, largest } from './foundFile.ts';
import { inFolder, type OpenFolder, systemCode } from './openFolder.ts';
import { replaceFile } from './replaceFile.ts';

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
