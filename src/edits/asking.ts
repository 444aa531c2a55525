// Which changes ask the user whatever else is allowed, and why.
import { findRoots } from '../tools/files/paths.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import type { Unit } from './calls/stage.ts';
import { isIgnored } from './files/ignored.ts';
import { guardedBecause } from './guarded.ts';

/** In words, the first reason; null where nothing asks. */
export async function asksBecause(workspace: Workspace, { files }: Pick<Unit, 'files'>): Promise<string | null> {
  const roots = await findRoots(workspace);
  for (const { real, shown, before, after } of files) {
    const guarded = guardedBecause(roots, real, before?.text ?? null, after);
    if (guarded !== null) return `${shown}: ${guarded}`;
    if (await isIgnored(real)) return `${shown}: Git's ignore files name it`;
  }
  return null;
}
