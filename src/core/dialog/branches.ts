// Branches: a message that was asked again, or in other words, stands beside the earlier ones, and each leads to its own conversation.
import type { Item, ItemId } from './dialog.ts';

/** Which of the messages behind the same item one is, from 1. */
export interface BranchPlace {
  readonly at: number;
  readonly of: number;
}

/** The user's messages in their order, by the item that they follow. */
function messagesIn(items: readonly Item[]): ReadonlyMap<ItemId | null, readonly ItemId[]> {
  const behind = new Map<ItemId | null, ItemId[]>();
  for (const { origin, parent, id } of items) {
    if (origin !== 'user') continue;
    const others = behind.get(parent);
    if (others === undefined) behind.set(parent, [id]);
    else others.push(id);
  }
  return behind;
}

export type BranchPlaces = (message: Pick<Item, 'id' | 'parent'>) => BranchPlace | null;

/** Tells of a user's message where it stands among others; null where it is the only one. One that `items` lack comes last. */
export function branchPlaces(items: readonly Item[]): BranchPlaces {
  let behind: ReturnType<typeof messagesIn> | null = null;
  return ({ id, parent }) => {
    behind ??= messagesIn(items);
    const all = behind.get(parent) ?? [];
    const known = all.indexOf(id);
    const of = known < 0 ? all.length + 1 : all.length;
    return of < 2 ? null : { at: known < 0 ? of : known + 1, of };
  };
}

/** The item to go on from in the branch at a place beside a message: the one that was added to it last. Null where there is none. */
export function branchHead(items: readonly Item[], message: ItemId, at: number): ItemId | null {
  const own = items.find(({ id }) => id === message);
  if (own === undefined) return null;
  const first = messagesIn(items).get(own.parent)?.[at - 1];
  if (first === undefined) return null;
  const inside = new Set([first]);
  let last = first;
  for (const { id, parent } of items) {
    if (parent === null || !inside.has(parent)) continue;
    inside.add(id);
    last = id;
  }
  return last;
}
