// Clears what was found for earlier messages and their answers do not cite: it served its turn. What is cited stays, as an attachment.
import { type AttachmentItem, type Item, turnsOf } from '../dialog/dialog.ts';
import { currentStart, type PruneState, shownItems, unusedFound } from './pruneState.ts';
import { clear, type PruneContext } from './strategy.ts';

export function clearFound(context: PruneContext, pruned: PruneState): PruneState {
  const start = currentStart(context.path);
  let now = pruned;
  for (const [at, item] of shownItems(context.path, pruned)) {
    if (at >= start || item.origin !== 'attachment' || item.found === undefined) continue;
    if (pruned.cleared.has(item.id) || context.marks.pinned.has(item.id) || isCited(context.path, at)) continue;
    now = clear(now, item, context.size(item.id, 'stub') + context.size(item.id, 'body'), unusedFound);
  }
  return now;
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
