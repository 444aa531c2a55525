// Opens a database as the host does, and waits until a damaged file is read.

import { openOrRescue } from '../../src/store/rescue/openIn.ts';
import type { Store } from '../../src/store/store.ts';

export const salvageScript = new URL('../../src/store/rescue/salvageThread.ts', import.meta.url);

/** `words`: all that the user is told, one after the other. */
export async function openRescued(path: string): Promise<{ readonly store: Store; readonly words: string }> {
  const { store, words, salvaged } = await openOrRescue(path, salvageScript);
  return { store, words: [words, (await salvaged) ?? ''].filter((one) => one !== '').join(' ') };
}
