// Keeps what files are before a turn changes them, and what it left of them.
import { stat } from 'node:fs/promises';
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { ChangedFile, FileSnapshots, NewSnapshot } from '../../core/stored/fileSnapshots.ts';
import type { StagedFile } from '../calls/stage.ts';
import type { EditableFiles } from '../files/editable.ts';
import { missingAbove } from '../files/openFolder.ts';
import { bytesLike, lookAt } from './look.ts';
import { carryOver, type Standing, standingOf } from './standing.ts';

export interface KeepingPorts {
  readonly store: FileSnapshots;
  readonly files: EditableFiles;
  /** Unix milliseconds. */
  readonly now: () => number;
}

type Ports = Omit<KeepingPorts, 'now'>;

/**
 * Resolves once all is kept. What it gives is called when the files were changed, or could not be. Rejects where something cannot be kept.
 */
export async function keepBefore(
  { store, files, now }: KeepingPorts,
  session: string,
  message: ItemId,
  staged: readonly StagedFile[],
): Promise<() => Promise<void>> {
  const changed = staged.filter(({ before, after }) => (before?.text ?? null) !== after);
  const given: NewSnapshot[] = [];
  for (const one of changed) given.push(await snapshotOf({ store, files }, one));
  store.begin(session, message, given, now());
  return async () => {
    const left = given.map(async ({ file, shown, before, wanted, under }) => {
      const bytes = await leftOf(files, { file, shown, wanted });
      return under === undefined ? { file, bytes } : { file, bytes, under: carryOver(under, before, bytes).bytes };
    });
    store.settle(session, message, await Promise.all(left));
  };
}

/** Returns the file's bytes; for a file that cannot be read, those that were meant to be written. A difference shows once the file can be read. */
export async function leftOf(
  files: EditableFiles,
  { file, shown, wanted }: Pick<NewSnapshot, 'file' | 'shown' | 'wanted'>,
): Promise<Uint8Array | null> {
  return lookAt(files, file, shown).then(
    (found) => found?.bytes ?? null,
    () => wanted,
  );
}

async function snapshotOf({ store, files }: Ports, { real, shown, before, after }: StagedFile): Promise<NewSnapshot> {
  const found = await lookAt(files, real, shown);
  if ((found?.hash ?? null) !== (before?.hash ?? null))
    throw new Error(`${shown} was changed meanwhile; nothing of it was written.`);
  const mode = await modeOf(real);
  const bytes = found?.bytes ?? null;
  const wanted = after === null ? null : bytesLike(after, bytes);
  const folders = after === null ? [] : await missingAbove(real);
  const waiting = await waitingIn({ store, files }, real, bytes);
  return { file: real, shown, mode, before: bytes, wanted, folders, ...waiting };
}

type Waiting = Pick<NewSnapshot, 'base' | 'under' | 'mixed'> & Pick<ChangedFile, 'applied'>;

/**
 * Returns the layers of a file about to change: earlier changes go on waiting together with the new one, below code blocks, and mixed with others'
 * words as before.
 */
export async function waitingIn({ store, files }: Ports, file: string, bytes: Uint8Array | null): Promise<Waiting> {
  const known = store.file(file);
  return layersOver(known === null ? null : await standingOf(store, files, known), bytes);
}

/** The layers of a change over those that wait. */
export function layersOver(found: Standing | null, bytes: Uint8Array | null): Waiting {
  if (found?.waits !== true) return { base: bytes, mixed: false };
  const { row, base, under, mixed } = found;
  return row.applied === undefined ? { base, mixed } : { base, under, mixed, applied: row.applied };
}

/** Returns a file's permission bits; null where there is no file. */
export async function modeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mode }) => mode & 0o7777,
    () => null,
  );
}
