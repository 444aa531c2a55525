// A compaction in the projection: whole turns out of the prompt, and a summary in their place as a state of its own.
import type { Item, ItemId } from '../dialog/dialog.ts';
import type { PrunedRun } from '../pruning/run.ts';
import type { Summary } from './summary.ts';

export interface Compaction {
  readonly id: string;
  /** End of the covered path, exclusive: it includes compacted turns and those trimmed before. */
  readonly to: number;
  /** Id of the item before `to`, to notice that the path is another branch. */
  readonly last: ItemId;
  /** Items that the compaction took out. Turns that a pin holds stay. */
  readonly runs: readonly PrunedRun[];
  readonly summary: Summary;
  /** The one it built upon: it stands again where this one is undone, or branched off before. */
  readonly previous: Compaction | null;
}

export const compactionRun = 'fold';

/** The latest compaction of the chain that the path still holds. */
export function compactionOn(path: readonly Item[], compaction: Compaction | null): Compaction | null {
  let now = compaction;
  while (now !== null && path[now.to - 1]?.id !== now.last) now = now.previous;
  return now;
}
