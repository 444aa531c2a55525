// The folder of snapshots on disk: names from hashes, least recently used by the time of the file, and what dead processes left.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptSnapshot, SnapshotFiles } from '../../app/ports/snapshotFiles.ts';
import { isAlive } from '../../tools/files/alive.ts';

/** A pair is put in its place in two steps: what is younger may be between them. Milliseconds. */
const settled = 60_000;

/** The engine makes the folder, for its user only, when it stores the first one. */
export function createSnapshotFiles(folder: string): SnapshotFiles {
  const nameOf = (session: string) => createHash('sha256').update(session).digest('hex').slice(0, 32);
  /** Which session a description names, by its path and version. */
  const sessions = new Map<string, string>();
  const names = () => readdir(folder).catch(() => []);
  const remove = async (path: string) => {
    // A file that a scanner or another window has open stays until next time.
    for (const file of [`${path}.json`, path]) await rm(file, { force: true }).catch(() => undefined);
  };
  return {
    path: (session, slot) => join(folder, `${nameOf(session)}-${slot}.kv`),
    list: async () => {
      const kept: KeptSnapshot[] = [];
      const seen = new Set<string>();
      for (const name of await names()) {
        const path = join(folder, name);
        const temporary = /\.(\d+)\.\d+\.tmp(\.json)?$/.exec(name);
        if (temporary !== null && !isAlive(Number(temporary[1])))
          await rm(path, { force: true }).catch(() => undefined);
        const state = name.replace(/\.json$/, '');
        // A pair is two names.
        if (!state.endsWith('.kv') || seen.has(state)) continue;
        seen.add(state);
        const found = await describe(join(folder, state), sessions);
        if (typeof found === 'object') kept.push(found);
        else if (Date.now() - found > settled) await remove(join(folder, state));
      }
      return kept;
    },
    remove,
    removeSession: async (session) => {
      const files = (await names()).filter((name) => name.startsWith(nameOf(session)));
      for (const name of files) await remove(join(folder, name.replace(/\.json$/, '')));
    },
  };
}

/** When something of it was written last, where it is no pair. Unix milliseconds. */
async function describe(path: string, sessions: Map<string, string>): Promise<KeptSnapshot | number> {
  const [state, description] = await Promise.all([path, `${path}.json`].map((file) => stat(file).catch(() => null)));
  if (state == null || description == null) return (state ?? description)?.mtimeMs ?? Date.now();
  // The session's record holds the whole image of the slot.
  const version = `${path} ${description.mtimeMs} ${description.size}`;
  const session = sessions.get(version) ?? sessionIn(await readFile(`${path}.json`, 'utf8').catch(() => ''));
  if (session === null) return state.mtimeMs;
  sessions.set(version, session);
  return { session, path, bytes: state.size + description.size, used: state.mtimeMs };
}

function sessionIn(text: string): string | null {
  try {
    const { record } = JSON.parse(text) as { readonly record: string };
    const { session } = JSON.parse(record) as { readonly session: unknown };
    return typeof session === 'string' ? session : null;
  } catch {
    return null;
  }
}
