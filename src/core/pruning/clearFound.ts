// Clears what was found for earlier messages, as the user wants it: all of it, or what a share of the window does not hold, or nothing before the limit.
import type { Item } from '../dialog/dialog.ts';
import { currentStart, foundForOneTurn, type PruneState, shownItems, spentFound } from './pruneState.ts';
import { clear, clearable, type PruneContext } from './strategy.ts';

export function clearFound(context: PruneContext, pruned: PruneState): PruneState {
  switch (context.policy.knowledge) {
    case 'last':
      return earlier(context, pruned)
        .filter((item) => item.origin === 'attachment' || (item.origin === 'knowledge' && !item.replaces))
        .reduce((now, item) => clear(now, item, tokensOf(context, now, item), foundForOneTurn), pruned);
    case 'recent':
      return context.erases ? clearOldestTurns(context, pruned) : pruned;
    case 'sticky':
      return pruned;
    default:
      return context.policy.knowledge satisfies never;
  }
}

/** Passages of earlier turns that stand in the prompt, and texts around their messages, the oldest first. */
function earlier({ path, marks }: PruneContext, pruned: PruneState): readonly Item[] {
  const start = currentStart(path);
  return shownItems(path, pruned).flatMap(([at, item]) => {
    const isFound = item.origin === 'knowledge' || (item.origin === 'attachment' && item.found !== undefined);
    return isFound && at < start && !pruned.cleared.has(item.id) && !marks.pinned.has(item.id) ? [item] : [];
  });
}

/** The passages stay that fit into their share, those of the current turn first: an answer is asked about while it stands on the screen. */
function clearOldestTurns(context: PruneContext, pruned: PruneState): PruneState {
  const { path, foundCap } = context;
  const own = path.slice(currentStart(path)).filter(isPassage);
  let left = foundCap - own.reduce((sum, item) => sum + tokensOf(context, pruned, item), 0);
  let now = pruned;
  for (const item of earlier(context, pruned).filter(isPassage).toReversed()) {
    const tokens = tokensOf(context, pruned, item);
    left -= tokens;
    if (left < 0) now = clear(now, item, tokens, spentFound);
  }
  return now;
}

function isPassage(item: Item): boolean {
  return item.origin === 'attachment' && item.found !== undefined;
}

function tokensOf(context: PruneContext, pruned: PruneState, item: Item): number {
  return item.origin === 'attachment'
    ? context.size(item.id, 'stub') + context.size(item.id, 'body')
    : clearable(context, pruned, item);
}
