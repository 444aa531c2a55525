// The fence of a folder, tried when it is first wanted.
import { type FenceState, tryFence } from './fence/fence.ts';
import { searchPath } from './process/environment.ts';

/** Milliseconds after which a fence that did not hold is tried again: the user may have mended it. */
const triesAgainAfter = 30_000;

/** The fence around the commands of a folder, tried once if it holds. `folder` gives its real path. */
export function fenceOf(folder: () => Promise<string>, storage: string): () => Promise<FenceState> {
  let tried: { readonly state: Promise<FenceState>; readonly at: number } | null = null;
  return async () => {
    const now = Date.now();
    if (tried !== null && ((await tried.state).kind !== 'none' || now - tried.at < triesAgainAfter)) return tried.state;
    const real = await folder();
    tried = {
      state: tryFence(real, storage, { path: searchPath(process.env.PATH ?? '', real), variables: process.env }),
      at: now,
    };
    return tried.state;
  };
}
