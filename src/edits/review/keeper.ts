// Keeps what files are before a turn changes them, and what it left of them.
import { stat } from 'node:fs/promises';
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { FileSnapshots, NewSnapshot } from '../../core/stored/fileSnapshots.ts';
import type { StagedFile } from '../calls/stage.ts';
import type { EditableFiles } from '../files/editable.ts';
import { bytesLike, lookAt } from './look.ts';
import { standingOf } from './standing.ts';

export interface KeepingPorts {
  readonly store: FileSnapshots;
  readonly files: EditableFiles;
  /** Unix milliseconds. */
  readonly now: () => number;
}

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
    const left = changed.map(async ({ real: file, shown }, i) => {
      // Where it cannot be read, what was meant to be written stands: if it is something else, that shows when it can be.
      const found = await lookAt(files, file, shown).catch(() => given[i]?.wanted ?? null);
      return { file, bytes: found === null || found instanceof Uint8Array ? found : found.bytes };
    });
    store.settle(session, message, await Promise.all(left));
  };
}

async function snapshotOf(
  { store, files }: Omit<KeepingPorts, 'now'>,
  { real, shown, before, after }: StagedFile,
): Promise<NewSnapshot> {
  const found = await lookAt(files, real, shown);
  if ((found?.hash ?? null) !== (before?.hash ?? null))
    throw new Error(`${shown} was changed meanwhile; nothing of it was written.`);
  const mode = found === null ? null : await modeOf(real);
  const bytes = found?.bytes ?? null;
  const wanted = after === null ? null : bytesLike(after, bytes);
  return { file: real, shown, mode, before: bytes, wanted, ...(await baseOf(store, files, real, bytes)) };
}

/** What waits already waits on, together with what comes now, and as mixed with the words of others as it was. */
async function baseOf(
  store: FileSnapshots,
  files: EditableFiles,
  file: string,
  bytes: Uint8Array | null,
): Promise<Pick<NewSnapshot, 'base' | 'mixed'>> {
  const known = store.file(file);
  if (known === null) return { base: bytes, mixed: false };
  const { base, mixed, waits } = await standingOf(store, files, known);
  return waits ? { base, mixed } : { base: bytes, mixed: false };
}

/** Null where the file went meanwhile. */
async function modeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mode }) => mode & 0o7777,
    () => null,
  );
}
