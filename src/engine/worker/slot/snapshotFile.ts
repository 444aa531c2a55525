// A stored slot on disk: the state as llama.cpp writes it, and beside it what it belongs to. One hash covers both, because
// llama.cpp ends the process over a state that was cut off and computes on with one that was changed.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import type { Image } from '../../../core/kv/kvImage.ts';
import type { Pace } from '../../../core/kv/pace.ts';
import type { Holding } from './slot.ts';

/** The context that a state can be loaded into; every part must be the same. */
export interface Kind {
  /** Fingerprint of the model file. */
  readonly model: string;
  readonly contextSize: number;
  readonly cache: string;
  /** node-llama-cpp and llama.cpp. */
  readonly engine: string;
}

export interface SnapshotRecord extends Kind {
  readonly session: string;
  readonly tokens: number;
  readonly bytes: number;
  /** Tokens before this index are exact; null when all are. */
  readonly exactTo: number | null;
  readonly image: Image;
  readonly pace: Pace;
}

export interface Stored {
  readonly record: SnapshotRecord;
  /** The record as it is written in the file. */
  readonly text: string;
  readonly sha256: string;
}

export const besides = (path: string) => `${path}.json`;

/**
 * Puts a state that was written to `temporary` in its place. Killed at any moment, this leaves the old pair, the new one, or a
 * state without its description.
 */
export async function put(path: string, temporary: string, record: SnapshotRecord): Promise<void> {
  const text = JSON.stringify(record);
  const sha256 = await hashOf(temporary, text);
  await writeFile(besides(temporary), JSON.stringify({ sha256, record: text }), { mode: 0o600 });
  await rm(besides(path), { force: true });
  await rename(temporary, path);
  await rename(besides(temporary), besides(path));
}

/** Reads the pair without checking its content; null when there is nothing at all, words when it is no pair. */
export async function look(path: string): Promise<Stored | string | null> {
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  const text = await readFile(besides(path), 'utf8').catch(() => null);
  if (size === null) return text === null ? null : 'its state is missing';
  if (text === null) return 'its description is missing';
  const stored = parsed(text);
  if (stored === null) return 'its description cannot be read';
  const { bytes } = stored.record;
  return bytes === size ? stored : `it has ${size} bytes instead of ${bytes}`;
}

/** Whether not a bit of state and description was changed. */
export async function isWhole(path: string, { text, sha256 }: Stored): Promise<boolean> {
  return (await hashOf(path, text)) === sha256;
}

export function holdingOf({ image, pace, exactTo }: SnapshotRecord): Holding {
  return { image, pace, exactTo: exactTo ?? Number.POSITIVE_INFINITY };
}

/** Why a state cannot be loaded into a slot of this kind; null when it can. */
export function foreign(record: SnapshotRecord, kind: Kind): string | null {
  if (record.model !== kind.model) return 'it is of another model';
  if (record.contextSize !== kind.contextSize) return `its window has ${record.contextSize} tokens`;
  if (record.cache !== kind.cache) return `its cache is ${record.cache}`;
  if (record.engine !== kind.engine) return `it was written by ${record.engine}`;
  return null;
}

/** The one used last goes last when there is no space for all. */
export async function touch(path: string): Promise<void> {
  const now = new Date();
  // Only the order suffers where it cannot be set.
  await utimes(path, now, now).catch(() => undefined);
}

export async function remove(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await rm(besides(path), { force: true });
    await rm(path, { force: true });
  }
}

function parsed(text: string): Stored | null {
  try {
    const { sha256, record } = JSON.parse(text) as { readonly sha256: unknown; readonly record: unknown };
    if (typeof sha256 !== 'string' || typeof record !== 'string') return null;
    const said = JSON.parse(record) as SnapshotRecord | null;
    // Whether the rest is what this file wrote, its hash says.
    return typeof said?.bytes === 'number' ? { sha256, text: record, record: said } : null;
  } catch {
    return null;
  }
}

async function hashOf(path: string, text: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return hash.update(text).digest('hex');
}
