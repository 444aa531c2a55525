// The folder of models: what lies in it, whole and unfinished; deleting; moving it all to another place.
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FaultError } from '../core/faults/faults.ts';
import { takeLock } from './lock.ts';
import { dropPart, readPart } from './part.ts';
import { shardsOf } from './source.ts';

export interface KeptModel {
  /** The path of the model's first file. */
  readonly path: string;
  readonly name: string;
  /** The size of all its files together. */
  readonly bytes: number;
  readonly files: readonly string[];
}

/** A download that was not finished. */
export interface UnfinishedDownload {
  readonly path: string;
  readonly name: string;
  readonly url: string;
  readonly bytes: number;
  readonly total: number | null;
  /** A window fetches it now. */
  readonly running: boolean;
}

const later = /-(?!00001)\d{5}-of-\d{5}\.gguf$/i;

/** Lists the models of a folder by name; a model in several files is listed only where all of them are there. */
export async function listModels(folder: string): Promise<readonly KeptModel[]> {
  const names = await namesIn(folder);
  const models: KeptModel[] = [];
  for (const name of names.filter((one) => /\.gguf$/i.test(one) && !later.test(one))) {
    const files = shardsOf(name);
    const sizes = await Promise.all(files.map((file) => sizeOf(join(folder, file))));
    if (sizes.some((size) => size === null)) continue;
    const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    models.push({ path: join(folder, name), name, bytes, files: files.map((file) => join(folder, file)) });
  }
  return models;
}

export async function listUnfinished(folder: string): Promise<readonly UnfinishedDownload[]> {
  const found: UnfinishedDownload[] = [];
  for (const part of (await namesIn(folder)).filter((name) => /\.gguf\.part$/i.test(name))) {
    const name = part.replace(/\.part$/, '');
    const path = join(folder, name);
    const kept = await readPart(path);
    if (kept === null) continue;
    const { url, total } = kept.state;
    found.push({ path, name, url, bytes: kept.have, total, running: isLocked(path) });
  }
  return found;
}

export async function deleteModel({ files }: Pick<KeptModel, 'files'>): Promise<void> {
  for (const file of files.toReversed()) await rm(file);
}

/** False where a window fetches it. */
export async function deleteUnfinished({ path }: Pick<UnfinishedDownload, 'path'>): Promise<boolean> {
  const lock = takeLock(`${path}.lock`);
  if (lock === null) return false;
  try {
    await dropPart(path);
    return true;
  } finally {
    lock.release();
  }
}

/** Everything of one folder into another; nothing is moved where a name is taken there. `onFile` is told before each. */
export async function moveModels(from: string, to: string, onFile: (name: string) => void): Promise<readonly string[]> {
  await mkdir(to, { recursive: true });
  const names = (await namesIn(from)).filter((name) => /\.gguf(\.part(\.json)?)?$/i.test(name));
  const taken = new Set(await namesIn(to));
  const double = names.find((name) => taken.has(name));
  if (double !== undefined)
    throw new FaultError({ kind: 'download', problem: { is: 'nameTaken', name: double, folder: to } });
  for (const name of names) {
    onFile(name);
    await moveFile(join(from, name), join(to, name));
  }
  return names;
}

/** To another disk it is copied; the old one goes once the new one is whole. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    try {
      await copyFile(from, `${to}.moving`, constants.COPYFILE_EXCL);
      await rename(`${to}.moving`, to);
    } catch (failed) {
      await rm(`${to}.moving`, { force: true });
      throw failed;
    }
    await rm(from);
  }
}

function isLocked(path: string): boolean {
  const lock = takeLock(`${path}.lock`);
  lock?.release();
  return lock === null;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.toSorted();
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? found.size : null;
}
