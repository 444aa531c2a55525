// Reads what an editor keeps besides its settings, from a copy, so that an editor that is open is not disturbed.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/store.ts';
import type { Known } from './headless.ts';

const database = 'tidemark.sqlite';

/**
 * `folder`: the editor's folder of the user, or Tidemark's own in it. Goes on with a conversation where its id is given.
 * Rejects where there is no storage, or no such conversation.
 */
export async function knownIn(folder: string, conversation: string | null): Promise<Known> {
  const places = [folder, join(folder, 'globalStorage', 'tidemark.tidemark')];
  const place = places.find((one) => existsSync(join(one, database)));
  if (place === undefined) throw new Error(`There is no ${database} in ${places.join(' or ')}.`);
  const copy = mkdtempSync(join(tmpdir(), 'tidemark-storage-'));
  try {
    for (const name of [database, `${database}-wal`])
      if (existsSync(join(place, name))) copyFileSync(join(place, name), join(copy, name));
    const store = await openStore(join(copy, database));
    process.once('exit', () => {
      store.close();
      remove(copy);
    });
    // Conversations must not stay behind, whatever ends this process. Windows keeps files that are open until the exit above.
    remove(copy);
    const session = conversation === null ? null : store.sessions.session(conversation);
    if (conversation !== null && session === null) throw new Error(`There is no conversation ${conversation}.`);
    return { memory: store.memory, abilities: store.abilities, session };
  } catch (error) {
    remove(copy);
    throw error;
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Somebody still has a file of it open.
  }
}
