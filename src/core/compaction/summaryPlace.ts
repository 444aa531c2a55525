// Chooses the summary's place in a prompt. Right behind the pinned head it breaks the prefix, and everything after it is decoded again;
// behind the slot's cached tokens it costs only itself. So a slot that can erase gets it at the end, and idle work, which recomputes that
// part anyway, moves it to the front.
import { type Item, type ItemId, nextItem } from '../dialog/dialog.ts';
import { currentStart, type PruneState, shownItems } from '../pruning/pruneState.ts';

/** The item that no slot has decoded yet: the last result of the current turn, else the user's message, or the one to come. */
export function newestOf(path: readonly Item[]): ItemId | null {
  const last = path.at(-1)?.origin;
  if (last === 'assistant' || last === 'call') return nextItem;
  const turn = path.slice(currentStart(path));
  return turn.findLast(({ origin }) => origin === 'result')?.id ?? turn[0]?.id ?? null;
}

/**
 * The item with which the summary comes: in front of a message of the user, else at the end of a result. Null behind the
 * pinned head. One that is not in the prompt any more gives way to the newest. `isIn`: a node may not see all that is shown.
 */
export function summaryPlace(
  path: readonly Item[],
  pruned: PruneState,
  isIn: (item: Item, at: number) => boolean,
): ItemId | null {
  const { compaction, summaryAt } = pruned;
  if (compaction === null || summaryAt === null) return null;
  const stands = shownItems(path, pruned).some(([at, item]) => item.id === summaryAt && isIn(item, at));
  return stands ? summaryAt : newestOf(path);
}
