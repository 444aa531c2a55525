// A fold in the projection: whole turns out of the prompt, and a checkpoint in their place as a state of its own.
import type { Item, ItemId } from '../dialog/dialog.ts';
import type { Held, Run } from '../pruning/held.ts';
import type { Checkpoint } from './checkpoint.ts';

export interface Fold {
  readonly id: string;
  /** It covers the path up to here, exclusive: folded turns, and those that were let go before. */
  readonly to: number;
  /** Id of the item before `to`, to notice that the path is another branch. */
  readonly last: ItemId;
  /** What it took out. Turns that a pin holds stay. */
  readonly runs: readonly Run[];
  readonly checkpoint: Checkpoint;
  /** The one it built upon: it stands again where this one is undone, or branched off before. */
  readonly previous: Fold | null;
}

export const foldRun = 'fold';

/** Where a fold up to `to` ends: what was let go across it belongs to it. */
export function foldEnd({ runs }: Held, to: number): number {
  return runs.reduce((end, run) => (run.from < end && run.to > end ? run.to : end), to);
}

/** The fold before this one stands again, and what only this one took out comes back. */
export function undoFold(held: Held): Held {
  return withFold(held, held.fold?.previous ?? null);
}

/** The latest fold of the chain that the path still holds. */
export function foldOn(path: readonly Item[], fold: Fold | null): Fold | null {
  let now = fold;
  while (now !== null && path[now.to - 1]?.id !== now.last) now = now.previous;
  return now;
}

export function withFold(held: Held, fold: Fold | null): Held {
  const others = held.runs.filter((run) => run.by !== foldRun);
  const taken = fold?.runs ?? [];
  const outside = others.filter((run) => taken.every(({ from, to }) => run.from < from || run.to > to));
  return { ...held, fold, runs: [...outside, ...taken].toSorted((a, b) => a.from - b.from) };
}

/** The same fold with another checkpoint. */
export function withCheckpoint(held: Held, id: string, checkpoint: Checkpoint): Held {
  return held.fold?.id === id ? { ...held, fold: { ...held.fold, checkpoint } } : held;
}
