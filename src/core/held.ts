// What one slot's projection has let go of. One-way: entries are only ever added, so the prefix stays byte-identical.
import type { Item, ItemId } from './dialog.ts';

export interface Cleared {
  /** Tokens the cleared part had. */
  readonly tokens: number;
  readonly by: string;
}

export interface Capped {
  /** The shortened body that stands in the prompt. */
  readonly text: string;
  /** Tokens of the whole body. */
  readonly before: number;
}

export interface Held {
  /** Path index before which everything is trimmed; always the start of a turn. */
  readonly trimmedTo: number;
  /** Id of the last trimmed item, to notice that the path is another branch. */
  readonly trimmedLast: ItemId | null;
  readonly trimmedTokens: number;
  readonly cleared: ReadonlyMap<ItemId, Cleared>;
  readonly capped: ReadonlyMap<ItemId, Capped>;
}

export const nothingHeld: Held = {
  trimmedTo: 0,
  trimmedLast: null,
  trimmedTokens: 0,
  cleared: new Map(),
  capped: new Map(),
};

/** The same value where it still fits the path; nothing held when an edit branched off before the trimmed part's end. */
export function heldOn(path: readonly Item[], held: Held): Held {
  if (held.trimmedTo === 0) return held;
  const last = path[held.trimmedTo - 1];
  return last !== undefined && last.id === held.trimmedLast ? held : nothingHeld;
}
