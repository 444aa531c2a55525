// Files on the disk, without an editor. Each is written beside its place and moved there, so that it is whole at any moment.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sha256Of } from '../../tools/files/hash.ts';
import type { EditableFiles, EditableText, FileChange, ReadFile } from './editable.ts';
import { decoded, type Encoded, encoded } from './encoding.ts';

/** Bytes of a file that may be edited. */
const largest = 16 * 1024 * 1024;

export const diskFiles: EditableFiles = {
  read: async (path) => {
    try {
      return await look(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { is: 'absent' };
      return { is: 'refused', why: `it cannot be read (${(error as Error).message})` };
    }
  },
  change: async (changes) => {
    const written = new Map<string, EditableText>();
    for (const change of changes) {
      await isAsRead(change);
      if (change.do === 'delete') await unlink(change.path);
      else if (change.do === 'move') await move(change.path, change.to);
      else if (change.do === 'put') written.set(change.path, await put(change));
      else written.set(change.path, await write(change.path, change.text));
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

/** By its mode: whoever may write everything is told so, too. */
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

async function isAsRead({ path, before }: FileChange): Promise<void> {
  const now = await readFile(path).then(sha256Of, (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (now !== before) throw new Error(`${path} was changed meanwhile; nothing of it was written.`);
}

async function write(path: string, text: string): Promise<EditableText> {
  const former = await readFile(path).catch(() => null);
  const how: Omit<Encoded, 'text'> = (former === null ? null : decoded(former)) ?? { encoding: 'utf8', mark: false };
  const bytes = encoded(text, how);
  await replaceFile(path, bytes);
  return { text, hash: sha256Of(bytes), unsaved: false };
}

async function put({ path, bytes, mode }: Extract<FileChange, { do: 'put' }>): Promise<EditableText> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  await replaceFile(path, bytes, isThere || mode === null ? undefined : mode);
  return { text: decoded(bytes)?.text ?? '', hash: sha256Of(bytes), unsaved: false };
}

/** Puts bytes in a file's place, with its mode: at any moment either the former file or this one is there, whole. */
export async function replaceFile(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const former = await stat(path).catch(() => null);
  const beside = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tidemark`);
  const file = await open(beside, 'wx', mode ?? (former === null ? 0o666 : former.mode & 0o7777));
  try {
    await file.writeFile(bytes);
    if (former !== null || mode !== undefined) await file.chmod(mode ?? (former?.mode ?? 0) & 0o7777);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await rename(beside, path);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}

/** Not over a file that is there. */
async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if ((await lstat(to).catch(() => null)) !== null) throw new Error(`${to} is there already.`);
  await rename(from, to);
}
