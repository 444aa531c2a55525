// Stores what slots hold and brings it back, so that a conversation goes on without decoding its prompt again. What cannot be used
// is deleted, and the reason is an answer, not a failure.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { GgmlType, getModuleVersion, type Llama, type LlamaContext } from 'node-llama-cpp';
import type {
  LoadSnapshotParams,
  SaveSnapshotParams,
  SnapshotLoaded,
  SnapshotSaved,
} from '../../../core/engine/slotState.ts';
import { reasonOf } from '../../../core/faults/faults.ts';
import { type Image, tokensOf } from '../../../core/kv/kvImage.ts';
import { type Pace, predicted } from '../../../core/kv/pace.ts';
import type { MemoryPlan } from '../../../core/machine/memoryPlan.ts';
import type { AskingLine } from '../../line.ts';
import type { Holding, Slot } from './slot.ts';

/** Fewer tokens are decoded about as fast as a file is read. */
const least = 64;

type Saving = Omit<SaveSnapshotParams, 'slot'>;
type Loading = Omit<LoadSnapshotParams, 'slot' | 'prompt'> & { readonly prompt: Image };

/** A state that was written to a file. */
interface Taken {
  readonly holding: Holding;
  readonly bytes: number;
  readonly slotMilliseconds: number;
}

export async function createSnapshots(
  llama: Llama,
  context: LlamaContext,
  model: string,
  memory: MemoryPlan | null,
  line: AskingLine,
): Promise<SlotSnapshots> {
  const { release } = llama.llamaCppRelease;
  const engine = `node-llama-cpp ${await getModuleVersion()}, llama.cpp ${release}`;
  const types = `${GgmlType[context.kvCacheKeyType]}/${GgmlType[context.kvCacheValueType]}`;
  const cache = `${types}, flash attention ${context.flashAttention}`;
  return new SlotSnapshots(
    { model, contextSize: context.contextSize, cache, engine },
    memory === null ? 0 : memory.kv / memory.slots / memory.window,
    line,
  );
}

export class SlotSnapshots {
  private readonly kind: Kind;
  private readonly line: AskingLine;
  /** An estimate until the first one is stored. */
  private bytesPerToken: number;
  /** Each slot's state when it was last stored or loaded, and the path of its file. */
  private readonly known = new Map<Slot, Holding & { readonly path: string }>();
  /** Each slot's image when another conversation began to use it, which must not be stored as the new one's. */
  private readonly former = new Map<Slot, Image>();
  /** Files that are being written, by their place. */
  private readonly writing = new Map<string, Promise<void>>();
  /** All that was asked to be stored and is not there yet, by its place. */
  private readonly saving = new Map<string, Promise<unknown>>();
  private saves = 0;

  constructor(kind: Kind, bytesPerToken: number, line: AskingLine) {
    this.line = line;
    this.kind = kind;
    this.bytesPerToken = bytesPerToken;
  }

  async save(slot: Slot, saving: Saving): Promise<SnapshotSaved> {
    const saved = this.storeFrom(slot, saving);
    const all = Promise.all([this.saving.get(saving.path), saved]);
    this.saving.set(saving.path, all);
    return saved.finally(() => {
      if (this.saving.get(saving.path) === all) this.saving.delete(saving.path);
    });
  }

  private async storeFrom(slot: Slot, saving: Saving): Promise<SnapshotSaved> {
    const started = performance.now();
    this.saves += 1;
    // Another window has a process of its own; what a killed one leaves is swept up by its number.
    const temporary = `${saving.path}.${process.pid}.${this.saves}.tmp`;
    try {
      const taken = await this.line.copy(slot, () => this.take(slot, saving, temporary));
      if (typeof taken === 'string') return { saved: false, reason: taken };
      const { bytes, slotMilliseconds } = taken;
      const tokens = tokensOf(taken.holding.image).length;
      this.bytesPerToken = bytes / tokens;
      if (bytes > saving.maxBytes) return { saved: false, reason: tooLarge(bytes, saving) };
      await this.write(slot, saving, taken, temporary);
      return { saved: true, tokens, bytes, milliseconds: performance.now() - started, slotMilliseconds };
    } catch (error) {
      return { saved: false, reason: reasonOf(error) };
    } finally {
      // Nothing is left of it unless the disk fails, and then it is swept up later.
      await remove(temporary).catch(() => undefined);
    }
  }

  /** Called whenever another conversation begins to use a slot. What is not stored may be in one of the others. */
  async load(slot: Slot, loading: Loading, all: readonly Slot[]): Promise<SnapshotLoaded> {
    const stored = await this.fromDisk(slot, loading);
    if (stored.loaded) return stored;
    const copied = await this.fromSlot(slot, loading, all).catch(() => null);
    if (copied === null || !copied.loaded) return stored;
    return stored.deleted ? { ...copied, refused: stored.reason } : copied;
  }

  private fromDisk(slot: Slot, { path, prompt, reuse }: Loading): Promise<SnapshotLoaded> {
    const started = performance.now();
    // The last save to this path counts, from whichever slot, so loading waits for it. Later saves may wait for this slot itself, so
    // loading does not wait for those.
    const earlier = this.saving.get(path);
    return this.line.copy(slot, async () => {
      this.former.set(slot, slot.contents);
      await earlier;
      const stored = await look(path);
      if (stored === null) return { loaded: false, reason: 'there is none', deleted: false };
      if (typeof stored === 'string') return refused(path, stored);
      const problem = foreign(stored.record, this.kind);
      if (problem !== null) return refused(path, problem);
      if (!serves(slot, stored, prompt, reuse))
        return { loaded: false, reason: 'it would spare nothing', deleted: false };
      const failed = await this.bring(slot, path, stored);
      if (failed !== null) return refused(path, failed);
      const { tokens, bytes } = stored.record;
      return { loaded: true, from: 'disk', tokens, bytes, pace: slot.pace, milliseconds: performance.now() - started };
    });
  }

  /** A new conversation has its head in common with others: it is copied from the slot that spares most, where that pays. */
  private async fromSlot(slot: Slot, loading: Loading, all: readonly Slot[]): Promise<SnapshotLoaded | null> {
    const started = performance.now();
    const found = likest(slot, loading, all);
    if (found === null || (predicted(found.source.pace, found.gain) ?? 0) < loading.worthMilliseconds) return null;
    this.saves += 1;
    const temporary = `${loading.path}.${process.pid}.${this.saves}.tmp`;
    try {
      // The source slot may have lost its state before its turn comes.
      const copied = await this.line.copy(found.source, async () =>
        this.line.isAwaited(found.source) || likest(slot, loading, [found.source]) === null
          ? null
          : copyTo(temporary, found.source),
      );
      if (copied === null) return null;
      const { holding, bytes } = copied;
      await this.line.copy(slot, async () => {
        await slot.restore(holding, () => slot.sequence.loadStateFromFile(temporary, { acceptRisk: true }));
        // The state is not this conversation's until the slot was filled for it.
        this.former.set(slot, holding.image);
      });
      const milliseconds = performance.now() - started;
      return { loaded: true, from: 'slot', tokens: found.gain, bytes, pace: slot.pace, milliseconds };
    } finally {
      await remove(temporary).catch(() => undefined);
    }
  }

  /** Off the slot, one after the other. */
  private async write(slot: Slot, { path, session }: Saving, { holding, bytes }: Taken, temporary: string) {
    const exactTo = Number.isFinite(holding.exactTo) ? holding.exactTo : null;
    const tokens = tokensOf(holding.image).length;
    const job = (this.writing.get(path) ?? Promise.resolve()).then(async () => {
      await put(path, temporary, { ...this.kind, session, tokens, bytes, ...holding, exactTo });
      this.known.set(slot, { ...holding, path });
    });
    const ended = job.catch(() => undefined);
    this.writing.set(path, ended);
    await job.finally(() => {
      if (this.writing.get(path) === ended) this.writing.delete(path);
    });
  }

  /** Writes the state, or says why not. */
  private async take(slot: Slot, saving: Saving, temporary: string): Promise<Taken | string> {
    const { sequence, holding } = slot;
    const tokens = sequence.nextTokenIndex;
    if (tokens === 0) return 'the slot is empty';
    if (this.line.isAwaited(slot) || (saving.tokens ?? tokens) !== tokens) return 'a message came first';
    if (holding === null) return 'a part of it is being moved';
    if (this.former.get(slot) === slot.contents) return 'it is of another conversation';
    const expected = predicted(slot.pace, tokens);
    const { worthMilliseconds } = saving;
    if (await this.isStored(slot, holding, saving.path)) return 'it is stored as it is';
    if (expected === null) return 'it is not known yet how long decoding it would take';
    if (expected <= worthMilliseconds) return `decoding it again takes ${Math.round(expected)} ms only`;
    const estimate = tokens * this.bytesPerToken;
    if (estimate > saving.maxBytes) return tooLarge(estimate, saving);
    await mkdir(dirname(temporary), { recursive: true, mode: 0o700 });
    const began = performance.now();
    const { fileSize: bytes } = await sequence.saveStateToFile(temporary);
    return { holding, bytes, slotMilliseconds: performance.now() - began };
  }

  private async isStored(slot: Slot, { image, exactTo }: Holding, path: string): Promise<boolean> {
    const known = this.known.get(slot);
    if (known?.path !== path || known.exactTo !== exactTo) return false;
    const same = known.image === image || tokensOf(known.image).join() === tokensOf(image).join();
    if (!same) return false;
    const stored = await look(path);
    return stored !== null && typeof stored !== 'string';
  }

  /** Returns the problem in words, or null. */
  private async bring(slot: Slot, path: string, stored: Stored): Promise<string | null> {
    try {
      if (!(await isWhole(path, stored))) return 'it was changed since it was written';
      const holding = holdingOf(stored.record);
      const load = () => slot.sequence.loadStateFromFile(path, { acceptRisk: true });
      await slot.restore(holding, load);
      this.known.set(slot, { ...holding, path });
      await touch(path);
      return null;
    } catch (error) {
      return reasonOf(error);
    }
  }
}

/** The other slot that would spare most of the prompt. */
function likest(
  slot: Slot,
  { prompt, reuse }: Loading,
  all: readonly Slot[],
): { readonly source: Slot; readonly gain: number } | null {
  if (reuse === 'none') return null;
  const others = all.flatMap((source) => {
    const { holding } = source;
    return source === slot || holding === null ? [] : [{ source, gain: slot.gain(holding, prompt, reuse) }];
  });
  const [best] = others.toSorted((a, b) => b.gain - a.gain);
  return best === undefined || best.gain < least ? null : best;
}

/** Returns null when a part of the slot is being shifted. */
async function copyTo(path: string, { sequence, holding }: Slot) {
  if (holding === null) return null;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { fileSize: bytes } = await sequence.saveStateToFile(path);
  return { holding, bytes };
}

function serves(slot: Slot, { record }: Stored, prompt: Image, reuse: LoadSnapshotParams['reuse']): boolean {
  try {
    return reuse !== 'none' && slot.gain(holdingOf(record), prompt, reuse) >= least;
  } catch {
    // A record of another shape: its hash will say so.
    return true;
  }
}

async function refused(path: string, reason: string): Promise<SnapshotLoaded> {
  const deleted = await remove(path).then(
    () => true,
    () => false,
  );
  return { loaded: false, reason, deleted };
}

function tooLarge(bytes: number, { maxBytes }: Saving): string {
  const megabytes = (size: number) => Math.ceil(size / 1024 ** 2);
  return `it would take ${megabytes(bytes)} MB, more than the ${megabytes(maxBytes)} MB that are allowed`;
}

// A stored slot on disk: the state as llama.cpp writes it, and beside it what it belongs to. One hash covers both, because
// llama.cpp ends the process over a state that was cut off and computes on with one that was changed.

/** The context that a state can be loaded into; every part must be the same. */
interface Kind {
  /** Fingerprint of the model file. */
  readonly model: string;
  readonly contextSize: number;
  readonly cache: string;
  /** node-llama-cpp and llama.cpp. */
  readonly engine: string;
}

interface SnapshotRecord extends Kind {
  readonly session: string;
  readonly tokens: number;
  readonly bytes: number;
  /** Tokens before this index are exact; null when all are. */
  readonly exactTo: number | null;
  readonly image: Image;
  readonly pace: Pace;
}

interface Stored {
  readonly record: SnapshotRecord;
  /** The record as it is written in the file. */
  readonly text: string;
  readonly sha256: string;
}

const besides = (path: string) => `${path}.json`;

/**
 * Puts a state that was written to `temporary` in its place. Killed at any moment, this leaves the old pair, the new one, or a
 * state without its description.
 */
async function put(path: string, temporary: string, record: SnapshotRecord): Promise<void> {
  const text = JSON.stringify(record);
  const sha256 = await hashOf(temporary, text);
  await writeFile(besides(temporary), JSON.stringify({ sha256, record: text }), { mode: 0o600 });
  await rm(besides(path), { force: true });
  await rename(temporary, path);
  await rename(besides(temporary), besides(path));
}

/** Reads the pair without checking its content; null when there is nothing at all, words when it is no pair. */
async function look(path: string): Promise<Stored | string | null> {
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
async function isWhole(path: string, { text, sha256 }: Stored): Promise<boolean> {
  return (await hashOf(path, text)) === sha256;
}

function holdingOf({ image, pace, exactTo }: SnapshotRecord): Holding {
  return { image, pace, exactTo: exactTo ?? Number.POSITIVE_INFINITY };
}

/** Why a state cannot be loaded into a slot of this kind; null when it can. */
function foreign(record: SnapshotRecord, kind: Kind): string | null {
  if (record.model !== kind.model) return 'it is of another model';
  if (record.contextSize !== kind.contextSize) return `its window has ${record.contextSize} tokens`;
  if (record.cache !== kind.cache) return `its cache is ${record.cache}`;
  if (record.engine !== kind.engine) return `it was written by ${record.engine}`;
  return null;
}

/** The one used last goes last when there is no space for all. */
async function touch(path: string): Promise<void> {
  const now = new Date();
  // Only the order suffers where it cannot be set.
  await utimes(path, now, now).catch(() => undefined);
}

async function remove(...paths: readonly string[]): Promise<void> {
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
