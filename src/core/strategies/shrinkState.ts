// Leaves the least important entries of the checkpoint out, when it is over its cap or there is no other room left.

import { withCheckpoint } from '../fold/fold.ts';
import { shrink } from '../fold/merge.ts';
import { stateText } from '../fold/stateText.ts';
import type { Held } from '../held.ts';
import type { Room } from './strategy.ts';

export function shrinkState({ state }: Room, held: Held, excess: number): Held {
  const { fold } = held;
  if (fold === null || fold.checkpoint.entries.length === 0) return held;
  const length = stateText(fold.checkpoint).length;
  const wanted = Math.floor(length * (1 - excess / Math.max(1, state.tokens)));
  return withCheckpoint(held, fold.id, shrink(fold.checkpoint, Math.min(wanted, length - 1)));
}
