// Where a slot's prefix broke, why, and what it cost: the plan's own break, with what only the projection knows.
import { breakWords } from './breakWords.ts';
import type { ItemId } from './dialog.ts';
import type { Fitted } from './fitPrompt.ts';
import { foldRun } from './fold/fold.ts';
import type { BreakCause } from './kvBreak.ts';
import type { CacheReuse, Generation } from './model.ts';
import { type Layer, segmentsOf } from './prompt.ts';

export interface Break {
  readonly cause: BreakCause;
  /** The prompt's segment that stands there now. */
  readonly layer: Layer;
  readonly item: ItemId | null;
  readonly token: number;
  /** Tokens that the slot had and that were decoded again all the same, and about how long that took. */
  readonly again: number;
  readonly milliseconds: number;
  readonly words: string;
}

/** `begun`: the slot had a prompt of this conversation before. */
export function breakOf(
  fitted: Fitted,
  { prefill, stop }: Generation,
  { reuse, begun }: { readonly reuse: CacheReuse; readonly begun: boolean },
): Break | null {
  const emptied = begun && prefill.slotTokens === 0;
  // A cancelled prefill stopped before it could reach the rest of the prefix: nothing broke.
  if (stop === 'cancelled' || (prefill.firstBreak === null && !emptied)) return null;
  const { token, again } = prefill.firstBreak ?? { token: 0, again: seen(fitted) };
  const at = Math.max(
    0,
    fitted.measure.starts.findLastIndex((start) => start <= token),
  );
  const segment = segmentsOf(fitted.prompt)[at];
  const broke = {
    cause: emptied ? (reuse === 'none' ? 'setting' : 'model') : causeIn(fitted, prefill.firstBreak),
    layer: segment?.layer ?? 'glue',
    item: segment?.item ?? null,
    token,
    again,
    milliseconds: prefill.decoded === 0 ? 0 : (again * prefill.milliseconds) / prefill.decoded,
  };
  return { ...broke, words: breakWords(broke, prefill) };
}

/** What the user let go of is an eviction, and what went into a checkpoint a fold. */
function causeIn({ held, room }: Fitted, first: Generation['prefill']['firstBreak']): BreakCause {
  const { cause, item } = first ?? { cause: 'model', item: null };
  // A slot of which nothing is left but the head looks like another conversation's.
  if (cause !== 'stub' && cause !== 'trim' && cause !== 'branch') return cause;
  const at = room.path.findIndex(({ id }) => id === item);
  const run = held.runs.find(({ from, to }) => at >= from && at < to)?.by;
  const by = held.cleared.get(item ?? '')?.by ?? run;
  if (by === 'user') return 'eviction';
  if (by === foldRun) return 'fold';
  return cause === 'branch' && run !== undefined ? 'trim' : cause;
}

/** Tokens of a prompt in front of its last user message. */
function seen({ prompt, measure }: Fitted): number {
  const at = prompt.messages.findLastIndex(({ role }) => role === 'user');
  const before = prompt.messages.slice(0, at).reduce((sum, { segments }) => sum + segments.length, 0);
  return measure.starts[before] ?? 0;
}
