// Clears what was found for earlier messages, as the user wants it: all of it, or what the answers do not cite, or nothing before the limit.
import { type AttachmentItem, type Item, turnsOf } from '../dialog/dialog.ts';
import { currentStart, foundForOneTurn, type PruneState, shownItems, unusedFound } from './pruneState.ts';
import { clear, clearable, type PruneContext } from './strategy.ts';

export function clearFound(context: PruneContext, pruned: PruneState): PruneState {
  const { path, policy, marks } = context;
  const by = policy.knowledge === 'last' ? foundForOneTurn : unusedFound;
  const start = currentStart(path);
  let now = pruned;
  for (const [at, item] of shownItems(path, pruned)) {
    if (at >= start || pruned.cleared.has(item.id) || marks.pinned.has(item.id)) continue;
    if (goes(context, item, at)) now = clear(now, item, tokensOf(context, pruned, item), by);
  }
  return now;
}

/** Letting go of what no answer cites costs nothing where the slot erases it; elsewhere it waits for the next trim. */
function goes({ path, policy, erases }: PruneContext, item: Item, at: number): boolean {
  const isPassage = item.origin === 'attachment' && item.found !== undefined;
  switch (policy.knowledge) {
    case 'last':
      return isPassage || (item.origin === 'knowledge' && !item.replaces);
    case 'cited':
      return isPassage && erases && !isCited(path, at);
    case 'sticky':
      return false;
    default:
      return policy.knowledge satisfies never;
  }
}

function tokensOf(context: PruneContext, pruned: PruneState, item: Item): number {
  return item.origin === 'attachment'
    ? context.size(item.id, 'stub') + context.size(item.id, 'body')
    : clearable(context, pruned, item);
}

/** Whether the answer of its own turn names the file of what was found. */
export function isCited(path: readonly Item[], at: number): boolean {
  const item = path[at];
  return item?.origin === 'attachment' && cites(answerOf(path, at), item);
}

/** The model's words in the turn of an item. */
function answerOf(path: readonly Item[], at: number): string {
  const turn = turnsOf(path).find(({ start, end }) => start <= at && at < end);
  const items = turn === undefined ? [] : path.slice(turn.start, turn.end);
  return items.flatMap((item) => (item.origin === 'assistant' ? [item.text] : [])).join('\n');
}

/** Whether an answer names the file of a passage, by its path or by its name alone. */
function cites(answer: string, { found }: Pick<AttachmentItem, 'found'>): boolean {
  if (found === undefined) return false;
  const name = found.path.slice(found.path.lastIndexOf('/') + 1);
  return answer.includes(found.path) || (name.includes('.') && answer.includes(name));
}
