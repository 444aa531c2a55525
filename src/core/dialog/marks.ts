// The user's decisions about single items. They win over every strategy; only the window wins over a pin.
import type { ItemId } from './dialog.ts';

export interface Marks {
  /** Never cleared, cut or dropped while the window can hold them. */
  readonly pinned: ReadonlySet<ItemId>;
  /**
   * Out of the prompt: a tool result or an attachment down to its first line, knowledge and directives alone, anything
   * else with its turn, unless a pin holds that.
   */
  readonly evicted: ReadonlySet<ItemId>;
}

export const noMarks: Marks = { pinned: new Set(), evicted: new Set() };

export type Mark = 'pinned' | 'evicted' | 'none';

/** An item has one mark at a time. */
export function mark({ pinned, evicted }: Marks, item: ItemId, as: Mark): Marks {
  const without = (set: ReadonlySet<ItemId>) => new Set([...set].filter((id) => id !== item));
  const kept = { pinned: without(pinned), evicted: without(evicted) };
  if (as !== 'none') kept[as].add(item);
  return kept;
}
