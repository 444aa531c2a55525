// Finds the items of a conversation that still hang together where others are lost.
import type { Item, ItemId } from '../core/dialog/dialog.ts';

/** Whole turns stay: a message of the user's whose forerunner is lost follows the answer before it, the rest of a torn turn goes. */
export function linkedItems(items: readonly Item[]): readonly Item[] {
  const known = new Set<ItemId>();
  let answer: ItemId | null = null;
  const kept: Item[] = [];
  for (const item of items) {
    const isThere = item.parent === null || known.has(item.parent);
    if (known.has(item.id) || (!isThere && item.origin !== 'user')) continue;
    kept.push(isThere ? item : { ...item, parent: answer });
    known.add(item.id);
    if (item.origin === 'assistant') answer = item.id;
  }
  return kept;
}
