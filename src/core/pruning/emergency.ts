// After the engine itself said that the context is full: the older half of the turns goes, compacted by rules where that is on, or the only one left
// is cut.
import type { SummaryEntry } from '../compaction/summary.ts';
import type { Item } from '../dialog/dialog.ts';
import { compactBefore } from './compactTurns.ts';
import { currentStart, type PruneState, shownTurns, takeOut, withSummary } from './pruneState.ts';
import { clear, clearable, droppable, type PruneContext, weigh } from './strategy.ts';

/** Said to the model, because its own turn may have lost a part. */
export const emergencyText = 'The window was full: earlier parts of this conversation are gone.';

/** The same in the summary, for later turns. */
function noted(pruned: PruneState, path: readonly Item[]): PruneState {
  const { compaction } = pruned;
  if (compaction === null) return pruned;
  const items = path.slice(compaction.to - 1, compaction.to).map(({ id }) => id);
  const note: SummaryEntry = { section: 'done', text: emergencyText, by: 'model', items };
  const { entries, left } = compaction.summary;
  return withSummary(pruned, compaction.id, { entries: [...entries, note], left });
}

/**
 * Pinned turns go after the others. The one place where a turn is cut: its user message with what was given beside it
 * stays, and of its tool rounds the last call with the first lines of its results.
 */
export function emergency(context: PruneContext, pruned: PruneState): PruneState {
  const free = droppable(context, pruned);
  const pinned = shownTurns(context.path, pruned)
    .slice(0, -1)
    .filter(({ start }) => free.every((turn) => turn.start !== start));
  const turns = [...free, ...pinned];
  const half = turns.slice(0, Math.ceil(turns.length / 2));
  if (half.length > 0) {
    const oldest = half.filter((turn) => free.includes(turn)).at(-1);
    const { compactionId } = context;
    const begun =
      compactionId === null || oldest === undefined
        ? pruned
        : noted(compactBefore(context, compactionId, pruned, oldest.end), context.path);
    const left = begun === pruned ? half : half.filter((turn) => !free.includes(turn));
    return left.reduce((now, { start, end }) => {
      const { had } = weigh(context, now, start, end);
      return takeOut(context.path, now, { from: start, to: end, tokens: had, by: 'emergency' });
    }, begun);
  }
  const start = currentStart(context.path);
  const first = context.path.findIndex((item, i) => i >= start && item.origin === 'call');
  const last = context.path.findLastIndex((item) => item.origin === 'call');
  const { had } = weigh(context, pruned, first, last);
  const cut =
    first < 0 || first === last
      ? pruned
      : takeOut(context.path, pruned, { from: first, to: last, tokens: had, by: 'emergency' });
  return context.path.slice(Math.max(last, start)).reduce((now, item) => {
    const tokens = item.origin === 'result' ? clearable(context, now, item) : 0;
    return tokens > 0 ? clear(now, item, tokens, 'emergency') : now;
  }, cut);
}
