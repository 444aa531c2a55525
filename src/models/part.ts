// A file that has not wholly arrived: NAME.part with its bytes, and NAME.part.json that says of what they are the beginning.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isRecord } from '../core/record.ts';

/** The server's description of the file. */
export interface PartState {
  readonly url: string;
  /** Tells one version of the file from another; null where the server says nothing that does. */
  readonly version: string | null;
  /** Bytes in all; null where the server does not say. */
  readonly total: number | null;
  /** The SHA-256 that the whole file must have; null while unknown. */
  readonly sha256: string | null;
}

export interface DownloadPart {
  readonly have: number;
  readonly state: PartState;
}

const pathOf = (path: string) => `${path}.part`;

/** Returns null where there is no part that could be continued. */
export async function readPart(path: string): Promise<DownloadPart | null> {
  const found = await lstat(pathOf(path)).catch(() => null);
  const text = await readFile(`${pathOf(path)}.json`, 'utf8').catch(() => '');
  const state = stateIn(text);
  return found?.isFile() !== true || state === null ? null : { have: found.size, state };
}

export async function openPart(path: string): Promise<FileHandle> {
  // A link in the part's place would let another file be written over.
  const found = await lstat(pathOf(path)).catch(() => null);
  if (found?.isFile() === false) await rm(pathOf(path));
  return open(pathOf(path), constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o644);
}

/** Whole or not at all: a window may end at any moment. */
export async function writeState(path: string, state: PartState): Promise<void> {
  await rm(`${pathOf(path)}.json.new`, { force: true });
  await writeFile(`${pathOf(path)}.json.new`, JSON.stringify(state), { flag: 'wx' });
  await rename(`${pathOf(path)}.json.new`, `${pathOf(path)}.json`);
}

export async function dropPart(path: string): Promise<void> {
  for (const end of ['', '.json', '.json.new']) await rm(`${pathOf(path)}${end}`, { force: true });
}

/** The part becomes the file. */
export async function finishPart(path: string): Promise<void> {
  await rename(pathOf(path), path);
  await dropPart(path);
}

function stateIn(text: string): PartState | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.url !== 'string') return null;
    const { url, version, total, sha256 } = value;
    return {
      url,
      version: typeof version === 'string' ? version : null,
      total: typeof total === 'number' ? total : null,
      sha256: typeof sha256 === 'string' ? sha256 : null,
    };
  } catch {
    return null;
  }
}
