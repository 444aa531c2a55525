// Drops or compacts the oldest turns when a prompt has more chat messages than the cap, down to three quarters of it, so that it is rare.
import type { Item } from '../dialog/dialog.ts';
import { compactBefore } from './compactTurns.ts';
import { type PruneState, takeOut } from './pruneState.ts';
import { droppable, type PruneContext, weigh } from './strategy.ts';

/**
 * Whether an item is a chat message of its own. Attachments and directives stand within other messages. Knowledge may be a system
 * message of its own; it is not counted, so one turn more than needed may be dropped.
 */
export function isChatMessage({ origin }: Item): boolean {
  return origin === 'user' || origin === 'assistant' || origin === 'call' || origin === 'result';
}

export function capMessages(context: PruneContext, pruned: PruneState): PruneState {
  const cap = context.policy.messageCap;
  if (cap === 0 || context.messages <= cap) return pruned;
  let left = context.messages - Math.floor(cap * 0.75);
  let now = pruned;
  for (const { start, end } of droppable(context, pruned)) {
    if (left <= 0) break;
    const { had } = weigh(context, now, start, end);
    now =
      context.compactionId === null
        ? takeOut(context.path, now, { from: start, to: end, tokens: had, by: 'capMessages' })
        : compactBefore(context, context.compactionId, now, end);
    left -= context.path.slice(start, end).filter((item) => isChatMessage(item) && context.weight(item.id) > 0).length;
  }
  return now;
}
