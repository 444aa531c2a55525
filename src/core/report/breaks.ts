// Explains where a slot's prefix broke, why, and at what cost: the plan's own break, with facts that only the projection knows.

import { compactionRun } from '../compaction/compaction.ts';
import type { ItemId } from '../dialog/dialog.ts';
import type { BreakCause } from '../kv/kvBreak.ts';
import type { KvBreak } from '../kv/kvPlan.ts';
import type { CacheReuse, Generation, Prefill } from '../model/model.ts';
import { segmentsOf } from '../prompt/prompt.ts';
import type { Fitted } from '../pruning/fitted.ts';
import { isWithheld } from '../pruning/projection.ts';
import { currentStart } from '../pruning/pruneState.ts';
import type { Break } from './break.ts';

/** `begun`: the slot had a prompt of this conversation before. */
export function breakOf(
  fitted: Fitted,
  { prefill, stop }: Partial<Generation> & Pick<Generation, 'prefill' | 'stop'>,
  { reuse, begun }: { readonly reuse: CacheReuse; readonly begun: boolean },
): Break | null {
  const emptied = begun && prefill.slotTokens === 0;
  const { firstBreak, decoded } = prefill;
  // Cancelled while it waited: the slot is as it was.
  if ((stop === 'cancelled' && decoded === 0) || (firstBreak === null && !emptied)) return null;
  const { token, again: againTokens } = firstBreak ?? { token: 0, again: seen(fitted) };
  // A cancelled prefill decoded a part of it only.
  const again = Math.min(againTokens, decoded);
  const at = Math.max(
    0,
    fitted.measure.starts.findLastIndex((start) => start <= token),
  );
  const segment = segmentsOf(fitted.prompt)[at];
  const broke = {
    cause:
      firstBreak !== null ? causeIn(fitted, firstBreak, segment?.item ?? null) : reuse === 'none' ? 'setting' : 'model',
    layer: segment?.layer ?? 'glue',
    item: segment?.item ?? null,
    token,
    again,
    milliseconds: decoded === 0 ? 0 : (again * prefill.milliseconds) / decoded,
  };
  return { ...broke, words: breakWords(broke, prefill) };
}

/**
 * Only the projection knows why an item of this conversation changed. Any other item belonged to another conversation, or was edited away.
 */
function causeIn({ pruned, context, node }: Fitted, { cause, item: was }: KvBreak, now: ItemId | null): BreakCause {
  // Tokens that were just generated have no name in the slot: the item at their place now stands for them.
  const item = was ?? (cause === 'retokenised' ? now : null);
  const rewritten = ['stub', 'trim', 'fold', 'branch', 'retokenised'] as const;
  if (item === null || !rewritten.some((one) => one === cause)) return cause;
  const at = context.path.findIndex(({ id }) => id === item);
  const found = context.path[at];
  if (found === undefined) return 'branch';
  if (cause === 'fold') return cause;
  const run = pruned.runs.find(({ from, to }) => at >= from && at < to)?.by;
  const cleared = pruned.cleared.get(item)?.by;
  if (run === 'user' || cleared === 'user') return 'eviction';
  if (run !== undefined) return run === compactionRun ? 'fold' : 'trim';
  return cleared !== undefined || isWithheld(found, at < currentStart(context.path), node) ? 'stub' : cause;
}

/** Tokens of a prompt in front of its last user message. */
function seen({ prompt, measure }: Fitted): number {
  const at = prompt.messages.findLastIndex(({ role }) => role === 'user');
  const before = prompt.messages.slice(0, at).reduce((sum, { segments }) => sum + segments.length, 0);
  return measure.starts[before] ?? 0;
}

// A break of the slot's prefix in words: why, where, and what it cost.
const causes: Readonly<Record<BreakCause, string>> = {
  system: 'the system text changed',
  tools: 'the tools changed',
  workspace: 'workspace files changed',
  template: 'the chat template renders earlier messages differently',
  stub: 'older results were pruned or shortened',
  trim: 'the oldest turns were trimmed',
  fold: 'older turns were compacted',
  retokenised: 'a message was tokenized differently',
  restore: 'something was restored',
  branch: 'a message was edited, or the cache belonged to another conversation',
  eviction: 'you removed something',
  model: 'the model was reloaded',
  setting: 'the prompt cache is off',
  server: 'evicted by the server',
  thinking: 'thinking was switched',
};

/** For instance `the oldest turns were trimmed at token 612; 2,480 tokens were shifted, nothing was decoded again`. */
export function breakWords(
  { cause, token, again, milliseconds }: Omit<Break, 'words'>,
  { shifted }: Pick<Prefill, 'shifted'>,
): string {
  const count = (tokens: number) => tokens.toLocaleString('en');
  const moved = shifted === 0 ? [] : [`${count(shifted)} tokens were shifted`];
  const cost =
    again === 0 ? 'nothing was decoded again' : `${count(again)} tokens were decoded again (${inTime(milliseconds)})`;
  const where = token === 0 ? '' : ` at token ${count(token)}`;
  return `${causes[cause]}${where}; ${[...moved, cost].join(', ')}`;
}

function inTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
