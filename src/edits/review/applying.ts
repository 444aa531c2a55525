// Notes what code blocks put into files, so that it waits for the user's word there.
import type { ChangedFile } from '../../core/stored/fileSnapshots.ts';
import { missingAbove } from '../files/openFolder.ts';
import { type KeepingPorts, leftOf, modeOf, waitingIn } from './keeper.ts';
import { contentOf } from './look.ts';

/** The change that a code block makes to a file. */
export interface BlockEdit {
  /** Absolute, free of links. */
  readonly file: string;
  readonly shown: string;
  /** The content as the editor has it, in the file's encoding; null is no file. */
  readonly before: Uint8Array | null;
  readonly wanted: Uint8Array | null;
  /** Nothing of the file is unsaved. */
  readonly saved: boolean;
  /** The block's `blockKey`. */
  readonly block: string;
}

/** `make` changes all of the files or none. Rejects as it does, and then nothing is noted. */
export async function noteBlocks(
  ports: Omit<KeepingPorts, 'now'>,
  session: string,
  edits: readonly BlockEdit[],
  make: () => Promise<void>,
): Promise<void> {
  const { store, files } = ports;
  const former = edits.map((edit) => store.file(edit.file) ?? nothingOf(edit, session));
  try {
    for (const edit of edits) await begin(ports, session, edit);
    await make();
  } catch (error) {
    for (const row of former) store.put(row);
    throw error;
  }
  for (const edit of edits) {
    const left = await leftOf(files, edit);
    const { wanted: _wanted, ...row } = store.file(edit.file) ?? nothingOf(edit, session);
    store.put({ ...row, now: contentOf(left) }, [left]);
  }
}

async function begin(ports: Omit<KeepingPorts, 'now'>, session: string, edit: BlockEdit): Promise<void> {
  const { file, before, wanted, saved, block } = edit;
  const { base, under = before, mixed, applied } = await waitingIn(ports, file, before);
  const keys = [...new Set([...(applied?.keys ?? []), block])];
  const known = ports.store.file(file);
  const folders = [...new Set([...(known?.folders ?? []), ...(await missingAbove(file))])];
  const row: ChangedFile = {
    ...nothingOf(edit, session),
    base: contentOf(base),
    mixed,
    now: contentOf(before),
    wanted: contentOf(wanted),
    // No `redo` stays: changes that were taken back before can't be made again over the block.
    news: known?.news ?? '',
    folders,
    applied: { saves: saved, mode: await modeOf(file), ...applied, under: contentOf(under), keys },
  };
  ports.store.put(row, [base, under, before, wanted]);
}

/** A row of which nothing waits: it goes by itself. */
function nothingOf({ file, shown }: BlockEdit, session: string): ChangedFile {
  return { file, shown, session, base: null, mixed: false, now: null, news: '' };
}
