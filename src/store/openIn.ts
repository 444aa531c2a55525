// Opens the storage in a folder, or says why nothing can be stored.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOf, wordFault } from '../core/faults/faults.ts';
import { openOrRescue } from './rescue.ts';
import type { Store } from './store.ts';

export interface StoreOrWords {
  /** Null where nothing can be stored. */
  readonly store: Store | null;
  /** What the user should know; '' for nothing. */
  readonly words: string;
}

/** Makes the folder where there is none. Never rejects. */
export async function openIn(folder: string): Promise<StoreOrWords> {
  try {
    await mkdir(folder, { recursive: true });
    return await openOrRescue(join(folder, 'tidemark.sqlite'));
  } catch (error) {
    const fault = faultOf(error);
    const said =
      fault.kind === 'storeUnavailable' ? fault : ({ kind: 'storeUnavailable', reason: String(error) } as const);
    const { message, advice } = wordFault(said);
    return { store: null, words: `${message} ${advice}` };
  }
}
