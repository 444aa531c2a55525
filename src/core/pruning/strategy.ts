// A strategy: one pure way to remove tokens, in one file. The policy is an ordered list of them.

import type { Item, ItemId, Turn } from '../dialog/dialog.ts';
import type { Marks } from '../dialog/marks.ts';
import type { Budget, Policy } from '../prompt/budget.ts';
import { type Measure, type Prompt, type Segment, segmentsOf } from '../prompt/prompt.ts';
import { clearableShare } from './clearedCall.ts';
import { type Cleared, type PruneState, shownTurns } from './pruneState.ts';

/** The inputs of a strategy: the path, the exact sizes of the measured prompt, the user's policy and marks. */
export interface PruneContext {
  readonly path: readonly Item[];
  readonly policy: Policy;
  readonly marks: Marks;
  /** The id of a compaction that may be made now; null where turns are dropped instead. */
  readonly compactionId: string | null;
  readonly compactionMarks: CompactionMarks;
  /** The state layer: its tokens, the most it may have, and how long a token is in this prompt. */
  readonly state: { readonly tokens: number; readonly cap: number; readonly charactersPerToken: number };
  /** The slot takes tokens out of the middle and moves up what follows; else it decodes all behind a change again. */
  readonly erases: boolean;
  /** Tokens that passages found for messages may take together before the oldest go. */
  readonly foundCap: number;
  /** Chat messages of the measured prompt. */
  readonly messages: number;
  /** Tokens a segment takes in the measured prompt; 0 when it is not in it. */
  readonly size: (item: ItemId, part: Segment['part']) => number;
  /** Tokens an item takes with its share of template glue. */
  readonly weight: (item: ItemId) => number;
}

/** Lets go of at least `excess` tokens where it can, of as little more as its unit allows. Returns `pruned` itself when it can do nothing. */
export type Strategy = (context: PruneContext, pruned: PruneState, excess: number) => PruneState;

/** The share of the high-water mark for passages, those of earlier turns with those of the current one. */
const foundShare = 0.4;

/** The inputs of a prune context besides the measured prompt. */
export interface PruneSetup {
  readonly path: readonly Item[];
  readonly policy: Policy;
  readonly marks: Marks;
  readonly budget: Budget;
  readonly compactionId?: string | null;
  readonly erases?: boolean;
}

export function pruneContextOf(
  { path, policy, marks, budget, compactionId, erases = false }: PruneSetup,
  prompt: Prompt,
  measure: Measure,
): PruneContext {
  const sizes = new Map<string, number>();
  const weights = new Map<ItemId, number>();
  const segments = segmentsOf(prompt);
  segments.forEach((segment, i) => {
    if (segment.item === null) return;
    const key = `${segment.part} ${segment.item}`;
    sizes.set(key, (sizes.get(key) ?? 0) + (measure.segments[i] ?? 0));
    const next = measure.starts[i + 1] ?? measure.total;
    weights.set(segment.item, (weights.get(segment.item) ?? 0) + next - (measure.starts[i] ?? 0));
  });
  const levels = compactionMarks(budget, policy, pinnedTokens(prompt, measure));
  const tokens = segments.reduce((sum, { layer }, i) => sum + (layer === 'state' ? (measure.segments[i] ?? 0) : 0), 0);
  const all = measure.segments.reduce((a, b) => a + b, 0);
  const characters = segments.reduce((sum, { text }) => sum + text.length, 0);
  return {
    path,
    policy,
    marks,
    compactionId: compactionId ?? null,
    compactionMarks: levels,
    erases,
    state: { tokens, cap: levels.stateCap, charactersPerToken: all === 0 ? 1 : characters / all },
    foundCap: Math.floor(budget.high * foundShare),
    messages: prompt.messages.length,
    size: (item, part) => sizes.get(`${part} ${item}`) ?? 0,
    weight: (item) => weights.get(item) ?? 0,
  };
}

/** Tokens of the pinned head: system text, workspace and tools. */
export function pinnedTokens(prompt: Prompt, measure: Measure): number {
  const pinned = segmentsOf(prompt).map(({ item, layer }, i) =>
    item === null && layer !== 'state' ? (measure.segments[i] ?? 0) : 0,
  );
  return [...pinned, ...measure.tools].reduce((a, b) => a + b, 0);
}

/** Clears the body of one result or attachment, the long arguments of calls, one whole note or knowledge. */
export function clear(pruned: PruneState, item: Item, tokens: number, by: string, whole?: number): PruneState {
  const cleared = new Map<ItemId, Cleared>(pruned.cleared);
  cleared.set(item.id, { tokens, by, ...(whole === undefined ? {} : { whole }) });
  return { ...pruned, cleared };
}

/** All tokens of an item of which only a part can be cleared. */
export function wholeOf(context: PruneContext, { id, origin }: Item): number | undefined {
  return origin === 'call' ? context.size(id, 'text') : undefined;
}

/** Tokens that clearing an item would free; 0 for one that cannot be cleared, was cleared or is pinned. */
export function clearable(context: PruneContext, pruned: PruneState, item: Item): number {
  if (pruned.cleared.has(item.id) || context.marks.pinned.has(item.id)) return 0;
  if (item.origin === 'result' || item.origin === 'attachment') return context.size(item.id, 'body');
  if (item.origin === 'call') return Math.floor(clearableShare(item) * context.size(item.id, 'text'));
  if (item.origin === 'knowledge') return item.replaces ? 0 : context.size(item.id, 'text');
  return item.origin === 'note' ? context.size(item.id, 'text') : 0;
}

/** Clears items in their order until at least `excess` tokens are free, or none is left. */
export function clearOldest(
  context: PruneContext,
  pruned: PruneState,
  items: readonly Item[],
  excess: number,
  by: string,
): PruneState {
  let now = pruned;
  let left = excess;
  for (const item of items) {
    const tokens = clearable(context, now, item);
    if (left <= 0) break;
    if (tokens === 0) continue;
    now = clear(now, item, tokens, by, wholeOf(context, item));
    left -= tokens;
  }
  return now;
}

/** Turns before the current one that no pin holds, the oldest first. */
export function droppable(context: PruneContext, pruned: PruneState): readonly Turn[] {
  const isPinned = ({ start, end }: Turn) =>
    context.path.slice(start, end).some(({ id }) => context.marks.pinned.has(id));
  return shownTurns(context.path, pruned)
    .slice(0, -1)
    .filter((turn) => !isPinned(turn));
}

/** Tokens a stretch of the path takes in the prompt, and those its items had before they were cleared or cut. */
export function weigh(
  context: PruneContext,
  pruned: PruneState,
  from: number,
  to: number,
): { readonly now: number; readonly had: number } {
  const items = context.path.slice(from, to);
  const now = items.reduce((sum, { id }) => sum + context.weight(id), 0);
  const gone = items.reduce((sum, { id }) => {
    const capped = pruned.capped.get(id);
    const { tokens = 0, whole } = pruned.cleared.get(id) ?? {};
    const cleared = whole === undefined ? tokens : whole - context.size(id, 'text');
    return sum + (capped === undefined ? cleared : capped.before - context.size(id, 'body'));
  }, 0);
  return { now, had: now + gone };
}

// The marks of compaction, in tokens: when to compact, how much stays verbatim, how long the state may be, and what a compaction must free.

interface CompactionMarks {
  /** Idle work compacts from here on. */
  readonly compactAt: number;
  /** The latest turns within this stay verbatim, and always the last one. */
  readonly tail: number;
  readonly stateCap: number;
  /** A compaction that would free less is not made: it would come again too soon. */
  readonly minGain: number;
}

/** The largest share of the history budget the state may take. */
const stateShare = 0.15;
/** Less than what a trim by dropping turns frees would make compactions more frequent than those. */
const gainShare = 0.4;
/** A user who wants them early has less to free: what stands above the tail and a whole summary, but no less than this. */
const leastGainShare = 0.1;

/** `pinned` is the prompt's fixed head in tokens; the rest below high water is the history's. */
function compactionMarks({ high }: Budget, { compactAt, tailShare }: Policy, pinned: number): CompactionMarks {
  const history = Math.max(0, high - pinned);
  return {
    compactAt: pinned + Math.floor(history * compactAt),
    tail: Math.floor(history * tailShare),
    stateCap: Math.floor(history * stateShare),
    minGain: Math.floor(history * Math.max(leastGainShare, Math.min(gainShare, compactAt - tailShare - stateShare))),
  };
}
