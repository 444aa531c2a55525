// What a strategy is: one pure way to let tokens go, in one file. The policy is an ordered list of them.
import type { Policy } from '../budget.ts';
import type { Item, ItemId } from '../dialog.ts';
import type { Cleared, Held } from '../held.ts';
import { type Measure, type Prompt, type Segment, segmentsOf } from '../prompt.ts';

/** What a strategy may look at: the path, the exact sizes of the measured prompt and the user's policy. */
export interface Room {
  readonly path: readonly Item[];
  readonly policy: Policy;
  /** Tokens a segment takes in the measured prompt; 0 when it is not in it. */
  readonly size: (item: ItemId, part: Segment['part']) => number;
  /** Tokens an item takes with its share of template glue. */
  readonly weight: (item: ItemId) => number;
}

/** Lets go of at least `excess` tokens where it can, of as little more as its unit allows. Returns `held` itself when it can do nothing. */
export type Strategy = (room: Room, held: Held, excess: number) => Held;

export function roomOf(path: readonly Item[], policy: Policy, prompt: Prompt, measure: Measure): Room {
  const sizes = new Map<string, number>();
  const weights = new Map<ItemId, number>();
  segmentsOf(prompt).forEach((segment, i) => {
    if (segment.item === null) return;
    sizes.set(`${segment.part} ${segment.item}`, measure.segments[i] ?? 0);
    const next = measure.starts[i + 1] ?? measure.total;
    weights.set(segment.item, (weights.get(segment.item) ?? 0) + next - (measure.starts[i] ?? 0));
  });
  return {
    path,
    policy,
    size: (item, part) => sizes.get(`${part} ${item}`) ?? 0,
    weight: (item) => weights.get(item) ?? 0,
  };
}

/** Clears the body of one result or one whole note. */
export function clear(held: Held, item: Item, tokens: number, by: string): Held {
  const cleared = new Map<ItemId, Cleared>(held.cleared);
  cleared.set(item.id, { tokens, by });
  return { ...held, cleared };
}

/** Tokens that clearing an item would free: a result's body or a note's text. */
export function clearable(room: Room, held: Held, item: Item): number {
  if (held.cleared.has(item.id)) return 0;
  if (item.origin === 'result') return room.size(item.id, 'body');
  return item.origin === 'note' ? room.size(item.id, 'text') : 0;
}
