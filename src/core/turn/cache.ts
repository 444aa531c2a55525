// How slots follow changed prompts, and how much space idle work leaves for the next turn.
import type { CacheReuse } from '../model/model.ts';
import type { Budget } from '../prompt/budget.ts';
import type { Layer } from '../prompt/prompt.ts';
import type { AheadRequest } from '../pruning/fitPrompt.ts';
import type { CallReport, Report } from '../report/report.ts';

export interface SlotCache {
  readonly reuse: CacheReuse;
  /** Letting go of tokens in the middle costs nothing: what follows them moves up. */
  readonly erases: boolean;
}

/** `able`: the loaded model's slots can erase. */
export function cacheFor(reuse: CacheReuse, able: boolean): SlotCache {
  return { reuse, erases: able && (reuse === 'auto' || reuse === 'shift') };
}

const growing: ReadonlySet<Layer> = new Set(['turn', 'steps', 'directive']);

/** Idle work for a slot with approximate tokens: it decodes them again when it has time enough. */
export function settlingFor({ reuse, erases }: SlotCache, approximate: number): Pick<AheadRequest, 'settling'> {
  return reuse === 'auto' && erases ? { settling: { approximate, most: Number.POSITIVE_INFINITY } } : {};
}

interface Grown extends Pick<Report, 'layers'> {
  readonly calls: readonly Pick<CallReport, 'generatedTokens'>[];
}

/** Tokens by which a turn made the prompt grow, its answer included. */
export function growthOf({ layers, calls }: Grown): number {
  const grown = layers.reduce((sum, { layer, tokens }) => sum + (growing.has(layer) ? tokens : 0), 0);
  return grown + (calls.at(-1)?.generatedTokens ?? 0);
}

/** How many turns count, and the margin over their mean: one long turn must not cost the next ones their context. */
const lookBack = 4;
const margin = 1.5;

/**
 * Tokens that idle work leaves below high water, so that the trim is made, and settled, while nobody waits for it. 0 where
 * it would gain nothing: what is moved up for good costs a request as little as idle work.
 */
export function headroomFor({ reuse, erases }: SlotCache, grown: readonly number[], { high }: Budget): number {
  if (reuse === 'none' || (reuse === 'shift' && erases)) return 0;
  const latest = grown.slice(-lookBack);
  const mean = latest.reduce((a, b) => a + b, 0) / Math.max(1, latest.length);
  return Math.min(Math.floor(high / 2), Math.ceil(margin * mean));
}
