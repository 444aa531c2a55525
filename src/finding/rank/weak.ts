// Whether what was found may not be what was asked for: much of the question is nowhere in the folder, and nothing stands out by meaning.
import type { Weighed } from './propose.ts';
import { rarity } from './statistics.ts';
import type { Near } from './vectors.ts';
import { weights } from './weights.ts';

/** How many passages behind the nearest one the others are taken to begin. */
const othersLookedAt = 10;
/** A word that is asked for in pieces is there where such a share of them is: the others may be of what stands beside it. */
const leastShare = 1 / 3;

/** Words for the user and the model; empty where what was found holds. `any`: something was found, in so many passages in all. */
export function weakness(
  terms: readonly Weighed[],
  any: boolean,
  byMeaning: readonly Near[],
  passages: number,
): string {
  const [nearest] = byMeaning;
  const other = byMeaning[Math.min(othersLookedAt, byMeaning.length - 1)];
  if (nearest !== undefined && other !== undefined && nearest.cosine - other.cosine >= weights.standsOut) return '';
  const own = terms.filter((term) => term.own);
  const pieces = Map.groupBy(own, ({ written }) => written);
  const missing = [...pieces.values()].filter((all) => shareOf(all) < leastShare).flat();
  if (missing.length === 0) return any ? '' : 'no indexed file matches';
  if (any && worthOf(missing, passages) < weights.missing * worthOf(own, passages)) return '';
  return `no indexed file has ${[...new Set(missing.map(({ written }) => `"${written}"`))].join(', ')}`;
}

/** How many of them stand somewhere. */
function shareOf(terms: readonly Weighed[]): number {
  return terms.filter(({ frequency }) => frequency > 0).length / terms.length;
}

function worthOf(terms: readonly Weighed[], passages: number): number {
  return terms.reduce((sum, { weight, frequency }) => sum + weight * rarity(frequency, passages), 0);
}
