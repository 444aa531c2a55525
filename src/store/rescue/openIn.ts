// Opens the storage in a folder, or says why nothing can be stored.
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOf, wordFault } from '../../core/faults/faults.ts';
import { Searcher } from '../searching/searcher.ts';
import type { Store } from '../store.ts';
import { openOrRescue } from './rescue.ts';

export interface StoreOrWords {
  /** The open store; null where nothing can be stored. */
  readonly store: Store | null;
  /** Words for the user; '' where there is nothing to say. */
  readonly words: string;
  /** And what comes to be known when a damaged file is read; null where there is none. Never rejects. */
  readonly salvaged: Promise<string> | null;
}

/**
 * Makes the folder where there is none. `script` is that of the thread that reads a damaged file, `searching` that of the one that searches;
 * without it the host searches itself. Never rejects.
 */
export async function openIn(folder: string, script: string | URL, searching?: string | URL): Promise<StoreOrWords> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, 'tidemark.sqlite');
    const opened = await openOrRescue(
      path,
      script,
      searching === undefined ? searching : new Searcher(path, searching),
    );
    // Conversations are for no other user of this machine. A file system without modes, or a file of another user, stays as it is.
    for (const end of ['', '-wal', '-shm']) await chmod(path + end, 0o600).catch(() => undefined);
    return opened;
  } catch (error) {
    const fault = faultOf(error);
    const said =
      fault.kind === 'storeUnavailable' ? fault : ({ kind: 'storeUnavailable', reason: String(error) } as const);
    const { message, advice } = wordFault(said);
    return { store: null, words: `${message} ${advice}`, salvaged: null };
  }
}
