// Decisions: what became of each item of the dialog in one prompt, by which rule and why. Old history is a few runs.

import { compactionRun } from '../compaction/compaction.ts';
import { type FoundPlace, type Item, type ItemId, nextItem, type ResultItem } from '../dialog/dialog.ts';
import { type Layer, type Prompt, segmentsOf } from '../prompt/prompt.ts';
import { obsolete } from '../pruning/clearEarlier.ts';
import type { Fitted } from '../pruning/fitted.ts';
import { isWithheld } from '../pruning/projection.ts';
import { currentStart, foundForOneTurn, shownItems, spentFound } from '../pruning/pruneState.ts';
import type { PrunedRun } from '../pruning/run.ts';

export const states = ['kept', 'stubbed', 'capped', 'pending', 'folded', 'trimmed', 'withheld'] as const;
export type State = (typeof states)[number];

/** The decision about one item, or a run of items: path indices `from` to `to`, exclusive. */
export interface Decision {
  readonly from: number;
  readonly to: number;
  readonly item: ItemId | null;
  readonly label: string;
  readonly layer: Layer;
  readonly state: State;
  readonly pinned: boolean;
  /** The file that it shows was changed since. */
  readonly stale?: true;
  readonly before: number;
  readonly after: number;
  readonly by: string;
  readonly why: string;
}

/** A decision for each item still in view and each run that is not: together they cover the path exactly once, in order. */
export function decide(fitted: Fitted): readonly Decision[] {
  const { pruned, context, node } = fitted;
  const layerOf = new Map(segmentsOf(fitted.prompt).map((segment) => [segment.item, segment.layer]));
  const waiting = new Set(obsolete(context, pruned).map(({ item }) => item.id));
  const current = currentStart(context.path);
  const stale = staleItems(context.path);
  const items = shownItems(context.path, pruned).flatMap(([at, item]): readonly Decision[] => {
    if (item.id === nextItem) return [];
    const after = context.size(item.id, 'text') + context.size(item.id, 'stub') + context.size(item.id, 'body');
    const base = {
      from: at,
      to: at + 1,
      item: item.id,
      label: labelOf(item),
      layer: layerOf.get(item.id) ?? (at < current ? 'history' : 'turn'),
      pinned: context.marks.pinned.has(item.id),
      ...(stale.has(item.id) ? { stale: true as const } : {}),
    };
    const withheld = isWithheld(item, at < current, node);
    return [{ ...base, after, ...(withheld ? withheldState : stateOf(item, after, fitted, waiting.has(item.id))) }];
  });
  return [...items, ...pruned.runs.map(runDecision)].toSorted((a, b) => a.from - b.from);
}

const withheldState = {
  state: 'withheld',
  before: 0,
  by: 'graph',
  why: "this node doesn't see tool calls of earlier turns",
} as const;

const runWhys: Readonly<Record<string, string>> = {
  dropTurns: 'the prompt exceeded the limit; the oldest turns were trimmed to the target',
  capMessages: 'the prompt had more messages than allowed; the oldest turns were trimmed',
  emergency: 'the engine reported that the context was full',
  user: 'you removed it',
  [compactionRun]: 'a summary replaced its turns',
};

function runDecision({ from, to, tokens, by }: PrunedRun): Decision {
  const why = runWhys[by] ?? by;
  const label = `${to - from} earlier items`;
  return {
    from,
    to,
    item: null,
    label,
    layer: 'history',
    state: by === compactionRun ? 'folded' : 'trimmed',
    pinned: false,
    before: tokens,
    after: 0,
    by,
    why,
  };
}

function stateOf(item: Item, after: number, { pruned, context, prompt }: Fitted, waits: boolean) {
  const cleared = pruned.cleared.get(item.id);
  const capped = pruned.capped.get(item.id);
  if (cleared !== undefined) {
    const state: State = 'stubbed';
    return {
      state,
      before: cleared.whole ?? after + (capped?.before ?? cleared.tokens),
      by: cleared.by,
      why: clearedWhy(item, cleared.by),
    };
  }
  if (capped !== undefined) {
    const state: State = 'capped';
    const before = context.size(item.id, 'stub') + capped.before;
    return { state, before, by: 'capResults', why: 'it exceeded its share of the window' };
  }
  // Its words stand behind those that were retrieved in their place.
  if (item.origin === 'user' && after === 0 && item.text !== '') {
    const state: State = 'withheld';
    return { state, before: 0, by: 'knowledge', why: 'what was found replaces it' };
  }
  const state: State = waits ? 'pending' : 'kept';
  const why = waits
    ? 'stays until room is needed: removing it now would mean decoding what follows again'
    : thoughtsWhy(item, prompt);
  return { state, before: after, by: waits ? 'clearEarlier' : 'append', why };
}

/** Thoughts stand as they were generated, so that the prefix holds, or not at all. */
function thoughtsWhy(item: Item, prompt: Prompt): string {
  if ((item.origin !== 'assistant' && item.origin !== 'call') || item.thoughts === undefined) return '';
  const isGenerated = segmentsOf(prompt).some((one) => one.item === item.id && one.generated !== undefined);
  return isGenerated
    ? 'it stands as it was generated, with its thoughts, until its turn goes or another model answers'
    : 'its words alone are in the prompt, without its thoughts';
}

function clearedWhy(item: Item, by: string): string {
  if (by === 'user') return 'you removed it';
  if (by === 'emergency') return 'the engine reported that the context was full';
  if (by === spentFound) return 'found for an earlier message, and newer passages need its share of the window';
  if (by === foundForOneTurn) return 'found passages are kept for one turn only';
  if (by === 'clearUnread') return 'with it, the message alone would exceed the limit';
  if (by === 'clearTurn' && item.origin === 'note') return 'it was needed only earlier in this turn';
  if (item.origin === 'note' || item.origin === 'knowledge') return 'it was needed only in an earlier turn';
  if (item.origin === 'call') return 'the long arguments of an older call were pruned; their beginning stays';
  return item.origin === 'attachment'
    ? 'an older attachment was pruned; its first line stays'
    : 'older tool output was pruned; its first line stays';
}

/** A short name of an item for a list. */
export function labelOf(item: Item): string {
  switch (item.origin) {
    case 'user':
      return `You: ${clip(item.text)}`;
    case 'attachment':
      return item.found === undefined ? `Attachment: ${clip(item.head)}` : foundLabel(item.found);
    case 'knowledge':
      return `Found: ${clip(`${item.before} ${item.after}`)}`;
    case 'assistant':
      return `Answer: ${clip(item.text)}`;
    case 'call':
      return `Call: ${clip(item.calls.map((call) => call.name).join(', '))}`;
    case 'result':
      return `Result: ${clip(item.head)}`;
    case 'note':
      return `Instruction: ${clip(item.text)}`;
    default:
      return item satisfies never;
  }
}

function foundLabel({ path, from, to, why }: FoundPlace): string {
  return `Found: ${clip(`${path}:${from}-${to}`)} (${clip(why)})`;
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}

/** How many items each state has; a run counts its items. */
export function countStates(decisions: readonly Decision[]): Readonly<Record<State, number>> {
  const counts = Object.fromEntries(states.map((state) => [state, 0])) as Record<State, number>;
  for (const decision of decisions) counts[decision.state] += decision.to - decision.from;
  return counts;
}

// Marks outdated text: a prompt keeps a changed file as it was read, so that the prefix stays the same.

/** Results and passages on a path that show a file as it no longer is, by what later results tell. What others changed is not known here. */
export function staleItems(path: readonly Item[]): ReadonlySet<ItemId> {
  /** The last hash told of each file; '' when the file was changed since. */
  const latest = new Map<string, string>();
  /** The last index at which each file was changed, by the paths that the user knows. */
  const changedAt = new Map<string, number>();
  for (const [at, item] of path.entries()) {
    if (item.origin !== 'result') continue;
    for (const file of changedBy(item)) latest.set(file, '');
    for (const { file, shown, hash } of item.seen ?? []) {
      latest.set(file, hash);
      if (shown !== undefined) changedAt.set(shown, at);
    }
  }
  const isStale = (item: Item, at: number): boolean => {
    if (item.origin === 'attachment' && item.found !== undefined) return (changedAt.get(item.found.path) ?? -1) > at;
    if (item.origin !== 'result' || item.changed !== undefined) return false;
    return (item.seen ?? []).some(({ file, hash }) => latest.get(file) !== hash);
  };
  return new Set(path.flatMap((item, at) => (isStale(item, at) ? [item.id] : [])));
}

function changedBy({ changed }: ResultItem): readonly string[] {
  return changed === undefined || changed === 'anything' ? [] : changed;
}
