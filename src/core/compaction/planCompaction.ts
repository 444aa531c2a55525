// Decides where a compaction cuts: before the turns kept verbatim, and while idle only when it frees enough to be worth it.
import { isChatMessage } from '../pruning/capMessages.ts';
import type { Fitted } from '../pruning/fitted.ts';
import { compactionEnd, type PruneState, shownTurns } from '../pruning/pruneState.ts';
import { droppable, type PruneContext, weigh } from '../pruning/strategy.ts';

const longestCoolDown = 16;

/** Turns that pass before the next try, after so many failures in a row: doubled each time, and at most sixteen. */
export function turnsOfRest(failures: number): number {
  return Math.min(2 ** failures, longestCoolDown);
}

/** Path index up to which to compact, and the tokens that this has to free. */
export interface CompactionCut {
  readonly to: number;
  readonly least: number;
}

/** A compaction that is due while idle: over `compactAt`, or where the next message would pass the cap on messages. Null where none is. */
export function cutWhileIdle(fitted: Pick<Fitted, 'context' | 'pruned' | 'measure'>): CompactionCut | null {
  const { policy, compactionMarks, messages } = fitted.context;
  const { compactAt, minGain: least } = compactionMarks;
  const to = fitted.measure.total > compactAt ? planCompaction(fitted, least) : null;
  if (to !== null) return { to, least };
  const { messageCap } = policy;
  const capped = messageCap > 0 && messages >= messageCap ? cutAtMessages(fitted, messages - messageCap * 0.75) : null;
  return capped === null ? null : { to: capped, least: Number.NEGATIVE_INFINITY };
}

/** The end of the oldest turns that have so many messages. */
function cutAtMessages({ context, pruned }: Pick<Fitted, 'context' | 'pruned'>, excess: number): number | null {
  let left = excess;
  let end: number | null = null;
  for (const turn of droppable(context, pruned)) {
    if (left <= 0) break;
    end = turn.end;
    left -= context.path
      .slice(turn.start, turn.end)
      .filter((item) => isChatMessage(item) && context.weight(item.id) > 0).length;
  }
  return end === null ? null : Math.max(compactionEnd(pruned, end), pruned.compaction?.to ?? 0);
}

/** Path index up to which to compact. Null where no boundary between turns would free so many tokens, or anything at all. */
export function planCompaction(
  { context, pruned }: { readonly context: PruneContext; readonly pruned: PruneState },
  least: number,
): number | null {
  const { compactionMarks, state } = context;
  const end = tailStart(context, pruned);
  if (end === 0) return null;
  const free = droppable(context, pruned).filter((turn) => turn.end <= end);
  const gain = free.reduce((sum, turn) => sum + weigh(context, pruned, turn.start, turn.end).now, 0);
  // A pin may have kept a turn before the end of the last compaction.
  const to = Math.max(compactionEnd(pruned, end), pruned.compaction?.to ?? 0);
  return gain - compactionMarks.stateCap + state.tokens >= least ? to : null;
}

/** Index where the latest turns that fit the tail begin; 0 when all fit. The last turn always counts as fitting. */
function tailStart(context: PruneContext, pruned: PruneState): number {
  const turns = shownTurns(context.path, pruned);
  let tail = 0;
  for (const [back, { start, end }] of turns.toReversed().entries()) {
    tail += weigh(context, pruned, start, end).now;
    if (tail > context.compactionMarks.tail && back > 0) return end;
  }
  return 0;
}
