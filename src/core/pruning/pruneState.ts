// Items that one slot's projection has pruned. One-way: on the same path nothing comes back, so the prefix stays byte-identical.
import { type Compaction, compactionOn, compactionRun } from '../compaction/compaction.ts';
import type { Summary } from '../compaction/summary.ts';
import { type Item, type ItemId, type Turn, turnsOf } from '../dialog/dialog.ts';
import type { PrunedRun } from './run.ts';

export interface Cleared {
  /** Tokens the cleared part had. */
  readonly tokens: number;
  readonly by: string;
  /** Tokens of the whole, where only a part of one text was cleared: `tokens` is then an estimate. */
  readonly whole?: number;
}

export interface Capped {
  /** The shortened body that stands in the prompt. */
  readonly text: string;
  /** Tokens of the whole body. */
  readonly before: number;
}

/** Who clears what was found for an earlier message once newer passages need its share: its first line goes too. */
export const spentFound = 'clearFound';
/** The name of the rule for what was found for one turn only. */
export const foundForOneTurn = 'clearKnowledge';

export interface PruneState {
  /** In order, none next to another of the same strategy. */
  readonly runs: readonly PrunedRun[];
  readonly cleared: ReadonlyMap<ItemId, Cleared>;
  readonly capped: ReadonlyMap<ItemId, Capped>;
  /** The compaction whose summary stands in the prompt. */
  readonly compaction: Compaction | null;
  /** The item with which that summary comes; null where it stands behind the pinned head. */
  readonly summaryAt: ItemId | null;
}

export const nothingPruned: PruneState = {
  runs: [],
  cleared: new Map(),
  capped: new Map(),
  compaction: null,
  summaryAt: null,
};

/** Copies the slots' states, with empty ones up to `least` slots. */
export function pruneStates(pruned: readonly PruneState[], least: number): PruneState[] {
  return Array.from({ length: Math.max(pruned.length, least) }, (_, slot) => pruneStateOf(pruned, slot));
}

export function pruneStateOf(pruned: readonly PruneState[], slot: number): PruneState {
  return pruned[slot] ?? nothingPruned;
}

/** The same value where it still fits the path; without the runs and compactions that an edit branched off before. */
export function pruneStateOn(path: readonly Item[], pruned: PruneState): PruneState {
  const runs = pruned.runs.filter((run) => path[run.to - 1]?.id === run.last);
  const compaction = compactionOn(path, pruned.compaction);
  if (compaction !== pruned.compaction) return withCompaction({ ...pruned, runs }, compaction);
  return runs.length === pruned.runs.length ? pruned : { ...pruned, runs };
}

/** The stretches of a path that are in the prompt, as [from, to). */
export function shown(path: readonly Item[], { runs }: PruneState): readonly (readonly [number, number])[] {
  const edges = [0, ...runs.flatMap(({ from, to }) => [from, to]), path.length];
  return edges.flatMap((from, i) => {
    const to = edges[i + 1];
    return i % 2 === 0 && to !== undefined && from < to ? [[from, to] as const] : [];
  });
}

/** The items in the prompt, in order, each with its index on the path. */
export function shownItems(path: readonly Item[], pruned: PruneState): readonly (readonly [number, Item])[] {
  return shown(path, pruned).flatMap(([from, to]) =>
    path.slice(from, to).map((item, i): readonly [number, Item] => [from + i, item]),
  );
}

/** The turns in the prompt. One that an emergency cut a hole into is one turn. */
export function shownTurns(path: readonly Item[], pruned: PruneState): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [from, to] of shown(path, pruned)) {
    const last = turns.at(-1);
    const starts = turnsOf(path, from, to);
    const before = starts[0]?.start ?? to;
    if (last !== undefined && before > from) turns[turns.length - 1] = { start: last.start, end: before };
    turns.push(...starts);
  }
  return turns;
}

/** Index where the current turn begins; the end of the path when there is none. */
export function currentStart(path: readonly Item[]): number {
  const start = path.findLastIndex(({ origin }) => origin === 'user');
  return start < 0 ? path.length : start;
}

/** Takes a stretch out of the prompt; what was let go inside it belongs to it. */
export function takeOut(path: readonly Item[], pruned: PruneState, run: Omit<PrunedRun, 'last'>): PruneState {
  const gone = new Set(path.slice(run.from, run.to).map(({ id }) => id));
  const inside = pruned.runs.filter(({ from, to }) => from >= run.from && to <= run.to);
  const tokens = inside.reduce((sum, one) => sum + one.tokens, run.tokens);
  const placed: PrunedRun = { ...run, tokens, last: path[run.to - 1]?.id ?? '' };
  const others = pruned.runs.filter((one) => !inside.includes(one));
  return {
    ...pruned,
    runs: joined([...others, placed].toSorted((a, b) => a.from - b.from)),
    cleared: new Map([...pruned.cleared].filter(([id]) => !gone.has(id))),
    capped: new Map([...pruned.capped].filter(([id]) => !gone.has(id))),
  };
}

function joined(runs: readonly PrunedRun[]): readonly PrunedRun[] {
  const done: PrunedRun[] = [];
  for (const run of runs) {
    const last = done.at(-1);
    const next = last !== undefined && last.to === run.from && last.by === run.by;
    if (next) done[done.length - 1] = { ...run, from: last.from, tokens: last.tokens + run.tokens };
    else done.push(run);
  }
  return done;
}

/** End of a compaction up to `to`: a run that crosses `to` belongs to it. */
export function compactionEnd({ runs }: PruneState, to: number): number {
  return runs.reduce((end, run) => (run.from < end && run.to > end ? run.to : end), to);
}

export function withCompaction(pruned: PruneState, compaction: Compaction | null): PruneState {
  const others = pruned.runs.filter((run) => run.by !== compactionRun);
  const taken = compaction?.runs ?? [];
  const outside = others.filter((run) => taken.every(({ from, to }) => run.from < from || run.to > to));
  return { ...pruned, compaction, runs: [...outside, ...taken].toSorted((a, b) => a.from - b.from) };
}

/** The compaction before this one stands again, and what only this one took out comes back. */
export function undoCompaction(pruned: PruneState): PruneState {
  return withCompaction(pruned, pruned.compaction?.previous ?? null);
}

/** The same compaction with another summary. */
export function withSummary(pruned: PruneState, id: string, summary: Summary): PruneState {
  return pruned.compaction?.id === id ? { ...pruned, compaction: { ...pruned.compaction, summary } } : pruned;
}
