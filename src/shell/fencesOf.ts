// The fences of folders, each tried when it is first wanted.
import { type FenceState, tryFence } from './fence/fence.ts';
import { searchPath } from './process/environment.ts';

/** Milliseconds after which a fence that did not hold is tried again: the user may have mended it. */
const triesAgainAfter = 30_000;

/** The fence around the commands of a folder, by its real path; tried once if it holds. */
export function fencesOf(storage: string): (folder: string) => Promise<FenceState> {
  const all = new Map<string, { readonly state: Promise<FenceState>; readonly at: number }>();
  return async (folder) => {
    const now = Date.now();
    const tried = all.get(folder);
    if (tried !== undefined && ((await tried.state).kind !== 'none' || now - tried.at < triesAgainAfter))
      return tried.state;
    const around = { path: searchPath(process.env.PATH ?? '', folder), variables: process.env };
    const state = tryFence(folder, storage, around);
    all.set(folder, { state, at: now });
    return state;
  };
}
