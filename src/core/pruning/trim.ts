// A trim: what a prompt over high water lets go of, in which order, and how much more so that it pays.

import { shrink } from '../compaction/merge.ts';
import { stateText } from '../compaction/stateText.ts';
import { newestOf } from '../compaction/summaryPlace.ts';
import type { Item } from '../dialog/dialog.ts';
import type { Budget } from '../prompt/budget.ts';
import { segmentsOf } from '../prompt/prompt.ts';
import { clearEarlier } from './clearEarlier.ts';
import { compactTurns } from './compactTurns.ts';
import type { Fitted } from './fitted.ts';
import { currentStart, type PruneState, shownItems, withSummary } from './pruneState.ts';
import { clearOldest, type PruneContext, type Strategy } from './strategy.ts';

// Clears the oldest tool results and directives of the current turn, and where that is too little the long arguments of its calls;
// never what the model has not read yet. That goes in the last step before a fault, by a strategy of its own. Attachments of this turn stay.
const rounds: readonly (readonly Item['origin'][])[] = [['result', 'note'], ['call']];

function clearTurn(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  const start = currentStart(context.path);
  const unread = context.path.findLastIndex((item) => item.origin === 'call');
  const turn = context.path.slice(start, Math.max(start, unread));
  const items = rounds.flatMap((origins) => turn.filter(({ origin }) => origins.includes(origin)));
  return clearOldest(context, pruned, items, excess, 'clearTurn');
}

/** Texts that were looked up unasked go before results, the oldest first. */
function clearUnread(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  const turn = context.path.slice(currentStart(context.path));
  const origins: readonly Item['origin'][] = ['knowledge', 'result'];
  const items = origins.flatMap((one) => turn.filter(({ origin }) => origin === one));
  return clearOldest(context, pruned, items, excess, 'clearUnread');
}

// Clears what the user attached to earlier messages, the oldest first, before whole turns have to go. What stands with the last two messages stays.
function clearAttached(context: PruneContext, pruned: PruneState, excess: number): PruneState {
  const { path } = context;
  const start = currentStart(path.slice(0, currentStart(path)));
  const attached = shownItems(path, pruned).flatMap(([at, item]) =>
    at < start && item.origin === 'attachment' ? [item] : [],
  );
  return clearOldest(context, pruned, attached, excess, 'clearAttached');
}

/** Strategies over high water, in this order; each runs only when the one before did not suffice. */
export const overHigh: readonly Strategy[] = [clearEarlier, clearAttached, clearTurn, compactTurns];

/** The prompt with this let go of, measured. */
type At = (pruned: PruneState) => Promise<Fitted>;

/** A summary that was just made keeps to its cap. An earlier one stays as it is, because the prefix stands on it. */
export async function settleState(first: Fitted, at: At): Promise<Fitted> {
  let now = first;
  while (now.pruned.compaction?.id === now.context.compactionId && now.context.state.tokens > now.context.state.cap) {
    const pruned = shrinkState(now.context, now.pruned, now.context.state.tokens - now.context.state.cap);
    if (pruned === now.pruned) break;
    now = await at(pruned);
  }
  return now;
}

/** A compaction for the sake of messages may not make a prompt too large that was not: its summary gives way before anything else does. */
export async function noLarger(before: Fitted, after: Fitted, { high }: Budget, at: At): Promise<Fitted> {
  if (before.measure.total > high) return after;
  return letGo(after, [shrinkState], ({ measure }) => measure.total - high, at);
}

/** Goes on with each strategy while tokens are owed and it finds something. */
export async function letGo(
  first: Fitted,
  strategies: readonly Strategy[],
  owed: (now: Fitted) => number,
  at: At,
): Promise<Fitted> {
  let now = first;
  for (const strategy of strategies) {
    for (let excess = owed(now); excess > 0; excess = owed(now)) {
      const pruned = strategy(now.context, now.pruned, excess);
      if (pruned === now.pruned) break;
      now = await settleState(await at(pruned), at);
    }
  }
  return now;
}

/** Tokens of a prompt with which a trim pays, when they go, for what is decoded again. */
export type Worth = (fitted: Fitted) => number;

export const allTokens: Worth = ({ measure }) => measure.total;

/** Without what was generated, which nobody ever prefilled. So idle work decodes again at most what was new once. */
export const prefilledTokens: Worth = ({ prompt, measure }) =>
  segmentsOf(prompt).reduce(
    (left, { generated }, i) => left - (generated === undefined ? 0 : (measure.segments[i] ?? 0)),
    measure.total,
  );

/** `worth`: what stands behind the first deletion is decoded again, so the trim has to pay for that; null where it costs nothing. */
export async function trim(first: Fitted, at: At, { low, high }: Budget, worth: Worth | null): Promise<Fitted> {
  const enough = await letGo(first, overHigh, ({ measure }) => measure.total - low, at);
  // Without a gap between the marks there is no hysteresis to pay for: then a smaller budget only ever loses more.
  const paid = worth !== null && low < high ? await pay(first, enough, at, worth) : enough;
  return letGo(paid, [shrinkState, clearUnread], ({ measure }) => measure.total - high, at);
}

/**
 * A trim breaks the prefix where its first deletion is. So that such trims stay rare, each frees at least what
 * has to be decoded again behind it: then all of them together never cost more than the tokens ever seen.
 */
export async function pay(first: Fitted, enough: Fitted, at: At, worth: Worth): Promise<Fitted> {
  // The trim pays with items near the break: in this turn when nothing before it was touched, else in front of it.
  const paying = isEarlierTouched(first, enough) ? [clearAttached, compactTurns, clearTurn] : [clearTurn, compactTurns];
  return letGo(enough, paying, (now) => unpaid(first, now, worth), at);
}

/** Whether something in front of the current turn went. */
function isEarlierTouched({ context: { path }, pruned: before }: Fitted, { pruned: after }: Fitted): boolean {
  const earlier = path.slice(0, currentStart(path));
  return before.runs !== after.runs || earlier.some(({ id }) => before.cleared.has(id) !== after.cleared.has(id));
}

/** Tokens still to free; each one more also is one less to decode. */
function unpaid(before: Fitted, after: Fitted, worth: Worth): number {
  const freed = worth(before) - worth(after);
  const former = segmentsOf(before.prompt);
  const broke = segmentsOf(after.prompt).findIndex(
    ({ item, part, text }, i) =>
      item !== former[i]?.item || part !== former[i]?.part || (item === null && text !== former[i]?.text),
  );
  const kept = broke === -1 ? after.measure.total : (after.measure.starts[broke] ?? 0);
  const again = Math.max(0, after.measure.total - unread(after) - kept);
  return Math.ceil((again - freed) / 2);
}

/** Tokens behind the last assistant message: new in this prompt, so they are decoded whatever happens. */
function unread({ prompt, measure }: Fitted): number {
  const at = prompt.messages.findLastIndex(({ role }) => role === 'assistant');
  const segments = prompt.messages.slice(0, at + 1).reduce((sum, message) => sum + message.segments.length, 0);
  return measure.total - (measure.starts[segments] ?? measure.total);
}

// Leaves the least important entries of the summary out, when it is over its cap or there is no other space left.
export function shrinkState(
  { state, compactionId, erases, path }: PruneContext,
  before: PruneState,
  excess: number,
): PruneState {
  const { compaction } = before;
  if (compaction === null || compaction.summary.entries.length === 0) return before;
  const length = stateText(compaction.summary).length;
  const wanted = Math.floor(length * (1 - excess / Math.max(1, state.tokens)));
  const summary = shrink(compaction.summary, Math.min(wanted, length - 1));
  const placed = { ...before, summaryAt: erases ? newestOf(path) : before.summaryAt };
  // An earlier compaction is kept as it was made, so a shorter one builds upon it.
  if (compactionId === null || compactionId === compaction.id) return withSummary(placed, compaction.id, summary);
  return { ...placed, compaction: { ...compaction, id: compactionId, summary, previous: compaction } };
}
